import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `look` until it returns anything but false and undefined, and returns that. Calls are `every` milliseconds
 * apart. Throws an error that names `what` after more than `within` milliseconds.
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
