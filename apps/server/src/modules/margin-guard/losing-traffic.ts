import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { Kysely } from 'kysely';
import { convertMillionths, readExchangeRates } from '#modules/exchange-rates';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';

/** Traffic over a link that cost more than it brought, in the currency of who pays for it. */
export interface LosingTraffic {
  link_id: number;
  link_name: string;
  currency: string;
  /** Decimal amount that is missing. */
  lost: string;
  parts: number;
}

// The last hour is left out: receipts are under way, and with them what is charged on delivery.
const TRAFFIC = `
  SELECT t.link_id, l.name AS link_name, t.corporation_id, t.network_id, coalesce(r.currency, c.currency) AS currency,
    k.currency AS cost_currency, sum(t.parts)::bigint AS parts, sum(t.cost)::bigint AS cost,
    sum(CASE WHEN c.reseller_id IS NULL THEN t.spend ELSE t.reseller_spend END)::bigint AS spend
  FROM traffic_cost t JOIN carrier_card k ON k.id = t.carrier_card_id JOIN link l ON l.id = t.link_id
  JOIN corporation c ON c.id = t.corporation_id LEFT JOIN corporation r ON r.id = c.reseller_id
  WHERE t.quarter >= $1::timestamptz - interval '25 hours' AND t.quarter < $1::timestamptz - interval '1 hour' AND NOT l.for_tests
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(t.cost) > 0 ORDER BY 1, 3, 4`;

interface Row {
  link_id: number;
  link_name: string;
  corporation_id: number;
  network_id: number;
  currency: string;
  cost_currency: string;
  parts: number;
  cost: number;
  spend: number;
}

const THOUSANDTH = 1_000;

/** Interval in ms in which the sums are read once, as they are looked for every second. */
const GOOD_FOR_MS = 300_000;
const kept = new WeakMap<Kysely<Database>, { at: number; found: LosingTraffic[] }>();

/**
 * Returns the traffic of the day up to an hour ago that brought a loss, by link and currency. Each customer's traffic to
 * a network counts for itself: the gain on one does not hide the loss on another.
 */
export async function losingTraffic(db: Kysely<Database>, now: Date): Promise<LosingTraffic[]> {
  const known = kept.get(db);
  if (known && Math.abs(now.getTime() - known.at) < GOOD_FOR_MS) return known.found;
  const found = (await isJudged(db)) ? await find(db, now) : [];
  kept.set(db, { at: now.getTime(), found });
  return found;
}

const isJudged = async (db: Kysely<Database>): Promise<boolean> =>
  (await rowsOf(db, `SELECT FROM global_configuration WHERE key = 'negative_margins' AND value = 'off'`, [])).length ===
  0;

async function find(db: Kysely<Database>, now: Date): Promise<LosingTraffic[]> {
  const rows = await rowsOf<Row>(db, TRAFFIC, [now.toISOString()]);
  if (rows.length === 0) return [];
  const rates = await readExchangeRates(db);
  const day = now.toISOString().slice(0, 10);
  const groups = new Map<string, Row>();
  for (const row of rows) {
    const rate = rates.rateOn(row.cost_currency, row.currency, day);
    if (!rate) continue;
    const key = `${row.link_id} ${row.corporation_id} ${row.network_id} ${row.currency}`;
    const cost = convertMillionths(row.cost, rate);
    const group = groups.get(key);
    if (!group) groups.set(key, { ...row, cost });
    else {
      group.parts += row.parts;
      group.cost += cost;
      group.spend += row.spend;
    }
  }
  const links = new Map<string, Omit<LosingTraffic, 'lost'> & { lost: number }>();
  for (const { link_id, link_name, currency, parts, cost, spend } of groups.values()) {
    const lost = cost - spend * THOUSANDTH;
    if (lost <= 0) continue;
    const key = `${link_id} ${currency}`;
    const sum = links.get(key) ?? { link_id, link_name, currency, lost: 0, parts: 0 };
    links.set(key, { ...sum, lost: sum.lost + lost, parts: sum.parts + parts });
  }
  return [...links.values()].map(({ lost, ...link }) => ({ ...link, lost: fromMillionths(lost) }));
}
