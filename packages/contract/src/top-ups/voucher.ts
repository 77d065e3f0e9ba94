import { z } from 'zod';
import { day, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Maximum vouchers of a batch. */
export const MOST_VOUCHERS = 5_000;

const row = z.object({
  id: z.int(),
  created_at: instant,
  /** Reseller whose customers redeem them; null for the platform's. */
  corporation_name: z.string().nullable(),
  name: z.string(),
  amount: money(),
  currency: z.string(),
  count: z.int(),
  redeemed: z.int(),
  /** Last day (UTC); null if they do not expire. */
  expires_on: day.nullable(),
  voided_at: instant.nullable(),
  user_name: z.string().nullable(),
  /** True if the caller may void it: it is theirs and not void. */
  voidable: z.boolean(),
});

/** Lists the batches of vouchers of the caller, newest first. */
export const vouchers = listing({
  path: '/api/v1/vouchers',
  permission: 'vouchers-index',
  row,
  filters: z.object({}),
});

/** Makes a batch of vouchers. Their codes are in this answer only: the platform stores digests. */
export const makeVouchers = operation({
  method: 'POST',
  path: '/api/v1/vouchers',
  permission: 'vouchers-create',
  body: z.object({
    /** Name that customers see on their top-up. */
    name: label(60),
    amount: money({ digits: 8, decimals: 2 }),
    currency: z.string().regex(/^[A-Z]{3}$/, { error: 'currency' }),
    count: z.int().min(1).max(MOST_VOUCHERS),
    expires_on: day.nullable().default(null),
  }),
  reply: z.object({ data: row.extend({ codes: z.array(z.string()) }), message: z.string().optional() }),
  status: 201,
  errors: ['voucher_batch_already_exists'],
});

/** Makes all codes of a batch invalid that nobody has redeemed yet. */
export const voidVouchers = operation({
  method: 'POST',
  path: '/api/v1/vouchers/:id/void',
  permission: 'vouchers-create',
  params: z.object({ id: idText }),
  reply: oneReply(row),
  errors: ['not_found'],
});

/** Adds the amount of a voucher to an account, once. After ten wrong codes a person waits an hour. */
export const redeemVoucher = operation({
  method: 'POST',
  path: '/api/v1/vouchers/redeem',
  permission: 'vouchers-redeem',
  body: z.object({ billing_account_id: reference('billing-accounts'), code: label(40) }),
  reply: z.object({ data: z.object({ top_up_id: z.int() }), message: z.string() }),
  errors: ['voucher_unknown'],
});
