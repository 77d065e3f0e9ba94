import { z } from 'zod';
import { day, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { percentHundredths } from './margin-rule.ts';
import { prefix } from './rate.ts';

/** States of a promotion: `planned` before its first day, `running`, and `over`. */
export const PROMOTION_STATES = ['planned', 'running', 'over'] as const;

/** Percentage off: a decimal string above 0, at most 100. */
export const discountPercent = z
  .string()
  .trim()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, { error: 'percent_format' })
  .refine((text) => !/^\d{1,3}(\.\d{1,2})?$/.test(text) || isDiscount(text), { error: 'percent_off_range' });

function isDiscount(text: string): boolean {
  const value = percentHundredths(text);
  return value > 0 && value <= 10_000;
}

const terms = {
  name: label(60),
  /** Percentage off the price; null if `price` is given. */
  percent: discountPercent.nullable(),
  /** Price of a part, for numbers that cost more; null if `percent` is given. */
  price: money({ digits: 3 }).nullable(),
  /** First and last day, both included, in the time zone of the seller. */
  starts_on: day,
  ends_on: day,
};

const row = z.object({
  id: z.int(),
  ...terms,
  price_plan_id: z.int(),
  price_plan_name: z.string(),
  currency: z.string(),
  timezone: z.string(),
  /** Names of the chosen networks; empty for none. */
  networks: z.string(),
  /** First digits of the numbers; empty for every number. */
  prefixes: z.array(z.string()),
  /** Names of the chosen corporations; empty for everybody on the plan. */
  corporation_names: z.array(z.string()),
  state: z.enum(PROMOTION_STATES),
  /** Time at which a person ended it before its last day. */
  ended_at: instant.nullable(),
  user_name: z.string().nullable(),
  created_at: instant,
});

/** Terms of a promotion in whole numbers: hundredths of a percent off, or thousandths for a part. */
export interface Discount {
  percent: number | null;
  price: number | null;
}

/** Returns the price of a part with a promotion, in thousandths, rounded up. It is never above `charge`. */
export const discounted = ({ percent, price }: Discount, charge: number): number =>
  percent !== null ? Math.ceil((charge * (10_000 - percent)) / 10_000) : Math.min(price ?? charge, charge);

/** Lists the promotions of the plans that the caller owns, newest first. */
export const promotions = listing({
  path: '/api/v1/promotions',
  permission: 'promotions-index',
  row,
  filters: z.object({
    price_plan_id: z.coerce.number().int().optional(),
    state: z.enum(PROMOTION_STATES).optional(),
  }),
});

/**
 * Creates a promotion of a plan that the caller owns. Of several promotions that fit a number, only one counts: the one with
 * the lowest price. A promotion never changes; it ends by itself, or earlier when a person ends it.
 */
export const createPromotion = operation({
  method: 'POST',
  path: '/api/v1/promotions',
  permission: 'promotions-create',
  body: z.object({
    ...terms,
    price_plan_id: reference('price-plans'),
    /** Networks for whose prefixes of now it applies, with `prefixes`; without both it applies to every number. */
    network_ids: z.array(reference('networks')).max(100).default([]),
    prefixes: z.array(prefix).max(1000).default([]),
    /** Corporations for which it applies; without any it applies to everybody on the plan. */
    corporation_ids: z.array(reference('corporations')).max(1000).default([]),
  }),
  reply: oneReply(row),
  errors: ['forbidden'],
  status: 201,
});

/** Ends a promotion now, before its last day. Prices that were quoted with it stay. */
export const endPromotion = operation({
  method: 'POST',
  path: '/api/v1/promotions/:id/end',
  permission: 'promotions-edit',
  params: z.object({ id: idText }),
  reply: oneReply(row),
  errors: ['not_found', 'forbidden'],
});
