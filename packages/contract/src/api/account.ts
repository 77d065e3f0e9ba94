import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString } from './message.ts';

const amount = z.string().describe('Decimal string with three decimals.');

export const getBalance = publicOperation({
  name: 'getBalance',
  method: 'GET',
  path: '/v1/balance',
  scope: 'balance:read',
  tag: 'Account',
  summary: 'Get the credit of the billing account that your messages are charged to',
  description: 'A test key gets amounts of zero: its messages cost nothing.',
  reply: z.object({
    billing_account: z.string(),
    credit: amount,
    reserved: amount.describe('Amount set aside for messages without a final state.'),
    credit_limit: amount.describe('Amount by which the credit may go below zero.'),
    available: amount.describe('Amount that can be spent now.'),
    currency: z.string(),
    suspended: z.boolean(),
  }),
  errors: ['billing_account_missing'],
});

export const listInbound = publicOperation({
  name: 'listInbound',
  method: 'GET',
  path: '/v1/inbound',
  scope: 'inbound:read',
  tag: 'Inbound',
  summary: 'Read messages from phones',
  description:
    'In the order of arrival. Store the last `next_cursor` and continue from it later. A test key reads the messages that arrived over test links, and the answers of virtual handsets.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the previous page.'),
  }),
  reply: z.object({
    data: z.array(
      z.object({
        id: idString,
        from: personNumber(
          z
            .string()
            .describe(
              'Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
            ),
        ),
        to: z.string().describe('Short code, number or sender ID that the phone sent to.'),
        text: personText(z.string()),
        keyword: z.string().nullable(),
        binary: z.boolean().describe('The text is hexadecimal.'),
        parameters: personText(
          z
            .record(z.string(), z.string())
            .describe('Parameters that the carrier added, by name, or by tag such as `0x1401` and in hexadecimal.'),
        ),
        received_at: instant,
      }),
    ),
    next_cursor: z.string(),
    has_more: z.boolean(),
  }),
  errors: ['cursor_invalid'],
});
