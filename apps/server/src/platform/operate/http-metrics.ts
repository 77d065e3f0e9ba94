import type { FastifyInstance } from 'fastify';
import { Gauge, Histogram } from 'prom-client';
import { beforeScrape, registry } from './metrics.ts';

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
  server.addHook('onResponse', async (request, reply) => {
    // Unknown addresses share one name, or strangers could make as many series as they like.
    const route = request.routeOptions.url ?? 'none';
    requests.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
  });
  const forget = beforeScrape(() => sockets.set(server.websocketServer?.clients.size ?? 0));
  server.addHook('onClose', async () => forget());
}
