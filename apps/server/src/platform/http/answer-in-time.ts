import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BusinessError } from '../errors.ts';

/**
 * Maximum time a caller waits for an answer, in ms. It is longer than any statement of a request may take, and shorter
 * than the minute after which proxies give up.
 */
const ANSWER_MS = 40_000;
/**
 * Maximum time a caller waits while the database confirms no changes, in ms: the caller gets an answer within ten
 * seconds.
 */
const STALLED_MS = 8_000;
const LOOK_MS = 500;
/** Seconds until a retry: first a person has to look at the standby. */
const STALLED_RETRY_S = 5;

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Answers the error while the database confirms no changes. If the call has begun, its change may still be done. */
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
 * Answers `unavailable` if a call has no answer after its time: its database may be frozen. If the database confirms no
 * changes because its standby is away, calls that change something are refused before they begin. Calls that have begun
 * are then answered sooner. Their work continues and may still be done, as when the connection breaks. The time in
 * which a body arrives does not count, and uploads take as long as they need. Call it before routes are added.
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
