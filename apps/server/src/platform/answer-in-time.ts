import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BusinessError } from './errors.ts';

/**
 * How long a caller waits for us at most, in ms: longer than any statement of a request may take, and shorter than the
 * minute after which proxies give up.
 */
const ANSWER_MS = 40_000;

/**
 * Answers `unavailable` where a call has no answer after its time: its database may be frozen, or wait for a standby that
 * is away. What was begun goes on by itself and may still be done, as where the line breaks. The time in which a body comes
 * does not count, and files that are brought take as long as they take. Call it before routes are added.
 */
export function answerInTime(server: FastifyInstance, ms = ANSWER_MS): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  const rest = (request: FastifyRequest) => clearTimeout(timers.get(request));
  const watch = (request: FastifyRequest, reply: FastifyReply) => {
    const late = () => {
      if (!reply.sent && !reply.raw.headersSent) void reply.send(new BusinessError('unavailable'));
    };
    timers.set(request, setTimeout(late, ms));
  };
  server.addHook('onRequest', async (request, reply) => {
    watch(request, reply);
    reply.raw.once('close', () => rest(request));
  });
  server.addHook('preParsing', async (request) => rest(request));
  server.addHook('preHandler', async (request, reply) => {
    if (!request.routeOptions.config.upload) watch(request, reply);
  });
  server.addHook('onSend', async (request) => rest(request));
}
