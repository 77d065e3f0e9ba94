import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks again and again until `look` answers anything but false and undefined, and answers that. Throws an error that
 * names `what` where that takes longer than `within` milliseconds; looks are `every` milliseconds apart.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  within = 120_000,
  every = 20,
): Promise<Exclude<T, false | undefined>> {
  for (const end = performance.now() + within; ; await sleep(every)) {
    const seen = await look();
    if (seen !== false && seen !== undefined) return seen as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
  }
}
