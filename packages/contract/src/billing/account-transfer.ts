import { z } from 'zod';
import { idText, instant, label, money, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

const row = z.object({
  id: z.int(),
  created_at: instant,
  from_account_id: z.int(),
  /** Names of the paying side; null if it is the account of the caller's provider. */
  from_account_name: z.string().nullable(),
  from_corporation_name: z.string().nullable(),
  to_account_id: z.int(),
  to_account_name: z.string().nullable(),
  to_corporation_name: z.string().nullable(),
  amount: money(),
  currency: z.string(),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  user_name: z.string().nullable(),
  reversed_at: instant.nullable(),
  reversed_by_name: z.string().nullable(),
  reverse_note: z.string().nullable(),
  /** True if the caller may reverse it: it is not reversed, and its paying account is theirs or a customer's. */
  reversible: z.boolean(),
});

/** Lists the transfers from or to accounts that the caller sees, newest first. */
export const accountTransfers = listing({
  path: '/api/v1/account-transfers',
  permission: 'account-transfers-index',
  row,
  filters: z.object({
    /** Account on either side. */
    billing_account_id: z.coerce.number().int().optional(),
    reversed: z.stringbool().optional(),
  }),
});

/**
 * Moves credit between two accounts of one corporation, or from a reseller's account to one of its customers'. Both
 * accounts change in one transaction. A repeated `reference` of the paying account moves money once.
 */
export const makeAccountTransfer = operation({
  method: 'POST',
  path: '/api/v1/account-transfers',
  permission: 'account-transfers-create',
  proof: 'sometimes',
  body: z.object({
    from_account_id: reference('billing-accounts'),
    to_account_id: reference('billing-accounts'),
    amount: money({ digits: 10 }),
    reference: label(100).optional(),
    note: label(200).optional(),
  }),
  reply: oneReply(row),
  errors: ['transfer_insufficient', 'transfer_suspended', 'transfer_reference_used'],
  status: 201,
});

/** Takes the whole amount of a transfer back. The account that received it must still have the credit. */
export const reverseAccountTransfer = operation({
  method: 'POST',
  path: '/api/v1/account-transfers/:id/reverse',
  permission: 'account-transfers-reverse',
  params: z.object({ id: idText }),
  body: z.object({ note: label(200) }),
  reply: oneReply(row),
  errors: ['not_found', 'transfer_insufficient', 'transfer_suspended', 'transfer_reversed'],
});
