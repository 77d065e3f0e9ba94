/** Source of random numbers that the same seed repeats. */
export interface Random {
  /** Returns a number from 0 up to, not including, 1. */
  next(): number;
  /** Returns a whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Returns true in this share of calls. */
  chance(share: number): boolean;
}

/** Returns random numbers from a seed (mulberry32). Good enough for faults; never use them for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)]!, chance: (share) => next() < share };
}

/** Returns the seed of a run: from the environment variable, so that a run can be repeated, else a random one. */
export function seedOf(variable: string): number {
  const given = Number(process.env[variable]);
  return Number.isInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 0x7fff_fffe);
}
