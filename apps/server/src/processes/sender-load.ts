import { performance } from 'node:perf_hooks';

const EVERY_MS = 5_000;

/** Load of one sender in the last seconds. */
export interface SenderLoad {
  /** Share of the time in which its thread worked, from 0 to 1. */
  share: number;
  /** Number of links that it holds. */
  links: number;
}

/** Reads the load from a message of a child process; undefined if it is none. */
export function loadOf(message: unknown): SenderLoad | undefined {
  if (typeof message !== 'object' || message === null || !('load' in message)) return undefined;
  const { load } = message as { load?: Partial<SenderLoad> };
  return typeof load?.share === 'number' && typeof load.links === 'number'
    ? { share: load.share, links: load.links }
    : undefined;
}

/** Reports this sender's load to the process that started it, if any, until the returned function is called. */
export function reportLoad(links: () => number): () => void {
  if (!process.send) return () => undefined;
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(now, last);
    last = now;
    if (process.connected) process.send?.({ load: { share, links: links() } });
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
