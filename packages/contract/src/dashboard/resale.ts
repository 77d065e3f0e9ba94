import { z } from 'zod';
import { id, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { DASHBOARD_DAYS } from './dashboard.ts';

const sums = z.object({
  /** Charges to the customers with the reseller's currency, as in the summary reports. */
  revenue: money({ signed: true }),
  /** Charges to the reseller's own accounts for the same messages. */
  cost: money({ signed: true }),
  margin: money({ signed: true }),
});

/** Returns a reseller's revenue, cost and margin of the last days in their time zone; today is the last. */
export const resale = operation({
  method: 'GET',
  path: '/api/v1/dashboard/resale',
  permission: 'corporations-edit',
  query: z.object({ days: z.coerce.number().pipe(z.literal(DASHBOARD_DAYS)).default(7) }),
  reply: z.object({
    currency: z.string(),
    totals: sums,
    /** Sums of the same number of days before. */
    before: sums,
    /** Revenue from customers with other currencies, which is in none of the sums. */
    other_revenue: z.array(z.object({ currency: z.string(), amount: money() })),
    days: z.array(sums.extend({ date: z.iso.date() })),
    /** Customers with the highest revenue first, at most eight. */
    customers: z.array(sums.extend({ corporation_id: id, corporation_name: z.string(), messages: z.int() })),
  }),
});
