import { z } from 'zod';
import { day, money } from './fields.ts';

const currency = z.string();

/**
 * Sum of amounts in several currencies, converted into one, with the rates and their days. `missing` names currencies without a
 * rate, whose amounts are not in the sum. Null if all amounts have one currency, and for callers who see no exchange rates.
 */
export const consolidated = z
  .object({
    currency,
    amount: money({ signed: true }),
    rates: z.array(
      z.object({
        currency,
        /** Value of one unit, as a decimal. */
        rate: z.string(),
        /** Oldest day of the entries that the rate follows from. */
        day,
      }),
    ),
    missing: z.array(currency),
  })
  .nullable();
