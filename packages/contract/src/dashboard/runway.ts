import { z } from 'zod';
import { id, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Days below which the credit of an account counts as low. */
export const LOW_DAYS = 7;
/** Maximum number of accounts that are listed as low. */
export const MOST_LOW = 8;

const account = z.object({
  id,
  name: z.string(),
  corporation_id: id,
  corporation_name: z.string(),
  currency: z.string(),
  credit_balance: money({ signed: true }),
  low_balance_limit: money().nullable(),
  /** Average charges of a day in the last 30 days, since the first charge; null without any. */
  per_day: money().nullable(),
  /** Whole days until the balance and the credit limit are used up at this pace; null without charges. */
  days_left: z.int().nullable(),
});

/** Returns how long the credit of the caller's own accounts lasts, and the customers whose credit is low. */
export const runway = operation({
  method: 'GET',
  path: '/api/v1/dashboard/runway',
  permission: 'billing-accounts-index',
  reply: z.object({
    own: z.array(account),
    /** Accounts that others own and the caller manages: below their limit, used up, or with less than 7 days left. */
    low: z.array(account),
    low_count: z.int(),
  }),
});
