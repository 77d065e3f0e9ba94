import { z } from 'zod';
import { day, money, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** First digits of the numbers of a rate, starting with the country code. */
export const prefix = z
  .string()
  .trim()
  .regex(/^\d{1,15}$/, { error: 'prefix' });

/** Price of one part. */
export const charge = money({ digits: 3 });

const input = z.object({
  price_plan_id: reference('price-plans'),
  rate_zone_id: reference('rate-zones'),
  prefix,
  charge,
  enabled: z.boolean(),
  /**
   * First and last day in force, both included, in the account's time zone; without a last day the rate does not end.
   */
  starts_on: day,
  ends_on: day.nullable(),
});

/** Rates: the price of a part by plan, zone and the longest prefix that matches the number. */
export const rate = resource({
  name: 'rates',
  row: input.extend({ price_plan_name: z.string(), rate_zone_name: z.string() }),
  create: input.extend({ enabled: z.boolean().default(true), ends_on: input.shape.ends_on.default(null) }),
  update: input.omit({ price_plan_id: true, rate_zone_id: true, prefix: true }).partial(),
  filters: z.object({
    price_plan_id: z.coerce.number().int().optional(),
    rate_zone_id: z.coerce.number().int().optional(),
    prefix: z.string().trim().max(15).optional(),
    enabled: z.stringbool().optional(),
    /** Only rates in force on this day. */
    in_force_on: day.optional(),
  }),
  sort: ['prefix', 'charge', 'starts_on', 'created_at'],
  title: 'prefix',
  conflicts: { rate_price_plan_id_rate_zone_id_prefix_starts_on_key: 'rate_already_exists' },
});
