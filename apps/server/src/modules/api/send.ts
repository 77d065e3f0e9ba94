import { createHash } from 'node:crypto';
import { MAX_RECIPIENTS, sendBatch } from '@heliograph/contract/api/batch';
import { estimateMessage, sendMessage } from '@heliograph/contract/api/message';
import { type CompiledText, compileText, renderText } from '@heliograph/contract/kernel/merge-fields';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { IDEMPOTENCY_KEY, type PublicOperation } from '@heliograph/contract/kernel/public-operation';
import { findUnstorable } from '@heliograph/contract/kernel/storable';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Accepted, type Estimated, problemOf, type Result, type Submission, type Unit } from '#modules/intake';
import { BusinessError, type FieldFaults, fieldError } from '#platform/errors';
import {
  answerAccepted,
  mountPublicOperation,
  type PublicApi,
  type PublicCall,
  programOf,
  tellThroughput,
} from './mount-public.ts';

/**
 * Answers the idempotency key of a request and the hash of its body, if it has a key. The hash covers the parsed body,
 * so that spaces and the order of members make no difference.
 */
export function idempotencyOf(
  request: FastifyRequest,
  { name }: Pick<PublicOperation, 'name'>,
  body: unknown,
): Pick<Unit, 'idempotency'> {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return {};
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw fieldError('Idempotency-Key', 'idempotency_key');
  return {
    idempotency: {
      key,
      hash: createHash('sha256')
        .update(`${name} ${JSON.stringify(body)}`)
        .digest(),
    },
  };
}

const KILOBYTE = 1_024;
/** Maximum bytes of a recipient with a text of several parts and a reference. */
const BYTES_A_RECIPIENT = 800;
/** Maximum reasons that an answer names if no message was accepted. */
const MOST_REASONS = 100;

type Sending = Pick<
  z.output<NonNullable<(typeof sendMessage)['body']>>,
  | 'from'
  | 'encoding'
  | 'flash'
  | 'class'
  | 'send_at'
  | 'validity'
  | 'callback_url'
  | 'tags'
  | 'parameters'
  | 'skip_dead'
>;

/** Answers the fields of a request that apply to all its messages. */
const shared = ({ from, encoding, flash, class: of, send_at, validity, callback_url, ...rest }: Sending) => ({
  from,
  encoding,
  flash,
  class: of,
  send_at: send_at ?? null,
  validity_minutes: validity ?? null,
  callback_url: callback_url ?? null,
  tags: rest.tags,
  parameters: rest.parameters,
  skip_dead: rest.skip_dead ?? false,
  tells: true,
});

const acceptedOf = (results: readonly Result[]): Accepted[] =>
  results.filter((result): result is Accepted => !(result instanceof BusinessError));
const rejectedOf = (results: readonly Result[], to: (index: number) => string) =>
  results.flatMap((result, index) =>
    result instanceof BusinessError ? [{ index, to: to(index), ...problemOf(result) }] : [],
  );
const sum = (accepted: readonly Accepted[], of: (each: Accepted) => number) =>
  accepted.reduce((all, each) => all + of(each), 0);

/** Mounts the calls that accept messages, and those that tell their price before. */
export function sendRoutes(api: PublicApi): void {
  mountPublicOperation(api, sendMessage, (call) => sendOne(api, call), { brief: true });
  mountPublicOperation(api, sendBatch, (call) => sendMany(api, call), {
    bodyLimit: MAX_RECIPIENTS * BYTES_A_RECIPIENT,
    judgedLater: 'recipients',
  });
  mountPublicOperation(api, estimateMessage, (call) => estimate(api, call), { bodyLimit: 128 * KILOBYTE });
}

async function sendOne({ intake }: PublicApi, { holder, body, request, reply }: PublicCall<typeof sendMessage>) {
  const program = programOf(holder);
  const idempotency = idempotencyOf(request, sendMessage, body);
  tellThroughput(reply, await intake.allow(program, 1));
  const { to, text, client_ref = null, unique_ref } = body;
  const outcome = await intake.submit({
    program,
    submissions: [{ to, text, client_ref, unique_ref, ...shared(body) }],
    ...idempotency,
    answer({ results: [result] }) {
      if (!result || result instanceof BusinessError) return null;
      const message: z.output<(typeof sendMessage)['reply']> = {
        id: String(result.id),
        to: result.msisdn,
        state: result.not_before === null ? 'pending' : 'scheduled',
        parts: result.parts,
        price: fromThousandths(result.price),
        currency: result.currency,
        client_ref,
        send_at: result.not_before,
        expires_at: result.expires_at,
        test: program.is_test,
      };
      return { status: 202, body: JSON.stringify(message) };
    },
  });
  const [result] = outcome.results;
  const answer = answerAccepted(reply, sendMessage, outcome, result && 'id' in result ? result.id : null);
  if (answer) return answer;
  throw result;
}

type Recipient = z.output<NonNullable<(typeof sendBatch)['body']>>['recipients'][number];

async function sendMany({ intake }: PublicApi, { holder, body, request, reply }: PublicCall<typeof sendBatch>) {
  const program = programOf(holder);
  const { recipients, client_ref = null, unique_ref, tags } = body;
  const compiled = body.text === undefined ? null : compileText(body.text);
  if (compiled && compiled.unknown.length > 0)
    throw new BusinessError('validation_failed', { fields: { text: [{ key: 'unknown_placeholder' }] } });
  const idempotency = idempotencyOf(request, sendBatch, body);
  tellThroughput(reply, await intake.allow(program, recipients.length));
  const toAll = shared(body);
  const submissions = recipients.map((each): Submission => {
    const own = { to: each.to, client_ref: each.client_ref ?? null, unique_ref, ...toAll };
    return { ...own, ...textOf(each, compiled) };
  });
  const toOf = (index: number) => recipients[index]!.to;
  const outcome = await intake.submit({
    program,
    submissions,
    batch: { client_ref, tags },
    ...idempotency,
    answer({ results, batch_id }) {
      const accepted = acceptedOf(results);
      if (accepted.length === 0) return null;
      const batch: z.output<(typeof sendBatch)['reply']> = {
        id: String(batch_id),
        total: results.length,
        accepted: accepted.length,
        parts: sum(accepted, (each) => each.parts),
        price: fromThousandths(sum(accepted, (each) => each.price)),
        currency: accepted[0]!.currency,
        client_ref,
        tags,
        rejected: rejectedOf(results, toOf),
        test: program.is_test,
      };
      return { status: 202, body: JSON.stringify(batch) };
    },
  });
  const answer = answerAccepted(reply, sendBatch, outcome, outcome.batch_id);
  if (answer) return answer;
  throw nothingAccepted(outcome.results);
}

/** Answers the text of one recipient, or the reason why there is none. */
function textOf(recipient: Recipient, common: CompiledText | null): Pick<Submission, 'text' | 'refused'> {
  const { text, params } = recipient;
  const unstorable = findUnstorable(recipient);
  if (unstorable !== undefined) return { text: '', refused: fieldError(unstorable, 'unstorable') };
  if (text !== undefined) return { text };
  if (!common) return { text: '', refused: fieldError('text', 'required') };
  const rendered = renderText(common, params ?? {});
  const [missing] = rendered.missing;
  return {
    text: rendered.text,
    ...(missing !== undefined && { refused: fieldError(`params.${missing}`, 'required') }),
  };
}

/** Makes one error for all if all are refused for the same reason; else the reasons of the first ones. */
function nothingAccepted(results: readonly Result[]): BusinessError {
  const errors = results.filter((result) => result instanceof BusinessError);
  const [first] = errors;
  if (first && !first.fields && errors.every(({ code }) => code === first.code)) return first;
  const fields: FieldFaults = {};
  for (const [index, error] of errors.slice(0, MOST_REASONS).entries())
    for (const [field, faults] of Object.entries(error.fields ?? {})) fields[`recipients.${index}.${field}`] = faults;
  return new BusinessError('nothing_accepted', { fields });
}

async function estimate({ intake }: PublicApi, { holder, body }: PublicCall<typeof estimateMessage>) {
  const program = programOf(holder);
  const { to, text, ...sending } = body;
  const submissions = to.map((each) => ({ to: each, text, ...shared({ tags: [], parameters: {}, ...sending }) }));
  const { results, currency } = await intake.estimate(program, submissions);
  const accepted = results.filter((result): result is Estimated => !(result instanceof BusinessError));
  const [first] = accepted;
  return {
    text: first?.text ?? null,
    encoding: first ? (first.unicode ? ('ucs2' as const) : ('gsm' as const)) : null,
    messages: accepted.length,
    parts: accepted.reduce((all, each) => all + each.parts, 0),
    price: fromThousandths(accepted.reduce((all, each) => all + each.price, 0)),
    currency,
    recipients: results.flatMap((result, index) =>
      result instanceof BusinessError
        ? []
        : [{ index, to: result.msisdn, parts: result.parts, price: fromThousandths(result.price) }],
    ),
    rejected: results.flatMap((result, index) =>
      result instanceof BusinessError ? [{ index, to: to[index]!, ...problemOf(result) }] : [],
    ),
  };
}
