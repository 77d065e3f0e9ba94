import { type VolumeTerms, type VolumeTier, volumeDiscount } from '@heliograph/contract/billing/volume-discount';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';

/** Volume of an account in a month, in parts and thousandths: as it was charged, and by the tried prices. */
export interface AccountMonth {
  billing_account_id: number;
  /** First day of the month. */
  month: string;
  parts: number;
  charged: number;
  parts_tried: number;
  tried: number;
}

/** Volume discounts of an account in a month, in thousandths. */
export interface TriedDiscount extends AccountMonth {
  billing_account_name: string;
  corporation_name: string;
  /** True if the period covers the whole month. */
  whole: boolean;
  /** Names of the terms; null without any. */
  terms: string | null;
  terms_tried: string | null;
  discount: number;
  discount_tried: number;
}

interface Terms extends Pick<VolumeTerms, 'name' | 'measure' | 'applies'> {
  tiers: VolumeTier[];
}

type Found = Pick<TriedDiscount, 'billing_account_name' | 'corporation_name' | 'whole'> & {
  before: Terms | null;
  after: Terms | null;
};

// The terms of the month itself count for the charged amounts. For the tried prices, those count that begin last: a discount
// that is planned can be tried before it begins.
const TERMS = `
SELECT b.name AS billing_account_name, c.name AS corporation_name, to_jsonb(t) AS before, to_jsonb(n) AS after,
  w.month::timestamp AT TIME ZONE c.timezone >= $3::timestamptz
    AND (w.month + interval '1 month') AT TIME ZONE c.timezone <= $4::timestamptz AS whole
FROM unnest($1::bigint[], $2::date[]) WITH ORDINALITY AS w (id, month, place)
JOIN billing_account b ON b.id = w.id JOIN corporation c ON c.id = b.corporation_id
CROSS JOIN LATERAL (SELECT date_trunc('month', $5::timestamptz AT TIME ZONE c.timezone)::date AS month) p
CROSS JOIN LATERAL (SELECT greatest(p.month, max(d.first_month)) AS month FROM volume_discount d
  WHERE (d.billing_account_id = b.id OR d.price_plan_id = b.price_plan_id)
    AND (d.last_month IS NULL OR d.last_month >= greatest(d.first_month, p.month))) l
LEFT JOIN LATERAL volume_discount_of(b.id, w.month) t ON true
LEFT JOIN LATERAL volume_discount_of(b.id, l.month) n ON true
ORDER BY w.place`;

/**
 * Calculates the volume discounts of months by the function that calculates those of the ledger. A month that the period
 * covers in part has only the volume within the period. Months without terms are left out. The greatest difference comes first.
 */
export async function triedDiscounts(
  db: Kysely<Database>,
  months: readonly AccountMonth[],
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<TriedDiscount[]> {
  if (months.length === 0) return [];
  const values = [months.map((each) => each.billing_account_id), months.map(({ month }) => month), from, to];
  const found = await rowsOf<Found>(db, TERMS, [...values, now.toISOString()]);
  const rows = months.flatMap((month, place): TriedDiscount[] => {
    const { before, after, ...names } = found[place]!;
    if (!before && !after) return [];
    const { parts, charged, parts_tried, tried } = month;
    return [
      {
        ...{ ...month, ...names, terms: before?.name ?? null, terms_tried: after?.name ?? null },
        discount: before ? volumeDiscount(before, { parts, charged }) : 0,
        discount_tried: after ? volumeDiscount(after, { parts: parts_tried, charged: tried }) : 0,
      },
    ];
  });
  const difference = (row: TriedDiscount) => Math.abs(row.discount_tried - row.discount);
  return rows.sort((a, b) => difference(b) - difference(a));
}
