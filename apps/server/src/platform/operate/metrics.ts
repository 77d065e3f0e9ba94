import { collectDefaultMetrics, Registry } from 'prom-client';

/** All metrics of this process, in the text format of Prometheus. */
export const registry = new Registry();

const readers = new Set<() => Promise<void> | void>();

/** Registers `read` to update gauges before each answer of /metrics; the returned function ends that. */
export function beforeScrape(read: () => Promise<void> | void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** Gauges of the library with the name of a counter; the same gauges exist by type, without `_total`. */
const MISNAMED = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total'];

/** Metrics of the runtime: processor, memory, event loop, garbage collection. Called once a process. */
export function collectRuntime(name: string): void {
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry });
  for (const misnamed of MISNAMED) registry.removeSingleMetric(misnamed);
}

/** Answer of /metrics. */
export const metrics = {
  type: registry.contentType,
  async read(): Promise<string> {
    // A metric that cannot be read now must not prevent the others.
    await Promise.allSettled([...readers].map(async (read) => read()));
    return registry.metrics();
  },
};
