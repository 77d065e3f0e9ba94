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

declare module 'fastify' {
  interface FastifyRequest {
    /** Timer of the wait for an answer. */
    answerTimer: NodeJS.Timeout | undefined;
  }
}

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
  const rest = (request: FastifyRequest) => {
    clearTimeout(request.answerTimer);
    request.answerTimer = undefined;
  };
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const began = performance.now();
    const later = (wait: number) => {
      // A caller that went away needs no answer, and must not keep a process that stops.
      request.answerTimer = setTimeout(late, wait).unref();
    };
    const late = () => {
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;
      const left = ms - (performance.now() - began);
      if (stalled()) void reply.send(stalledError(request, true));
      else if (left <= 0) void reply.send(new BusinessError('unavailable'));
      else later(Math.min(LOOK_MS, left));
    };
    later(Math.min(ms, STALLED_MS));
  };
  server.decorateRequest('answerTimer', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (!READS.has(request.method) && stalled()) throw stalledError(request, false);
    watch(request, reply);
    done();
  });
  server.addHook('preParsing', (request, _reply, payload, done) => {
    rest(request);
    done(null, payload);
  });
  server.addHook('preHandler', (request, reply, done) => {
    if (!request.routeOptions.config.upload) watch(request, reply);
    done();
  });
  server.addHook('onSend', (request, _reply, _payload, done) => {
    rest(request);
    done();
  });
}
