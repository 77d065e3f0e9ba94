import { KANNEL_PATH } from '@heliograph/contract/api/doors';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type PublicApi, programOf, provenHolder } from '#modules/api';
import type { Result } from '#modules/intake';
import { BusinessError } from '#platform/errors';
import { DENIALS, plain, proveByName, sentenceOf } from './door-answers.ts';
import { type Parameters, Refused } from './door-request.ts';
import { headersOf, queryOf, submissionsOf } from './kannel-request.ts';

const ACCEPTED = '0: Accepted for delivery';
const QUEUED = '3: Queued for later delivery';
const WAIT = 'Temporal failure, try again later.';
const DENIED = 'Authorization failed for sendsms';
const MAX_BODY = 64 * 1024;

/**
 * Mounts Kannel's `sendsms` for keys that open it: the user name is the beginning of a key, the password the key. It
 * answers with Kannel's statuses and sentences, and by the rules of `/v1/messages`.
 */
export function mountKannel(api: PublicApi): void {
  const { server } = api.app;
  const route = {
    url: KANNEL_PATH,
    config: { unlimited: true, fromOtherSites: true },
    compress: false as const,
    bodyLimit: MAX_BODY,
    // The key proves a caller before the call is counted, as for all programs.
    onRequest: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      proveByName(server, request, credentials(request));
      done();
    },
    errorHandler: (error: Error, request: FastifyRequest, reply: FastifyReply) => answer(error, request, reply),
  };
  server.route({
    ...route,
    method: 'GET',
    handler: (request, reply) => send(api, request, reply, queryOf(request.raw.url ?? '')),
  });
  server.route({
    ...route,
    method: 'POST',
    handler: (request, reply) => {
      if (typeof request.body !== 'string') throw new Refused(415, 'Unsupported content-type, rejected');
      return send(api, request, reply, headersOf(request.headers, Buffer.from(request.body)));
    },
  });
}

/** User name and password of a request, in its address or its headers. */
function credentials(request: FastifyRequest): { name: string; key: string } {
  const parameters =
    request.method === 'GET' ? queryOf(request.raw.url ?? '') : headersOf(request.headers, Buffer.alloc(0));
  const of = (name: string) => parameters.get(name)?.toString('latin1') ?? '';
  return { name: of('username'), key: of('password') };
}

async function send(api: PublicApi, request: FastifyRequest, reply: FastifyReply, parameters: Parameters) {
  const holder = await provenHolder(api, request, { scope: 'messages:send' });
  if (!holder.doors.has('kannel')) throw new BusinessError('forbidden');
  const program = programOf(holder);
  const submissions = submissionsOf(parameters, api.app.clock.now().getTime());
  await api.intake.allow(program, submissions.length);
  const { results } = await api.intake.submit({ program, submissions });
  const accepted = results.flatMap((result) => (result instanceof BusinessError ? [] : [result]));
  if (accepted.length === 0) throw results[0];
  // Kannel drops numbers that it may not send to; here the answer names them.
  const refused = results.flatMap((result, index) =>
    result instanceof BusinessError ? [`${submissions[index]!.to}: ${sentenceOf(result)}`] : [],
  );
  const first = accepted.every(({ not_before }) => not_before !== null) ? QUEUED : ACCEPTED;
  return plain(reply.header('x-message-ids', idsOf(results)), 202, [first, ...refused].join('\n'));
}

const idsOf = (results: readonly Result[]) =>
  results.flatMap((result) => (result instanceof BusinessError ? [] : [String(result.id)])).join(',');

/** Answers an error with Kannel's status: 403 for a caller, 503 to come again, 400 for what will never be sent. */
function answer(error: Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Refused) return plain(reply, error.status, error.message);
  if (error instanceof BusinessError && DENIALS.has(error.code)) return plain(reply, 403, DENIED);
  if (error instanceof BusinessError && error.retryAfter === undefined && ERRORS[error.code].status < 500)
    return plain(reply, 400, `${sentenceOf(error)} Rejected`);
  const status = (error as { statusCode?: number }).statusCode;
  if (status === 415) return plain(reply, 415, 'Unsupported content-type, rejected');
  if (!(error instanceof BusinessError)) request.log.error({ err: error }, 'kannel request failed');
  const wait = error instanceof BusinessError ? error.retryAfter : undefined;
  return plain(wait === undefined ? reply : reply.header('retry-after', wait), 503, WAIT);
}
