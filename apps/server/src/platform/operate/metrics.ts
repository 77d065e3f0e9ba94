import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';

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

/**
 * Interval in ms at which the delay of the event loop is measured. At the library's 10 ms, measuring alone took a third
 * of a percent of a core in each process.
 */
const LAG_PRECISION_MS = 100;

/** Metrics of the runtime: processor, memory, event loop, garbage collection. Called once a process. */
export function collectRuntime(name: string): void {
  registry.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
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

const requests = new Histogram({
  name: 'heliograph_http_request_duration_seconds',
  help: 'Time from a request to the end of its answer, by the template of its route.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

const sockets = new Gauge({
  name: 'heliograph_websocket_connections',
  help: 'Open connections that hear live events.',
  registers: [registry],
});

/** Measures every answer of a server, and counts its sockets. Call it before routes are added. */
export function measureRequests(server: FastifyInstance): void {
  const known = new Map<string, ReturnType<typeof requests.labels>>();
  server.addHook('onResponse', (request, reply, done) => {
    // Unknown addresses share one name, or strangers could make as many series as they like.
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${reply.statusCode} ${route}`;
    let series = known.get(key);
    if (!series) {
      series = requests.labels({ method: request.method, route, status: String(reply.statusCode) });
      known.set(key, series);
    }
    series.observe(reply.elapsedTime / 1_000);
    done();
  });
  const forget = beforeScrape(() => sockets.set(server.websocketServer?.clients.size ?? 0));
  server.addHook('onClose', async () => forget());
}

const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });

const free = gauge('heliograph_data_folder_free_bytes', 'Room that is left on the disk of DATA_DIR.');
const size = gauge('heliograph_data_folder_size_bytes', 'Size of the disk of DATA_DIR.');

/** Reports the room on the disk of the data folder; reports nothing if the folder does not exist. */
export function measureDisk({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): void {
  beforeScrape(async () => {
    const found = await statfs(DATA_DIR).catch(() => undefined);
    if (!found) return;
    free.set(found.bavail * found.bsize);
    size.set(found.blocks * found.bsize);
  });
}
