import { VONAGE_PATH } from '@heliograph/contract/api/doors';
import { ERRORS } from '@heliograph/contract/kernel/errors';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { FastifyRequest } from 'fastify';
import { type PublicApi, programOf, provenHolder } from '#modules/api';
import { BusinessError } from '#platform/errors';
import { DENIALS, proveByName, sentenceOf } from './door-answers.ts';
import { basicOf, keepOctets, type Parameters, Refused, textOf } from './door-request.ts';
import { submissionOf, VONAGE, VonageRefused, vonageParameters } from './vonage-request.ts';

const MAX_BODY = 64 * 1024;

/**
 * Mounts Vonage's `/sms/json` for keys that open it: `api_key` is the beginning of a key, `api_secret` the key. It answers
 * with Vonage's numbers, and by the rules of `/v1/messages`.
 */
export function mountVonage(api: PublicApi): void {
  void api.app.server.register(async (server) => {
    keepOctets(server, MAX_BODY);
    server.route({
      url: VONAGE_PATH,
      method: ['GET', 'POST'],
      config: { unlimited: true, fromOtherSites: true },
      compress: false,
      handler: async (request, reply) => {
        let parameters: Parameters = new Map();
        let message: object;
        try {
          const { raw, body, headers } = request;
          const sent = Buffer.isBuffer(body) ? body : undefined;
          parameters = vonageParameters(raw.url ?? '', sent, headers['content-type'] ?? '');
          message = await send(api, request, parameters);
        } catch (error) {
          message = { to: textOf(parameters, 'to'), ...refusalOf(error, request) };
        }
        const said = { 'message-count': '1', messages: [message] };
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(said));
      },
    });
  });
}

/** Name and key of a basic proof, else those among the parameters. */
const credentialsOf = (request: FastifyRequest, parameters: Parameters): { name: string; key: string } =>
  basicOf(request) ?? { name: textOf(parameters, 'api_key'), key: textOf(parameters, 'api_secret') };

async function send(api: PublicApi, request: FastifyRequest, parameters: Parameters): Promise<object> {
  const credentials = credentialsOf(request, parameters);
  proveByName(api.app.server, request, credentials);
  const holder = await provenHolder(api, request, { scope: 'messages:send' });
  if (!holder.doors.has('vonage')) throw new BusinessError('forbidden');
  const program = programOf(holder);
  const submission = submissionOf(parameters, credentials.name);
  const result = await api.intake.accept(program, submission);
  return {
    to: result.msisdn,
    'message-id': String(result.id),
    status: String(VONAGE.done),
    'message-price': fromThousandths(result.price),
    ...(submission.client_ref && { 'client-ref': submission.client_ref }),
  };
}

const NUMBERS: Readonly<Record<string, number>> = {
  too_many_requests: VONAGE.throttled,
  insufficient_credit: VONAGE.unpaid,
  billing_account_missing: VONAGE.suspended,
  billing_account_suspended: VONAGE.suspended,
  billing_account_held: VONAGE.suspended,
  program_disabled: VONAGE.suspended,
  text_too_long: VONAGE.tooLong,
  no_route: VONAGE.unroutable,
  destination_unavailable: VONAGE.unroutable,
};
/** Reasons for which a person gets no message. */
const BARRED: ReadonlySet<string> = new Set(['opted_out', 'no_consent', 'number_blacklisted']);

function numberOf(error: BusinessError): number {
  const { code, fields = {} } = error;
  if (DENIALS.has(code)) return VONAGE.credentials;
  if (fields['to']?.some(({ key }) => BARRED.has(key))) return VONAGE.barred;
  if (NUMBERS[code] !== undefined) return NUMBERS[code];
  if (fields['from']) return VONAGE.sender;
  return ERRORS[code].status >= 500 || error.retryAfter !== undefined ? VONAGE.internal : VONAGE.invalid;
}

/** Answers an error with Vonage's number and a sentence. */
function refusalOf(error: unknown, request: FastifyRequest): { status: string; 'error-text': string } {
  if (error instanceof VonageRefused) return { status: String(error.status), 'error-text': error.message };
  if (error instanceof Refused) return { status: String(VONAGE.invalid), 'error-text': error.message };
  if (error instanceof BusinessError) {
    const status = numberOf(error);
    return {
      status: String(status),
      'error-text': status === VONAGE.credentials ? 'Bad Credentials' : sentenceOf(error),
    };
  }
  request.log.error({ err: error }, 'vonage request failed');
  return { status: String(VONAGE.internal), 'error-text': 'Internal Error' };
}
