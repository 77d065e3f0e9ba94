import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import {
  API_MESSAGE_STATES,
  clientRef,
  idParam,
  idString,
  recipient,
  refusedRecipient,
  sendErrors,
  sendingFields,
  textField,
  uniqueRef,
} from './message.ts';

/** Maximum recipients of one batch. */
export const MAX_RECIPIENTS = 10_000;

const params = z
  .strictObject(Object.fromEntries(MERGE_FIELDS.map((field) => [field, z.string().max(500).optional()])))
  .describe('Values for `{name}` and `{param1}` to `{param9}` in the text.');

const accepted = {
  id: idString,
  total: z.int(),
  accepted: z.int(),
  parts: z.int(),
  price: z.string().describe('Sum of the reserved amounts, as a decimal string.'),
  currency: z.string(),
  client_ref: z.string().nullable(),
  tags: z.array(z.string()),
  rejected: z.array(refusedRecipient).describe('Recipients that were not accepted. They cost nothing.'),
};

export const sendBatch = publicOperation({
  name: 'sendBatch',
  method: 'POST',
  path: '/v1/batches',
  scope: 'messages:send',
  tag: 'Batches',
  summary: 'Send to many recipients',
  description:
    'Up to 10,000 recipients with one common text and their own values, or with their own texts. Recipients that may not get messages are rejected one by one. All others are accepted together or not at all. If none is accepted, the answer is 422 and nothing is stored.',
  body: z.strictObject({
    text: textField
      .min(1)
      .optional()
      .describe('Text for every recipient without its own text. It may contain `{name}` and `{param1}` to `{param9}`.'),
    recipients: z
      .array(
        z.strictObject({
          to: recipient,
          text: textField
            .min(1)
            .optional()
            .describe('Text for this recipient instead of the common one. It is sent unchanged.'),
          params: params.optional(),
          client_ref: clientRef.optional(),
        }),
      )
      .min(1)
      .max(MAX_RECIPIENTS),
    ...sendingFields,
    client_ref: clientRef.optional().describe('Your own reference for the batch.'),
    unique_ref: uniqueRef,
  }),
  reply: z.object({ ...accepted, test: z.boolean() }),
  status: 202,
  idempotent: true,
  errors: [...sendErrors, 'nothing_accepted'],
  example: {
    from: 'ACME',
    text: 'Hello {name}, your parcel arrives {param1}.',
    recipients: [
      { to: '639170000001', params: { name: 'Ana', param1: 'today' } },
      { to: '639170000002', text: 'Hello, your parcel is late.' },
    ],
  },
});

/** A batch in its present state. */
const batchNow = z.object({
  ...accepted,
  states: z.partialRecord(z.enum(API_MESSAGE_STATES), z.int()),
  created_at: instant,
});

export const getBatch = publicOperation({
  name: 'getBatch',
  method: 'GET',
  path: '/v1/batches/:id',
  scope: 'messages:read',
  tag: 'Batches',
  summary: 'Get a batch with the number of its messages by state',
  description: 'Read its messages with `GET /v1/messages?batch_id=`.',
  params: idParam,
  reply: batchNow,
  errors: ['not_found'],
});

export const cancelBatch = publicOperation({
  name: 'cancelBatch',
  method: 'DELETE',
  path: '/v1/batches/:id',
  scope: 'messages:send',
  tag: 'Batches',
  summary: 'Cancel the messages of a batch that were not sent yet',
  description:
    'Before its `send_at` the whole batch is cancelled, later only the messages that still wait. Messages that were already sent continue. The reserved amount of cancelled messages is released.',
  params: idParam,
  reply: batchNow,
  errors: ['not_found', 'batch_has_left'],
});
