/** How often the progress of background work is told at most, in ms. */
export const PROGRESS_INTERVAL_MS = 300;

/** Lets an action through at most once an interval; what comes sooner is left out. */
export function throttled<Value>(action: (value: Value) => Promise<void>): (value: Value) => Promise<void> {
  let last = -Infinity;
  return async (value) => {
    const now = performance.now();
    if (now - last < PROGRESS_INTERVAL_MS) return;
    last = now;
    await action(value);
  };
}
