import { z } from 'zod';
import { instant, url } from '../kernel/fields.ts';
import { cursorReply } from '../kernel/listing.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { MESSAGE_CLASSES, MESSAGE_STATES } from '../kernel/states.ts';
import { parameterValues } from '../links/vendor-parameters.ts';

/** An id on the wire. It is a string because some languages cannot hold numbers up to 2^53. */
export const idString = z
  .string()
  .regex(/^\d{1,16}$/, { error: 'invalid' })
  .describe('Id, as a decimal string.');

/** The id of a record in a path. */
export const idParam = z.object({ id: idString });

/** Returns the schema of a text of one line. */
export const oneLine = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'control_characters' });

/** Fields that a message and a batch share. */
export const sendingFields = {
  from: oneLine(15).describe('One of your sender IDs, as phones show it: 1 to 11 characters, or a number.'),
  encoding: z
    .enum(['auto', 'gsm', 'ucs2'])
    .default('auto')
    .describe(
      '`gsm` refuses a text that needs Unicode, which allows fewer characters per part. The other values send any text.',
    ),
  flash: z
    .boolean()
    .default(false)
    .describe('Shown immediately and not kept by the phone. Your account must allow it.'),
  class: z
    .enum(MESSAGE_CLASSES)
    .default('transactional')
    .describe('`otp` (sign-in codes) is sent first, `bulk` last. Nothing is added to the text of an `otp` message.'),
  send_at: instant
    .optional()
    .describe('Earliest time to send, at most 7 days ahead, by RFC 3339. Without it: immediately.'),
  validity: z
    .int()
    .min(1)
    .max(10_080)
    .optional()
    .describe(
      'Minutes after which the message is not delivered any more. The maximum of your account is also the default.',
    ),
  callback_url: url
    .optional()
    .describe(
      'Address that receives the outcome of each message, besides your endpoints. The callback is signed in the same way.',
    ),
  parameters: parameterValues
    .default({})
    .describe(
      'Values of parameters that carriers ask for, by the names that the operator gave them, such as `dlt_template_id`. Your account must allow it.',
    ),
  // Without a default: the answers that are kept for idempotency keys go by the body as it was parsed.
  skip_dead: z
    .boolean()
    .optional()
    .describe(
      'True refuses a number that the operator’s lookup says nobody has, so that it costs nothing. An unknown number is sent: no message waits for a lookup.',
    ),
  tags: z.array(oneLine(50)).max(10).default([]).describe('Your own labels, returned in answers and callbacks.'),
} as const;

export const textField = z
  .string()
  .max(5_000)
  .describe('At most 10 parts: 160 GSM characters or 70 others in one part, 153 or 67 in each of several.');

export const clientRef = oneLine(64).describe('Your own reference, returned in answers and callbacks.');
export const uniqueRef = z
  .boolean()
  .default(false)
  .describe('If true, a `client_ref` that another message of this key has is refused.');

export const recipient = z
  .string()
  .min(1)
  .max(40)
  .describe('Phone number in international format. Spaces, dashes and a leading + or 00 are allowed.');

const sendBody = z.strictObject({
  to: recipient,
  text: textField.min(1),
  ...sendingFields,
  client_ref: clientRef.optional(),
  unique_ref: uniqueRef,
});

const price = z.string().describe('Amount with three decimals, as a decimal string.');

/** Answer for an accepted message. */
export const acceptedMessage = z.object({
  id: idString,
  to: personNumber(
    z
      .string()
      .describe(
        'Only digits. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
      ),
  ),
  state: z.enum(['pending', 'scheduled']),
  parts: z.int(),
  price: price.describe('Reserved amount. Your account decides when it is charged.'),
  currency: z.string(),
  client_ref: z.string().nullable(),
  send_at: instant.nullable(),
  expires_at: instant,
  test: z.boolean().describe('Sent with a test key: it goes to a test link and costs nothing.'),
});

/** States of a message for programs: those of the console, and `scheduled` before its time. */
export const API_MESSAGE_STATES = [...MESSAGE_STATES, 'scheduled'] as const;

export const apiMessage = z.object({
  id: idString,
  from: z.string(),
  to: personNumber(
    z
      .string()
      .describe(
        'Number of the recipient. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
      ),
  ),
  text: personText(z.string())
    .nullable()
    .describe('Text as it was sent. Null if the owner of the key may not see texts.'),
  state: z.enum(API_MESSAGE_STATES),
  error_code: z
    .string()
    .nullable()
    .describe('Error code of the carrier, or `moderation` if the platform rejected the message.'),
  class: z.enum(MESSAGE_CLASSES),
  encoding: z.enum(['gsm', 'ucs2']),
  flash: z.boolean(),
  parts: z.int(),
  price,
  currency: z.string(),
  client_ref: z.string().nullable(),
  tags: z.array(z.string()),
  callback_url: z.string().nullable(),
  batch_id: idString.nullable(),
  send_at: instant.nullable(),
  expires_at: instant.nullable(),
  created_at: instant,
  done_at: instant.nullable().describe('Time of the final state.'),
  test: z.boolean(),
});

const SEND_ERRORS = [
  'sender_not_allowed',
  'template_required',
  'flash_not_allowed',
  'text_too_long',
  'insufficient_credit',
  'billing_account_suspended',
  'billing_account_held',
  'billing_account_missing',
  'reseller_account_unavailable',
  'price_plan_not_in_force',
  'no_route',
  'destination_unavailable',
  'sender_not_registered',
  'program_disabled',
] as const;
export const sendErrors = [
  ...SEND_ERRORS,
  'client_ref_taken',
  'sandbox_full',
  'idempotency_key_reused',
  'idempotency_in_flight',
] as const;

export const sendMessage = publicOperation({
  name: 'sendMessage',
  method: 'POST',
  path: '/v1/messages',
  scope: 'messages:send',
  tag: 'Messages',
  summary: 'Send a message',
  description:
    'The answer confirms that the message is stored and its cost is reserved. Follow its state with callbacks, `GET /v1/events` or `GET /v1/messages/{id}`.',
  body: sendBody,
  reply: acceptedMessage,
  status: 202,
  idempotent: true,
  errors: sendErrors,
  example: { from: 'ACME', to: '+63 917 000 0001', text: 'Your code is 123456', class: 'otp', client_ref: 'login-42' },
});

export const getMessage = publicOperation({
  name: 'getMessage',
  method: 'GET',
  path: '/v1/messages/:id',
  scope: 'messages:read',
  tag: 'Messages',
  summary: 'Get a message',
  description: 'With its present state.',
  params: idParam,
  reply: apiMessage,
  errors: ['not_found'],
});

export const listMessages = publicOperation({
  name: 'listMessages',
  method: 'GET',
  path: '/v1/messages',
  scope: 'messages:read',
  tag: 'Messages',
  summary: 'Find messages by your own reference or by batch',
  description:
    'By `client_ref` the newest comes first; by `batch_id` they come in the order of the batch. One of the two is required.',
  query: z.object({
    client_ref: clientRef.optional(),
    batch_id: idString.optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the previous page.'),
  }),
  reply: cursorReply(apiMessage),
  errors: ['cursor_invalid'],
});

export const cancelMessage = publicOperation({
  name: 'cancelMessage',
  method: 'DELETE',
  path: '/v1/messages/:id',
  scope: 'messages:send',
  tag: 'Messages',
  summary: 'Cancel a scheduled message',
  description: 'Only a message with a future `send_at` that belongs to no batch. Its reserved amount is released.',
  params: idParam,
  reply: apiMessage,
  errors: ['not_found', 'message_has_left'],
});

/** Reason of a refusal, with the field that it is about. */
export const shortProblem = z.object({
  code: z.string(),
  field: z.string().nullable(),
  detail: personText(z.string()),
});
/** Refusal of one of several recipients, with its reason. */
export const refusedRecipient = shortProblem.extend({
  index: z.int().describe('Position in the request, from 0.'),
  to: personNumber(z.string()),
});

export const estimateMessage = publicOperation({
  name: 'estimateMessage',
  method: 'POST',
  path: '/v1/messages/estimate',
  scope: 'messages:send',
  tag: 'Messages',
  summary: 'Get the parts and the price of a message without sending it',
  description: 'By the same rules as sending, for up to 1,000 recipients of one text.',
  body: z.strictObject({
    to: z.array(recipient).min(1).max(1_000),
    text: textField.min(1),
    from: sendingFields.from,
    encoding: sendingFields.encoding,
    flash: sendingFields.flash,
    class: sendingFields.class,
    skip_dead: sendingFields.skip_dead,
  }),
  reply: z.object({
    text: z
      .string()
      .nullable()
      .describe('Text with the signature and the opt-out notice. Null if all recipients are refused.'),
    encoding: z.enum(['gsm', 'ucs2']).nullable(),
    messages: z.int().describe('Number of messages that would be accepted.'),
    parts: z.int(),
    price,
    currency: z.string(),
    recipients: z.array(z.object({ index: z.int(), to: personNumber(z.string()), parts: z.int(), price })),
    rejected: z.array(refusedRecipient),
  }),
  errors: ['billing_account_missing', 'price_plan_not_in_force', 'reseller_account_unavailable', 'program_disabled'],
  example: { from: 'ACME', to: ['639170000001', '639170000002'], text: 'Hello' },
});
