import type { Scope } from './template-database.ts';

const EVERY_MS = 20;

/** How long this process has stood still at most, in milliseconds, since this was called: a machine has others to serve, too. */
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
