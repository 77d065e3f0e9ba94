import { collectDefaultMetrics, Registry } from 'prom-client';

/** All metrics of this process, in the text format of Prometheus. */
export const registry = new Registry();

/** What the runtime itself tells: processor, memory, event loop, garbage collection. Called once a process. */
export function collectRuntime(name: string): void {
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry });
}

/** What /metrics answers. */
export const metrics = { type: registry.contentType, read: () => registry.metrics() };
