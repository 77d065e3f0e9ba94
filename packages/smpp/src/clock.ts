import type { Clock } from './session-options.ts';

/** The machine's own monotonic clock; its timers never keep the process alive by themselves. */
export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
