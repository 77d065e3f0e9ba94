/** Draws that a seed repeats. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in this share of calls. */
  chance(share: number): boolean;
}

/** Random numbers of a seed (mulberry32); plenty for faults, nothing for secrets. */
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

/** The seed of a run: the environment variable's, so that a run can be had again, else a drawn one. */
export function seedOf(variable: string): number {
  const given = Number(process.env[variable]);
  return Number.isInteger(given) && given > 0 ? given : 1 + Math.floor(Math.random() * 0x7fff_fffe);
}
