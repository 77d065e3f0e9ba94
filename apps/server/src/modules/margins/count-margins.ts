import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { costReader, linkParts } from '#modules/carrier-costs';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type PartPrices, readPartPrices } from './price-parts.ts';

/** Job that adds up prices and costs of days that are over. */
export const countMarginsJob = defineJob('count-margins', z.object({}), { statementSeconds: 900 });

/** Days back for which figures are made. */
const DAYS = 31;
/** Days in which a late receipt may change a cost or price; they are counted again. */
const OPEN_DAYS = 4;
/** Least time between two counts of a day. */
const AGAIN_MS = 20 * 3_600_000;

interface MarginRow {
  link_id: number;
  network_id: number;
  corporation_id: number;
  payer_id: number;
  campaign_id: number;
  sender_id: string;
  parts: number;
  price: number;
  cost: number;
  unknown_parts: number;
  unknown_price: number;
}

/**
 * Counts days that are over, the newest first: those that were not counted yet, and again those that late receipts or
 * exchange rates may have changed.
 */
export async function countMargins(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const prices = await readPartPrices(database);
  const now = clock.now();
  const today = now.toTemporalInstant().toZonedDateTimeISO(prices.timezone).toPlainDate();
  const counted = new Map(
    (await database.selectFrom('margin_counted').select(['day', 'counted_at', 'currency', 'again']).execute()).map(
      (row) => [row.day, row],
    ),
  );
  for (let back = 1; back <= DAYS; back++) {
    signal.throwIfAborted();
    const day = today.subtract({ days: back });
    const known = counted.get(day.toString());
    const isOld = known && now.getTime() - Date.parse(known.counted_at) > AGAIN_MS;
    if (known && known.currency === prices.currency && !known.again && !(isOld && back <= OPEN_DAYS)) continue;
    await countDay(database, prices, day, signal);
  }
}

async function countDay(
  database: Kysely<Database>,
  prices: PartPrices,
  day: Temporal.PlainDate,
  signal: AbortSignal,
): Promise<void> {
  const start = day.toZonedDateTime(prices.timezone).toInstant().toString();
  const end = day.add({ days: 1 }).toZonedDateTime(prices.timezone).toInstant().toString();
  const rows = new Map<string, MarginRow>();
  const costOf = await costReader(database);
  for await (const parts of linkParts(database, null, { start, end })) {
    signal.throwIfAborted();
    for (const part of parts) {
      if (!prices.counts(part)) continue;
      const { link_id, corporation_id, payer_id, sender_id } = part;
      const network = prices.networkOf(part);
      const campaign_id = part.campaign_id ?? 0;
      const row = rowOf(rows, {
        link_id,
        network_id: network?.id ?? 0,
        corporation_id,
        payer_id,
        campaign_id,
        sender_id,
      });
      const price = prices.priceOf(part, day.toString());
      const cost = await prices.costOf(costOf, part, network, day.toString());
      row.parts++;
      if (price === null || cost === null) {
        row.unknown_parts++;
        row.unknown_price += price ?? 0;
      } else {
        row.price += price;
        row.cost += cost;
      }
    }
  }
  await store(database, day.toString(), prices, [...rows.values()]);
}

function rowOf(
  rows: Map<string, MarginRow>,
  place: Pick<MarginRow, 'link_id' | 'network_id' | 'corporation_id' | 'payer_id' | 'campaign_id' | 'sender_id'>,
): MarginRow {
  const key = Object.values(place).join('/');
  const known = rows.get(key);
  if (known) return known;
  const row = { ...place, parts: 0, price: 0, cost: 0, unknown_parts: 0, unknown_price: 0 };
  rows.set(key, row);
  return row;
}

/** Replaces the figures of a day. */
const store = (
  database: Kysely<Database>,
  day: string,
  { currency, rates_version }: PartPrices,
  rows: readonly MarginRow[],
) =>
  database.transaction().execute(async (db) => {
    // Two workers that count the same day wait for each other here. Exchange rates that changed meanwhile ask for one more count.
    await sql`INSERT INTO margin_counted (day, currency, again)
      SELECT ${day}::date, ${currency}, version::text <> ${rates_version} FROM exchange_rate_version
      ON CONFLICT (day) DO UPDATE SET currency = excluded.currency, again = excluded.again, counted_at = now()`.execute(
      db,
    );
    await db.deleteFrom('margin_day').where('day', '=', day).execute();
    await sql`
      INSERT INTO margin_day (day, link_id, network_id, corporation_id, payer_id, campaign_id, sender_id, parts,
        price, cost, unknown_parts, unknown_price)
      SELECT ${day}::date, r.* FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (link_id bigint, network_id bigint,
        corporation_id bigint, payer_id bigint, campaign_id bigint, sender_id text, parts bigint,
        price bigint, cost bigint, unknown_parts bigint, unknown_price bigint)
      JOIN corporation c ON c.id = r.corporation_id`.execute(db);
  });
