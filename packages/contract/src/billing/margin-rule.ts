import { z } from 'zod';
import { day, idText, instant, money, reference } from '../kernel/fields.ts';
import { toThousandths } from '../kernel/money.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Multiples to which prices may be rounded up, as decimal strings. */
export const PRICE_STEPS = ['0.001', '0.005', '0.010', '0.050', '0.100', '1.000'] as const;

/** Highest price of a part that a rate may have, in thousandths. */
export const HIGHEST_PRICE = 999_999;

/** Percentage as a decimal string with up to two decimals, such as "12.5"; at least −100, at most 1000. */
const percent = z
  .string()
  .trim()
  .regex(/^-?\d{1,4}(\.\d{1,2})?$/, { error: 'percent_format' })
  .refine((text) => !/^-?\d{1,4}(\.\d{1,2})?$/.test(text) || inPercentRange(text), { error: 'percent_range' });

/** Rule by which prices follow a cost. */
export const marginRule = z.object({
  /** Added to the cost; negative for a discount from it. */
  percent,
  /** Added to each part after the percentage. */
  fixed: money({ digits: 3 }),
  /** Lowest price of a part. */
  floor: money({ digits: 3 }),
  /** Prices are rounded up to a multiple of this. */
  step: z.enum(PRICE_STEPS),
  /** True if prices may be below the cost. */
  below_cost: z.boolean(),
  /** Link whose carrier's costs a plan of the platform follows; null for a reseller, who pays by the plan that it buys on. */
  link_id: reference('links').nullable(),
});

/** Rule in whole numbers: hundredths of a percent, and thousandths of the currency unit. */
export interface Margin {
  percent: number;
  fixed: number;
  floor: number;
  step: number;
  below_cost: boolean;
}

/** Returns the hundredths of a percentage: "12.5" → 1250. */
export function percentHundredths(text: string): number {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const value = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  return text.startsWith('-') && value !== 0 ? -value : value;
}

/** Returns a percentage in hundredths as a decimal string: 1250 → "12.50". */
export function percentText(hundredths: number): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function inPercentRange(text: string): boolean {
  const value = percentHundredths(text);
  return value >= -10_000 && value <= 100_000;
}

/** Returns a rule of the wire in whole numbers. */
export const marginOf = ({ percent: text, fixed, floor, step, below_cost }: z.output<typeof marginRule>): Margin => ({
  percent: percentHundredths(text),
  fixed: toThousandths(fixed),
  floor: toThousandths(floor),
  step: toThousandths(step),
  below_cost,
});

/**
 * Returns the price of a part by a rule, in thousandths: cost and percentage, and the fixed amount, rounded up to a
 * multiple of the step; then at least the floor, and at least the cost unless the rule allows less. No price is above
 * `HIGHEST_PRICE`, which no cost exceeds. Whole numbers only: the largest product is below 2^53.
 */
export function priceByRule({ percent: hundredths, fixed, floor, step, below_cost }: Margin, cost: number): number {
  const exact = cost * (10_000 + hundredths) + fixed * 10_000;
  const unit = step * 10_000;
  const rest = exact % unit;
  const rounded = ((exact - rest) / unit + (rest > 0 ? 1 : 0)) * step;
  return Math.min(Math.max(rounded, floor, below_cost ? 0 : cost), Math.max(HIGHEST_PRICE, cost));
}

const params = z.object({ id: idText });
const errors = ['not_found', 'forbidden'] as const;
const costErrors = ['margin_no_cost', 'margin_currency'] as const;

const shown = z.object({
  price_plan_id: z.int(),
  price_plan_name: z.string(),
  currency: z.string(),
  /** True for a plan of the platform, which follows the costs of a link. */
  of_platform: z.boolean(),
  /** Cost that the plan follows or would follow: the name of the plan that its owner buys on; null if it is not known. */
  cost_name: z.string().nullable(),
  rule: marginRule.nullable(),
  /** Reason why prices do not follow the cost now. */
  problem: z.enum(['no_cost', 'currency']).nullable(),
  /** Cards that the rule made, newest first. */
  cards: z.array(
    z.object({
      version: z.int(),
      created_at: instant,
      /** Number of rates whose price went up, and down. */
      dearer: z.int(),
      cheaper: z.int(),
    }),
  ),
});

/** Returns the margin rule of a plan that the caller owns, with its last cards. */
export const showMarginRule = operation({
  method: 'GET',
  path: '/api/v1/price-plans/:id/margin-rule',
  permission: 'price-plans-edit',
  params,
  reply: oneReply(shown),
  errors,
});

const preview = z.object({
  currency: z.string(),
  cost_name: z.string(),
  /** Number of rates of the new card, and how they compare with the present one. */
  rates: z.int(),
  dearer: z.int(),
  cheaper: z.int(),
  same: z.int(),
  new: z.int(),
  /** Number of present rates that the cost does not have; they end. */
  ended: z.int(),
  /** Number of prices below the cost. */
  below_cost: z.int(),
  /** Price of numbers without a rate; its cost is null if only costs by network are known. */
  default: z.object({ cost: money().nullable(), price: money(), present: money() }),
  /** The first 200 rates, by zone and prefix. */
  data: z.array(
    z.object({
      zone: z.string(),
      prefix: z.string(),
      starts_on: day,
      ends_on: day.nullable(),
      cost: money(),
      price: money(),
      /** Present price of the same zone, prefix and start. */
      present: money().nullable(),
    }),
  ),
});

/** Returns the prices that a rule would give, without saving anything. */
export const previewMarginRule = operation({
  method: 'POST',
  path: '/api/v1/price-plans/:id/margin-rule/preview',
  permission: 'price-plans-edit',
  params,
  body: marginRule,
  reply: oneReply(preview),
  errors: [...errors, ...costErrors],
});

/**
 * Sets the rule of a plan and makes its card from the cost in the same transaction. From then on the card follows the
 * cost: each change of the cost makes a new version within a minute. Rates cannot be changed by hand any more.
 */
export const setMarginRule = operation({
  method: 'PUT',
  path: '/api/v1/price-plans/:id/margin-rule',
  permission: 'price-plans-edit',
  params,
  body: marginRule,
  reply: oneReply(shown),
  errors: [...errors, ...costErrors],
});

/** Removes the rule of a plan. The prices stay as they are and can be changed by hand again. */
export const removeMarginRule = operation({
  method: 'DELETE',
  path: '/api/v1/price-plans/:id/margin-rule',
  permission: 'price-plans-edit',
  params,
  reply: oneReply(shown),
  errors,
});
