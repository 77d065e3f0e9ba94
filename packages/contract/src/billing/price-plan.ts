import { z } from 'zod';
import { label, money, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  /** The reseller whose plan it is; empty for the platform's own. */
  corporation_id: reference('corporations').nullable(),
  name: label(),
  description: text(500).nullable(),
  type: z.enum(['prepaid_package', 'prepaid_monthly', 'postpaid_special']),
  /** Price of a part where no rate matches its number. */
  default_charge: money({ digits: 4 }),
  enabled: z.boolean(),
});

export const pricePlan = resource({
  name: 'price-plans',
  row: input.extend({ corporation_name: z.string().nullable() }),
  create: input.extend({
    corporation_id: input.shape.corporation_id.default(null),
    description: input.shape.description.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ enabled: z.stringbool().optional(), type: input.shape.type.optional() }),
  sort: ['name', 'created_at'],
  title: 'name',
  conflicts: { price_plan_corporation_id_name_key: 'price_plan_already_exists' },
});
