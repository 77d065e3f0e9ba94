import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { beginSpan, isTracing, parentFrom, SpanKind, under } from './tracing.ts';

/**
 * Makes a span of every request, by the template of its route. A trace from outside continues only behind a proxy of
 * ours (TRUST_PROXY): strangers do not decide what is traced. Call it before routes are added.
 */
export function traceRequests(server: FastifyInstance, { TRUST_PROXY }: Pick<Config, 'TRUST_PROXY'>): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isTracing()) return done();
    const { traceparent } = request.headers;
    const trusted = TRUST_PROXY !== false && typeof traceparent === 'string';
    const route = request.routeOptions.url ?? 'none';
    const span = beginSpan(`${request.method} ${route}`, {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': request.method, 'http.route': route, request_id: request.id },
      parent: parentFrom(trusted ? { traceparent } : {}),
    });
    if (!span) return done();
    spans.set(request, span);
    under(span, done);
  });
  // Reading a body leaves the context of the request; it is entered again here.
  server.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) under(span, done);
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) span?.setStatus({ code: 2 });
    span?.end();
    done();
  });
}
