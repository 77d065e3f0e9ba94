import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Second computation of an operator's month. It reads files only, and shares nothing with the product. */

/** Sums in millionths of the platform's currency. */
export interface Sums {
  parts: bigint;
  price: bigint;
  cost: bigint;
  unknownParts: bigint;
  unknownPrice: bigint;
}

/** Exchange rate: one unit of `from` is `digits / 10 ^ scale` of `to`, from a day on. */
interface FileRate {
  day: string;
  from: string;
  to: string;
  digits: number;
  scale: number;
}

async function* linesOf(file: string): AsyncGenerator<string[]> {
  let first = true;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!first) yield line.split(',');
    first = false;
  }
}

/** Returns millionths of PHP for a decimal charge: the newest rate of the pair counts, rounded half up. */
function inPesos(charge: string, currency: string, day: string, rates: readonly FileRate[]): bigint {
  const [whole = '0', fraction = ''] = charge.split('.');
  const micros = BigInt(whole + fraction.padEnd(6, '0'));
  if (currency === 'PHP') return micros;
  const newest = rates
    .filter((rate) => rate.day <= day && (rate.from === currency || rate.to === currency))
    .sort((a, b) => (a.day < b.day ? 1 : -1))[0]!;
  const [digits, unit] = [BigInt(newest.digits), 10n ** BigInt(newest.scale)];
  const [up, down] = newest.from === currency ? [digits, unit] : [unit, digits];
  const [quotient, rest] = [(micros * up) / down, (micros * up) % down];
  return rest * 2n >= down ? quotient + 1n : quotient;
}

/**
 * Adds up what carriers charge and customers pay, by `link <place>`, `corporation <name>`, `reseller <name>`,
 * `day <link> <day>`, and `ported <link>` for numbers in a network of which the carrier's file tells.
 */
export async function recompute(
  logs: readonly { file: string; currency: string }[],
  customers: string,
  rates: readonly FileRate[],
): Promise<Map<string, Sums>> {
  const sums = new Map<string, Sums>();
  const add = (key: string, price: bigint, cost: bigint | null) => {
    const sum = sums.get(key) ?? { parts: 0n, price: 0n, cost: 0n, unknownParts: 0n, unknownPrice: 0n };
    sum.parts++;
    if (cost === null) {
      sum.unknownParts++;
      sum.unknownPrice += price;
    } else {
      sum.price += price;
      sum.cost += cost;
    }
    sums.set(key, sum);
  };
  const payers = linesOf(customers);
  const carriers = logs.map(({ file }) => linesOf(file));
  // All files are in the order in which messages left, so each carrier's next line belongs to its next message.
  for await (const [id, place, corporation, reseller, thousandths] of payers) {
    const which = Number(place);
    const { value: line } = await carriers[which]!.next();
    const [carrierId, day = '', , , charge = '', network = ''] = line as string[];
    if (carrierId !== id) throw new Error(`${carrierId} in the place of ${id}`);
    const price = BigInt(thousandths!) * 1_000n;
    const cost = charge === '' ? null : inPesos(charge, logs[which]!.currency, day, rates);
    for (const key of [`link ${which}`, `corporation ${corporation}`, `reseller ${reseller}`, `day ${which} ${day}`])
      add(key, price, cost);
    if (network) add(`ported ${which}`, price, cost);
  }
  return sums;
}
