import { percentText } from '@heliograph/contract/billing/margin-rule';
import { type VolumeTerms, type VolumeTier, volumeDiscount } from '@heliograph/contract/billing/volume-discount';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Kysely } from 'kysely';
import { accountParts } from '#modules/carrier-costs';
import type { Database } from '#platform/database/db';
import { discount } from './ledger.ts';
import { type Db, rowsOf } from './sql.ts';

interface Month {
  billing_account_id: number;
  corporation_id: number;
  /** First day of the month. */
  month: string;
  starts_at: string;
  ends_at: string;
  /** Time of the entry, in the month. */
  created_at: string;
}

/** Discount of an account in a month: its terms and, once it is given, what it came to. Amounts are thousandths. */
export interface MonthDiscount extends Pick<VolumeTerms, 'name' | 'measure' | 'applies'> {
  id: number;
  tiers: VolumeTier[];
  parts: number | null;
  /** Charges less refunds. */
  charged: number | null;
  amount: number | null;
}

/** Returns the discount of an account in a month, which is named by its first day; undefined without one. */
export async function discountOf(db: Db, accountId: number, month: string): Promise<MonthDiscount | undefined> {
  return (await rowsOf<MonthDiscount>(db, 'SELECT * FROM volume_discount_of($1, $2)', [accountId, month]))[0];
}

/** Returns the terms of a discount as customers read them. */
export const termsOnWire = ({ name, measure, applies, tiers }: MonthDiscount): VolumeTerms => ({
  name,
  measure,
  applies,
  tiers: tiersOnWire(measure, tiers),
});

/** Returns stored tiers as decimal strings. */
export const tiersOnWire = (measure: VolumeTerms['measure'], tiers: readonly VolumeTier[]): VolumeTerms['tiers'] =>
  tiers.map(([from, percent]) => ({
    from: measure === 'parts' ? String(from) : fromThousandths(from),
    percent: percentText(percent),
  }));

const INSERT = `INSERT INTO month_discount (billing_account_id, month, corporation_id, volume_discount_id, parts, charged, amount)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING amount`;

/**
 * Gives an account the volume discount of a month that is over, once. `charged` is its charges less refunds, in
 * thousandths. Returns the amount that was posted; 0 if none.
 */
export async function giveDiscount(db: Kysely<Database>, month: Month, charged: number): Promise<number> {
  const { billing_account_id, corporation_id, created_at } = month;
  if (charged <= 0) return 0;
  const terms = await discountOf(db, billing_account_id, month.month);
  if (!terms) return 0;
  let parts = 0;
  for await (const rows of accountParts(db, billing_account_id, { start: month.starts_at, end: month.ends_at }))
    for (const row of rows) parts += row.parts;
  const amount = volumeDiscount(terms, { parts, charged });
  if (amount === 0) return 0;
  const stored = await rowsOf(db, INSERT, [
    billing_account_id,
    month.month,
    corporation_id,
    terms.id,
    parts,
    charged,
    amount,
  ]);
  if (stored.length === 0) return 0;
  await discount(db, {
    key: `discount:${billing_account_id}:${month.month}`,
    billing_account_id,
    corporation_id,
    amount,
    note: terms.name,
    created_at,
  });
  return amount;
}
