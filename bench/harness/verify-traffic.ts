/** Start of a verification as a program would ask for it, by a clock of the replay. */
export interface MadeStart {
  /** Seconds since the beginning. */
  at: number;
  number: string;
  client_ip: string;
  device: string;
  attack: boolean;
  /** Seconds until the person enters the code; null for never. */
  entered: number | null;
}

/** Shapes of attacks. */
export const SHAPES = ['sequential', 'slow', 'few_addresses', 'few_devices', 'one_number'] as const;
export type Shape = (typeof SHAPES)[number];

/** Random numbers that are the same for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const HOUR = 3_600;
/** Share of people who enter their code, and of the others who ask for another one. */
const CONVERSION = 0.8;
const RETRIES = 0.5;
/** Prefixes of three networks, and the addresses behind which their phones share. */
const NETWORKS = ['63917', '63918', '63920'];
const SHARED_ADDRESSES = 60;

type Chance = () => number;
const below = (chance: Chance, limit: number): number => Math.floor(chance() * limit);
const digits = (value: number, length: number): string => String(value).padStart(length, '0');
const anyAddress = (chance: Chance): string =>
  [20 + below(chance, 180), below(chance, 256), below(chance, 256), 1 + below(chance, 254)].join('.');

/** Makes people who sign up in `hours` hours: most behind shared addresses of carriers, some of them twice. */
export function honestStarts(chance: Chance, people: number, hours: number): MadeStart[] {
  const starts: MadeStart[] = [];
  for (let person = 0; person < people; person++) {
    const shared = chance() < 0.6;
    const start: MadeStart = {
      at: chance() * hours * HOUR,
      number: NETWORKS[below(chance, NETWORKS.length)]! + digits(below(chance, 10_000_000), 7),
      client_ip: shared ? `10.20.0.${1 + below(chance, SHARED_ADDRESSES)}` : anyAddress(chance),
      device: `p${person}`,
      attack: false,
      entered: chance() < CONVERSION ? 8 + chance() * 50 : null,
    };
    starts.push(start);
    if (start.entered === null && chance() < RETRIES)
      starts.push({
        ...start,
        at: start.at + 60 + chance() * 120,
        entered: chance() < CONVERSION ? 10 + chance() * 40 : null,
      });
  }
  return starts;
}

/** Makes an attack of a shape that begins at `from` hours. Nobody enters these codes. */
export function attackStarts(chance: Chance, shape: Shape, from: number, count: number): MadeStart[] {
  const made = (
    hours: number,
    of: (place: number) => Pick<MadeStart, 'number' | 'client_ip' | 'device'>,
  ): MadeStart[] =>
    Array.from({ length: count }, (_, place) => ({
      at: (from + (hours * (place + chance())) / count) * HOUR,
      attack: true,
      entered: null,
      ...of(place),
    }));
  const anyNumber = () => NETWORKS[below(chance, NETWORKS.length)]! + digits(below(chance, 10_000_000), 7);
  const device = (place: number) => `a${place}-${below(chance, 1_000_000)}`;
  switch (shape) {
    case 'sequential': {
      const first = below(chance, 9_000);
      const prefix = `63919${digits(below(chance, 1_000), 3)}`;
      return made(2, (place) => ({
        number: prefix + digits((first + place) % 10_000, 4),
        client_ip: anyAddress(chance),
        device: device(place),
      }));
    }
    case 'slow': {
      const prefixes = Array.from({ length: 40 }, () => `6392${below(chance, 10)}${digits(below(chance, 1_000), 3)}`);
      return made(6, (place) => ({
        number: prefixes[below(chance, prefixes.length)]! + digits(below(chance, 10_000), 4),
        client_ip: anyAddress(chance),
        device: device(place),
      }));
    }
    case 'few_addresses': {
      const addresses = Array.from({ length: 6 }, () => anyAddress(chance));
      return made(2, (place) => ({ number: anyNumber(), client_ip: addresses[place % 6]!, device: device(place) }));
    }
    case 'few_devices':
      return made(2, (place) => ({ number: anyNumber(), client_ip: anyAddress(chance), device: `farm${place % 8}` }));
    case 'one_number': {
      const numbers = Array.from({ length: 5 }, anyNumber);
      return made(1, (place) => ({
        number: numbers[place % 5]!,
        client_ip: anyAddress(chance),
        device: device(place),
      }));
    }
  }
}
