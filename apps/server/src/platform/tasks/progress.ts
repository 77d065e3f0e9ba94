/** Minimum time in ms between two reports of the progress of background work. */
const PROGRESS_INTERVAL_MS = 300;

/** Lets an action through at most once an interval; earlier calls are dropped. */
export function throttled<Value>(
  action: (value: Value) => Promise<void>,
  everyMs = PROGRESS_INTERVAL_MS,
): (value: Value) => Promise<void> {
  let last = -Infinity;
  return async (value) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    await action(value);
  };
}
