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
  .describe('What stands in the place of `{name}` and `{param1}` to `{param9}` in the text.');

const accepted = {
  id: idString,
  total: z.int(),
  accepted: z.int(),
  parts: z.int(),
  price: z.string().describe('The sum of what is reserved, as a decimal string.'),
  currency: z.string(),
  client_ref: z.string().nullable(),
  tags: z.array(z.string()),
  rejected: z.array(refusedRecipient).describe('Those that were not accepted; they cost nothing.'),
};

export const sendBatch = publicOperation({
  name: 'sendBatch',
  method: 'POST',
  path: '/v1/batches',
  scope: 'messages:send',
  tag: 'Batches',
  summary: 'Send to many recipients',
  description:
    'Up to 10,000 recipients with one text and values of their own, or with texts of their own. Those that may not be sent to are refused by themselves; all others are accepted together or not at all. Where none is accepted the call answers 422 and leaves nothing.',
  body: z.strictObject({
    text: textField
      .min(1)
      .optional()
      .describe('For every recipient without one of its own; it may hold `{name}` and `{param1}` to `{param9}`.'),
    recipients: z
      .array(
        z.strictObject({
          to: recipient,
          text: textField.min(1).optional().describe('In the place of the common one, and sent as it is.'),
          params: params.optional(),
          client_ref: clientRef.optional(),
        }),
      )
      .min(1)
      .max(MAX_RECIPIENTS),
    ...sendingFields,
    client_ref: clientRef.optional().describe('Your own name for the batch.'),
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
  summary: 'Get a batch, and how many of its messages are in which state',
  description: 'Its messages are at `GET /v1/messages?batch_id=`.',
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
  summary: 'Call off what of a batch has not left',
  description:
    'All of it before its `send_at`, else the messages that still wait for their turn; the others go their way. What was reserved for those called off is given back.',
  params: idParam,
  reply: batchNow,
  errors: ['not_found', 'batch_has_left'],
});
