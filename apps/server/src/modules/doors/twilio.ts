import { getMessage, listMessages } from '@heliograph/contract/api/message';
import { accountSid, idOfSid, messageSid, TWILIO_VERSION } from '@heliograph/contract/api/twilio';
import type { ApiScope } from '@heliograph/contract/kernel/public-operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ACCOUNT, messageOf, newestMessages, type PublicApi, programOf, provenHolder, readAs } from '#modules/api';
import { shownTo } from '#platform/access/hidden-numbers';
import { BusinessError } from '#platform/errors';
import { addressParameters, basicOf, keepOctets, type Parameters, parametersOf, Refused } from './door-request.ts';
import { faultBody, faultOf, messageResource, OUR_FAULT, type TwilioFault } from './twilio-answers.ts';
import { pageOf, submissionOf, TwilioRefused } from './twilio-request.ts';

const MAX_BODY = 64 * 1024;

/** A call with its parameters, and what follows the account in its path. */
interface TwilioCall {
  api: PublicApi;
  request: FastifyRequest;
  account: string;
  rest: string;
  parameters: Parameters;
}

/**
 * Mounts Twilio's Messages for keys that open them: the account SID is the key's id, the auth token is shown with the
 * key. They answer with Twilio's resources and error numbers, and by the rules of `/v1/messages`.
 */
export function mountTwilio(api: PublicApi): void {
  void api.app.server.register(async (server) => {
    keepOctets(server, MAX_BODY);
    server.route<{ Params: { account: string; '*': string } }>({
      url: `/${TWILIO_VERSION}/Accounts/:account/*`,
      method: ['GET', 'POST', 'DELETE'],
      config: { unlimited: true, fromOtherSites: true },
      handler: async (request, reply) => {
        try {
          takeBasic(api, request);
          const { account, '*': rest } = request.params;
          const { status, said } = await answer({ api, request, account, rest, parameters: parametersIn(request) });
          return send(reply, status, said);
        } catch (error) {
          const fault = faultIn(error, request);
          if (error instanceof BusinessError && error.retryAfter !== undefined)
            reply.header('retry-after', error.retryAfter);
          return send(reply, fault.status, faultBody(fault));
        }
      },
    });
  });
}

const send = (reply: FastifyReply, status: number, said: unknown): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(said));

/** Takes account SID and token of a basic proof (RFC 7617) for the bearer by which calls are counted and proven. */
function takeBasic({ app }: PublicApi, request: FastifyRequest): void {
  const { name = '', key = '' } = basicOf(request) ?? {};
  const pair = `${name}:${key}`;
  request.headers.authorization = ACCOUNT.test(pair) ? `Bearer ${pair}` : '';
  app.server.callLimits.count(request);
}

/** Parameters of the address, and those of a form. */
function parametersIn({ raw, body, method }: FastifyRequest): Parameters {
  if (method !== 'POST') return addressParameters(raw.url ?? '');
  return parametersOf(Buffer.isBuffer(body) ? body.toString('latin1') : '');
}

const MESSAGE = /^Messages\/(SM[0-9a-f]{32})(\.json)?$/;
const MESSAGES = /^Messages(\.json)?$/;

async function answer(call: TwilioCall): Promise<{ status: number; said: unknown }> {
  const { method } = call.request;
  if (MESSAGES.test(call.rest)) {
    if (method === 'POST') return { status: 201, said: await create(call) };
    if (method === 'GET') return { status: 200, said: await list(call) };
    throw new BusinessError('method_not_allowed');
  }
  const sid = MESSAGE.exec(call.rest)?.[1];
  if (sid === undefined) throw await unknownPath(call);
  if (method !== 'GET') throw new BusinessError('method_not_allowed');
  return { status: 200, said: await fetchOne(call, sid) };
}

/** A path that is not offered tells nothing to callers without a key. */
async function unknownPath(call: TwilioCall): Promise<BusinessError> {
  await opened(call, 'messages:read');
  return new BusinessError('not_found');
}

/** Returns the holder of the key of the account that the path names. */
async function opened({ api, request, account }: TwilioCall, scope: ApiScope) {
  const holder = await provenHolder(api, request, { scope }, ACCOUNT);
  if (!holder.doors.has('twilio')) throw new BusinessError('forbidden');
  if (account !== accountSid(holder.key_id)) throw new BusinessError('not_found');
  return holder;
}

async function create(call: TwilioCall) {
  const holder = await opened(call, 'messages:send');
  const { intake, app } = call.api;
  const program = programOf(holder);
  const submission = submissionOf(call.parameters, program.api_key_id);
  const result = await intake.accept(program, submission);
  return messageResource(holder.key_id, {
    id: String(result.id),
    from: submission.from,
    to: result.msisdn,
    text: submission.text,
    state: result.not_before === null ? 'pending' : 'scheduled',
    error_code: null,
    parts: result.parts,
    price: '0.000',
    currency: result.currency,
    send_at: result.not_before,
    created_at: app.clock.now().toISOString(),
    done_at: null,
  });
}

async function fetchOne(call: TwilioCall, sid: string) {
  const holder = await opened(call, 'messages:read');
  const id = idOfSid('SM', sid);
  if (id === undefined) throw new BusinessError('not_found');
  const message = await readAs(call.api, call.request, holder, (ctx) => messageOf(ctx, String(id)));
  return messageResource(holder.key_id, shownTo(holder.caller, getMessage.reply, message));
}

async function list(call: TwilioCall) {
  const holder = await opened(call, 'messages:read');
  const wanted = pageOf(call.parameters);
  const { limit, page } = wanted;
  const found = await readAs(call.api, call.request, holder, (ctx) =>
    newestMessages(ctx, { ...wanted, limit: limit + 1 }),
  );
  const data = found.slice(0, limit);
  const shown = shownTo(holder.caller, listMessages.reply, { data, next_cursor: null, has_more: false });
  const last = found.length > limit ? data.at(-1) : undefined;
  const uri = (changes: Record<string, string | null>) => addressOf(call, { PageSize: String(limit), ...changes });
  return {
    messages: shown.data.map((message) => messageResource(holder.key_id, message)),
    page,
    page_size: limit,
    start: page * limit,
    end: page * limit + Math.max(0, data.length - 1),
    uri: uri({}),
    first_page_uri: uri({ Page: '0', PageToken: null }),
    previous_page_uri: null,
    next_page_uri: last ? uri({ Page: String(page + 1), PageToken: messageSid(last.id) }) : null,
  };
}

/** Returns the address of another page of a list, with the same filters. */
function addressOf({ account, parameters }: TwilioCall, changes: Record<string, string | null>): string {
  const query = new URLSearchParams([...parameters].map(([name, value]) => [name, value.toString()]));
  for (const [name, value] of Object.entries(changes))
    if (value === null) query.delete(name);
    else query.set(name, value);
  return `/${TWILIO_VERSION}/Accounts/${account}/Messages.json?${query}`;
}

function faultIn(error: unknown, request: FastifyRequest): TwilioFault {
  if (error instanceof TwilioRefused) return { code: error.code, message: error.message, status: error.status };
  if (error instanceof Refused) return { code: 20_001, message: error.message, status: error.status };
  if (error instanceof BusinessError) return faultOf(error);
  request.log.error({ err: error }, 'twilio request failed');
  return OUR_FAULT;
}
