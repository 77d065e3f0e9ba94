import { JASMIN_PATHS } from '@heliograph/contract/api/doors';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import type { ApiScope } from '@heliograph/contract/kernel/public-operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { balanceOf, type PublicApi, programOf, provenHolder } from '#modules/api';
import { asCaller } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { baseContext } from '#platform/http/http';
import { DENIALS, plain, proveByName, sentenceOf } from './door-answers.ts';
import { keepOctets, Refused, textOf } from './door-request.ts';
import { type JasminRequest, jasminRequest, submissionOf } from './jasmin-request.ts';

const MAX_BODY = 64 * 1024;
/** Thousandths of a unit of money. */
const UNIT = 1_000;

/** Answer to a call: an HTTP status, and the text or the data. */
interface Answer {
  status: number;
  said: unknown;
}

/**
 * Mounts Jasmin's `/send`, `/rate` and `/balance` for keys that open them: the user name is the beginning of a key, the
 * password the key. They answer with Jasmin's statuses and sentences, and by the rules of `/v1/messages`.
 */
export function mountJasmin(api: PublicApi): void {
  const { send: sendPath, rate: ratePath, balance: balancePath } = JASMIN_PATHS;
  void api.app.server.register(async (server) => {
    keepOctets(server, MAX_BODY);
    const route = (
      url: string,
      method: ('GET' | 'POST')[],
      answer: (call: JasminRequest, request: FastifyRequest) => Promise<Answer>,
      write: (reply: FastifyReply, answer: Answer) => FastifyReply,
    ) =>
      server.route({
        url,
        method,
        config: { unlimited: true, fromOtherSites: true },
        compress: false,
        handler: async (request, reply) => {
          let call: JasminRequest | undefined;
          try {
            call = readCall(request);
            const name = textOf(call.parameters, 'username');
            proveByName(api.app.server, request, { name, key: textOf(call.parameters, 'password') });
            return write(reply, await answer(call, request));
          } catch (error) {
            const name = call === undefined ? '' : textOf(call.parameters, 'username');
            const wait = error instanceof BusinessError ? error.retryAfter : undefined;
            if (wait !== undefined) reply.header('retry-after', wait);
            return write(reply, refusalOf(error, name, request));
          }
        },
      });
    route(sendPath, ['GET', 'POST'], (call, request) => send(api, call, request), writeSentence);
    route(ratePath, ['GET'], (call, request) => rate(api, call, request), writeJson);
    route(balancePath, ['GET'], (_call, request) => balance(api, request), writeJson);
  });
}

const readCall = ({ raw, body, headers }: FastifyRequest): JasminRequest =>
  jasminRequest(raw.url ?? '', Buffer.isBuffer(body) ? body : undefined, headers['content-type'] ?? '');

const writeSentence = (reply: FastifyReply, { status, said }: Answer) =>
  plain(reply, status, `${status === 200 ? 'Success' : 'Error'} "${said}"`);
const writeJson = (reply: FastifyReply, { status, said }: Answer) =>
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(said));

async function opened(api: PublicApi, request: FastifyRequest, scope: ApiScope) {
  const holder = await provenHolder(api, request, { scope });
  if (!holder.doors.has('jasmin')) throw new BusinessError('forbidden');
  return holder;
}

/** Returns the result of the only message, or throws why it was refused. */
function onlyOf<Result>([result]: readonly (Result | BusinessError)[]): Result {
  if (result === undefined) throw new Error('the intake gave no result');
  if (result instanceof BusinessError) throw result;
  return result;
}

async function send(api: PublicApi, call: JasminRequest, request: FastifyRequest): Promise<Answer> {
  const program = programOf(await opened(api, request, 'messages:send'));
  const submission = submissionOf(call, api.app.clock.now().getTime());
  return { status: 200, said: (await api.intake.accept(program, submission)).id };
}

async function rate(api: PublicApi, call: JasminRequest, request: FastifyRequest): Promise<Answer> {
  const program = programOf(await opened(api, request, 'messages:send'));
  const submission = submissionOf(call, api.app.clock.now().getTime(), { priced: true });
  const { results } = await api.intake.estimate(program, [submission]);
  const { price, parts } = onlyOf(results);
  return { status: 200, said: { unit_rate: price / parts / UNIT, submit_sm_count: parts } };
}

async function balance(api: PublicApi, request: FastifyRequest): Promise<Answer> {
  const holder = await opened(api, request, 'balance:read');
  const { available } = await asCaller(baseContext(api.app, request, holder.caller), (ctx) =>
    balanceOf({ ...ctx, is_test: holder.is_test }, holder),
  );
  return { status: 200, said: { balance: Number(available), sms_count: 'ND' } };
}

const NO_ROUTE: ReadonlySet<string> = new Set(['no_route', 'destination_unavailable']);

/** Answers an error with Jasmin's status: 403 for a caller, credit or speed, 412 without a route, 500 to come again. */
function refusalOf(error: unknown, name: string, request: FastifyRequest): Answer {
  if (error instanceof Refused) return { status: error.status, said: error.message };
  if (!(error instanceof BusinessError)) {
    request.log.error({ err: error }, 'jasmin request failed');
    return { status: 500, said: 'Cannot send submit_sm, try again later.' };
  }
  const { code } = error;
  if (code === 'unauthenticated') return { status: 403, said: `Authentication failure for username:${name}` };
  if (DENIALS.has(code)) return { status: 403, said: `Authorization failed for username:${name}` };
  if (code === 'insufficient_credit') return { status: 403, said: `Cannot charge submit_sm: ${sentenceOf(error)}` };
  if (code === 'too_many_requests') return { status: 403, said: 'User throughput exceeded' };
  if (NO_ROUTE.has(code)) return { status: 412, said: 'No route found' };
  if (error.retryAfter !== undefined || ERRORS[code].status >= 500)
    return { status: 500, said: 'Cannot send submit_sm, try again later.' };
  return { status: 400, said: sentenceOf(error) };
}
