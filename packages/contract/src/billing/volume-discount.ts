import { z } from 'zod';
import { idText, instant, label, money, month, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { discountPercent } from './promotion.ts';

/** Quantity of a month that tiers count: charged parts, or charges less refunds. */
export const VOLUME_MEASURES = ['parts', 'amount'] as const;

/** Reach of a tier: the whole month once it begins, or only the part of the month above its beginning. */
export const VOLUME_REACHES = ['all', 'step'] as const;

/** States of a discount by the present month of its seller. */
export const VOLUME_DISCOUNT_STATES = ['planned', 'running', 'over'] as const;

/** Most tiers of a discount. */
const MOST_TIERS = 10;

const tier = z.object({
  /** Number of parts, or an amount, from which the tier counts, as a decimal string. */
  from: money({ digits: 12 }),
  /** Percentage off. */
  percent: discountPercent,
});

const terms = {
  name: label(60),
  measure: z.enum(VOLUME_MEASURES),
  applies: z.enum(VOLUME_REACHES),
  /** From the lowest beginning to the highest. */
  tiers: z.array(tier).min(1).max(MOST_TIERS),
};

/** Terms of a discount, as customers read them. */
export const volumeTerms = z.object(terms);
export type VolumeTerms = z.output<typeof volumeTerms>;

const row = z.object({
  id: z.int(),
  ...terms,
  /** Plan whose accounts get it; null if it is an account's own. */
  price_plan_name: z.string().nullable(),
  /** Account that has it instead of the one of its plan; null if it is a plan's. */
  billing_account_name: z.string().nullable(),
  currency: z.string(),
  first_month: z.string(),
  last_month: z.string().nullable(),
  state: z.enum(VOLUME_DISCOUNT_STATES),
  user_name: z.string().nullable(),
  created_at: instant,
});

/** Tier in whole numbers: its beginning in parts or thousandths, and hundredths of a percent off. */
export type VolumeTier = readonly [from: number, percent: number];

/** Sums of a month of an account; `charged` is charges less refunds, in thousandths, at least 0. */
export interface MonthVolume {
  parts: number;
  charged: number;
}

/**
 * Returns the discount of a month, in thousandths, rounded once, halves up. Steps of parts take their share of the charges by
 * the number of their parts, so that it does not matter which part came first.
 */
export function volumeDiscount(
  { measure, applies, tiers }: Pick<VolumeTerms, 'measure' | 'applies'> & { tiers: readonly VolumeTier[] },
  { parts, charged }: MonthVolume,
): number {
  const measured = measure === 'parts' ? parts : charged;
  if (measured <= 0 || charged <= 0) return 0;
  const reached = tiers.filter(([from]) => from <= measured);
  if (applies === 'all') return share(charged, BigInt(reached.at(-1)?.[1] ?? 0), 1n);
  let weight = 0n;
  for (const [place, [from, percent]] of reached.entries())
    weight += BigInt((reached[place + 1]?.[0] ?? measured) - from) * BigInt(percent);
  return share(charged, weight, BigInt(measured));
}

/** Returns `amount × hundredths of a percent × weight / whole`, rounded to whole thousandths, halves up. */
function share(amount: number, weight: bigint, whole: bigint): number {
  const divisor = whole * 10_000n;
  return Number((2n * BigInt(amount) * weight + divisor) / (2n * divisor));
}

/** Lists the volume discounts that the caller's corporation grants, newest first. */
export const volumeDiscounts = listing({
  path: '/api/v1/volume-discounts',
  permission: 'volume-discounts-index',
  row,
  filters: z.object({
    price_plan_id: z.coerce.number().int().optional(),
    billing_account_id: z.coerce.number().int().optional(),
    state: z.enum(VOLUME_DISCOUNT_STATES).optional(),
  }),
});

/**
 * Creates a volume discount of a plan that the caller owns, or of an account that it sells to. Its terms never change. An
 * account's own discount replaces that of its plan; a month has one discount.
 */
export const createVolumeDiscount = operation({
  method: 'POST',
  path: '/api/v1/volume-discounts',
  permission: 'volume-discounts-create',
  body: z.object({
    ...terms,
    price_plan_id: reference('price-plans').nullable().default(null),
    billing_account_id: reference('billing-accounts').nullable().default(null),
    /** First and last month, both included, in the time zone of each account. Empty for no end. */
    first_month: month,
    last_month: month.nullable().default(null),
  }),
  reply: oneReply(row),
  errors: ['forbidden', 'volume_discount_overlaps'],
  status: 201,
});

/** Ends a volume discount: the present month is its last one. One that is planned never begins. */
export const endVolumeDiscount = operation({
  method: 'POST',
  path: '/api/v1/volume-discounts/:id/end',
  permission: 'volume-discounts-edit',
  params: z.object({ id: idText }),
  reply: oneReply(row),
  errors: ['not_found', 'forbidden'],
});
