import { z } from 'zod';
import { cost } from '../kernel/fields.ts';

const marginSums = {
  parts: z.int(),
  /** Amount that the platform gets, and what carriers are expected to take. */
  price: cost({ signed: true }),
  cost: cost({ signed: true }),
  margin: cost({ signed: true }),
};
/** Expected margin of a quote. Only the platform's people see it. */
export const quoteMargin = z.object({
  currency: z.string(),
  price: marginSums.price,
  cost: marginSums.cost,
  margin: marginSums.margin,
  /** Parts whose cost is unknown; they are in no sum. */
  unknown_parts: z.int(),
  /** Destinations that bring a loss, the greatest first. */
  losses: z.array(
    z.object({
      link_name: z.string(),
      /** Network and country; empty for numbers of no known network. */
      network: z.string(),
      messages: z.int(),
      ...marginSums,
    }),
  ),
});
