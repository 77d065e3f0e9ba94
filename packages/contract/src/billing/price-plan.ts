import { z } from 'zod';
import { day, label, money, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  /** Reseller that owns the plan; empty for the platform's own. */
  corporation_id: reference('corporations').nullable(),
  name: label(),
  description: text(500).nullable(),
  type: z.enum(['prepaid_package', 'prepaid_monthly', 'postpaid_special']),
  /** Price of a part if no rate matches its number. */
  default_charge: money({ digits: 4 }),
  /** Values that a new account of the plan gets if its form leaves them out. */
  credit_limit: money({ digits: 10, decimals: 2 }),
  monthly_plan: z.boolean(),
  monthly_commitment: money({ digits: 10, decimals: 2 }),
  enabled: z.boolean(),
  /** First and last day on which the plan is in force, both included, in the time zone of the billed account. */
  starts_on: day.nullable(),
  expires_on: day.nullable(),
});

export const pricePlan = resource({
  name: 'price-plans',
  row: input.extend({
    corporation_name: z.string().nullable(),
    /** Currency of the accounts of the plan; of its owner if they differ or there are none. */
    currency: z.string(),
  }),
  create: input.extend({
    corporation_id: input.shape.corporation_id.default(null),
    description: input.shape.description.default(null),
    credit_limit: input.shape.credit_limit.default('0.000'),
    monthly_plan: z.boolean().default(false),
    monthly_commitment: input.shape.monthly_commitment.default('0.000'),
    enabled: z.boolean().default(true),
    starts_on: input.shape.starts_on.default(null),
    expires_on: input.shape.expires_on.default(null),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ enabled: z.stringbool().optional(), type: input.shape.type.optional() }),
  sort: ['name', 'created_at'],
  title: 'name',
  groups: {
    general: ['name', 'type', 'description', 'corporation_id', 'enabled'],
    price: ['default_charge', 'credit_limit', 'monthly_plan', 'monthly_commitment'],
    validity: ['starts_on', 'expires_on'],
  },
  conflicts: { price_plan_corporation_id_name_key: 'price_plan_already_exists' },
});
