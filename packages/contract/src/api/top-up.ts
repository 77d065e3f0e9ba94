import { z } from 'zod';
import { day, idText, instant } from '../kernel/fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { TOP_UP_STATES } from '../top-ups/top-up.ts';
import { idString } from './message.ts';

const amount = z.string().describe('Decimal string with three decimals.');

const topUp = z.object({
  id: idString,
  state: z
    .enum(TOP_UP_STATES)
    .describe('The account has the credit from `paid` on; refunds and chargebacks take it back.'),
  billing_account_id: idString,
  amount: amount.describe('Credit that the account gets.'),
  fee: amount.describe('Fee on top of it.'),
  total: amount.describe('Amount that is paid: the credit and the fee.'),
  currency: z.string(),
  method: z.string().describe('Name of the payment method.'),
  automatic: z.boolean().describe('A kept card was charged, because the account could spend less than a threshold.'),
  reference: z.string().describe('Our reference at the provider and on bank statements.'),
  client_reference: z.string().nullable(),
  returned: amount.describe('Money that went back to you.'),
  taken_back: amount.describe('Credit that the account lost with it.'),
  created_at: instant,
  paid_at: instant.nullable(),
});

const returned = z.object({
  kind: z.enum(['refund', 'chargeback']),
  state: z.enum(['asked', 'pending', 'done', 'failed', 'open', 'lost', 'won', 'reversed']),
  amount,
  reason: z.string().nullable(),
  created_at: instant,
});

export const listPaidTopUps = publicOperation({
  name: 'listTopUps',
  method: 'GET',
  path: '/v1/top-ups',
  scope: 'top-ups:read',
  tag: 'Account',
  summary: 'List the top-ups of your accounts',
  description: 'Newest first. A test key gets an empty list.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the previous page.'),
    state: z.enum(TOP_UP_STATES).optional(),
    billing_account_id: idText.optional(),
    from: day.optional().describe('First day on which they began.'),
    to: day.optional().describe('Last day on which they began.'),
  }),
  reply: z.object({ data: z.array(topUp), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getPaidTopUp = publicOperation({
  name: 'getTopUp',
  method: 'GET',
  path: '/v1/top-ups/:id',
  scope: 'top-ups:read',
  tag: 'Account',
  summary: 'Get a top-up with its refunds and chargebacks',
  description: 'Its id is that of the event `payment.received`.',
  params: z.object({ id: idText }),
  reply: topUp.extend({ returns: z.array(returned) }),
  errors: ['not_found'],
});
