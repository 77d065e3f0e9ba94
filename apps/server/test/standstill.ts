import type { Scope } from './template-database.ts';

const EVERY_MS = 20;

/**
 * Measures the longest time, in milliseconds, for which this process has stood still since the call. A busy machine
 * runs other programs too.
 */
export function watchStandstill(t: Scope): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - EVERY_MS);
    last = now;
  }, EVERY_MS);
  t.after(() => clearInterval(timer));
  return () => longest;
}
