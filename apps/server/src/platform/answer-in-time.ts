import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BusinessError } from './errors.ts';

/**
 * How long a caller waits for us at most, in ms: longer than any statement of a request may take, and shorter than the
 * minute after which proxies give up.
 */
const ANSWER_MS = 40_000;
/** How long a caller waits while the database confirms no changes: within ten seconds they are told. */
const STALLED_MS = 8_000;
const LOOK_MS = 500;
/** Somebody has to look at the standby first. */
const STALLED_RETRY_S = 5;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The answer while the database confirms no changes: of a call that was begun nobody knows whether it will be done. */
const stalledError = ({ method }: FastifyRequest, begun: boolean): BusinessError =>
  new BusinessError(begun && !READS.has(method) ? 'changes_unconfirmed' : 'changes_paused', {
    retryAfter: STALLED_RETRY_S,
  });

interface Options {
  ms?: number | undefined;
  /** Whether the database confirms no changes now. */
  stalled?: (() => boolean) | undefined;
}

/**
 * Answers `unavailable` where a call has no answer after its time: its database may be frozen. Where the database confirms
 * no changes, as its standby is away, calls that change something are refused before they begin, and those that were begun
 * are answered sooner. What was begun goes on by itself and may still be done, as where the line breaks. The time in which a
 * body comes does not count, and files that are brought take as long as they take. Call it before routes are added.
 */
export function answerInTime(server: FastifyInstance, { ms = ANSWER_MS, stalled = () => false }: Options = {}): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const rest = (request: FastifyRequest) => clearTimeout(timers.get(request));
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const began = performance.now();
    const later = (wait: number) => timers.set(request, setTimeout(late, wait));
    const late = () => {
      if (reply.sent || reply.raw.headersSent) return;
      const left = ms - (performance.now() - began);
      if (stalled()) void reply.send(stalledError(request, true));
      else if (left <= 0) void reply.send(new BusinessError('unavailable'));
      else later(Math.min(LOOK_MS, left));
    };
    later(Math.min(ms, STALLED_MS));
  };
  server.addHook('onRequest', async (request, reply) => {
    if (!READS.has(request.method) && stalled()) throw stalledError(request, false);
    watch(request, reply);
    reply.raw.once('close', () => rest(request));
  });
  server.addHook('preParsing', async (request) => rest(request));
  server.addHook('preHandler', async (request, reply) => {
    if (!request.routeOptions.config.upload) watch(request, reply);
  });
  server.addHook('onSend', async (request) => rest(request));
}
