import type { consolidated } from '@heliograph/contract/kernel/consolidated';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import type { z } from 'zod';
import type { Caller } from '#platform/context';
import type { Queryable } from '#platform/database/queryable';
import { convertMillionths, type RateTable, shownRate } from './rate-table.ts';
import { readExchangeRates } from './read-rates.ts';

type Consolidated = z.output<typeof consolidated>;
interface Amount {
  currency: string;
  /** Decimal string. */
  amount: string;
}

/**
 * Adds up amounts of several currencies in one of them, by the rates of a day, each converted once and rounded to
 * thousandths. Returns null if every amount is in that currency already.
 */
export function consolidateBy(table: RateTable, amounts: readonly Amount[], to: string, day: string): Consolidated {
  if (amounts.every(({ currency }) => currency === to)) return null;
  let sum = 0;
  const rates: NonNullable<Consolidated>['rates'] = [];
  const missing: string[] = [];
  for (const { currency, amount } of amounts) {
    const rate = table.rateOn(currency, to, day);
    if (!rate) {
      missing.push(currency);
      continue;
    }
    // The conversion counts in whole units of any size, here thousandths.
    sum += convertMillionths(toThousandths(amount), rate);
    const oldest = rate.entries.map((entry) => entry.day).sort()[0];
    if (oldest !== undefined) rates.push({ currency, rate: shownRate(rate), day: oldest });
  }
  return { currency: to, amount: fromThousandths(sum), rates, missing };
}

/** Consolidates amounts for the people of the platform, who see exchange rates; null for everybody else. */
export async function consolidate(
  { db, caller }: { db: Queryable; caller: Pick<Caller, 'scope_level'> },
  amounts: readonly Amount[],
  to: string,
  day: string,
): Promise<Consolidated> {
  if (!isAdministration(caller.scope_level) || amounts.every(({ currency }) => currency === to)) return null;
  return consolidateBy(await readExchangeRates(db), amounts, to, day);
}
