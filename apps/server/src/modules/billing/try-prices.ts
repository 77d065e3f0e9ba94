import { type Margin, marginOf, type marginRule } from '@heliograph/contract/billing/margin-rule';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { PrefixTree } from '#platform/structures/prefix-tree';
import { costOfReseller, priceCard } from './cost-card.ts';
import { type AccountMonth, type TriedDiscount, triedDiscounts } from './tried-discounts.ts';

/** Days of traffic that are tried. */
const DAYS = 30;
/** Chunks that are read at a time: at most some hundred thousand messages. */
const CHUNKS = 100;

/** Sums of a network, in thousandths. */
export interface TriedLine {
  network: string;
  parts: number;
  charged: number;
  tried: number;
  cost: number;
}

export interface Trial {
  from: string;
  to: string;
  currency: string;
  lines: TriedLine[];
  discounts: TriedDiscount[];
}

interface Wanted {
  price_plan_id: number;
  rule: z.output<typeof marginRule> | null;
  card_upload_id: number | null;
}

interface TriedRate {
  rate_zone_id: number;
  prefix: string;
  charge: number;
  starts_on: string;
}

interface Chunk {
  id: number;
  billing_account_id: number;
  /** First day of the month in which the chunk was made, in the time zone of the account. */
  month: string;
}

interface Message {
  chunk_id: number;
  msisdn: string;
  ported: number | null;
  channel: 'console' | 'api';
  parts: number;
  unit_price: number;
  reseller_unit_price: number;
  /** Parts that the customer was charged, and that the reseller was charged. */
  charged: number;
  bought: number;
}

const PLAN = `
SELECT p.id, p.corporation_id, p.default_charge, c.currency, c.timezone
FROM price_plan p JOIN corporation c ON c.id = p.corporation_id WHERE p.id = $1`;

const RATES = `
SELECT rate_zone_id, prefix, charge, starts_on::text FROM rate
WHERE price_plan_id = $1 AND enabled AND (ends_on IS NULL OR ends_on >= current_date)`;

const UPLOADED = `
SELECT rate_zone_id, prefix, charge, starts_on::text FROM card_upload_row
WHERE card_upload_id = $1 AND enabled AND (ends_on IS NULL OR ends_on >= current_date)`;

// A chunk names the account of the reseller that paid for it.
const CHUNKS_OF_PLAN = `
SELECT k.id, k.billing_account_id, date_trunc('month', k.created_at AT TIME ZONE c.timezone)::date::text AS month
FROM chunk k JOIN corporation c ON c.id = k.corporation_id
WHERE k.reseller_account_id IN (SELECT id FROM billing_account WHERE corporation_id = $1)
  AND k.reseller_corporation_id = $1 AND k.created_at >= $3 AND k.created_at < $4
  AND k.billing_account_id IN (SELECT b.id FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    WHERE b.price_plan_id = $2 AND c.reseller_id = $1)
ORDER BY k.id`;

const MESSAGES = `
SELECT k.id AS chunk_id, m.msisdn, k.channel, m.unit_price, k.reseller_unit_price, m.parts,
  CASE WHEN k.ported IS NOT NULL THEN (SELECT k.ported[i + 1] FROM generate_subscripts(k.ported, 1) AS i
    WHERE i % 2 = 1 AND k.ported[i] = m.id & 1023) END AS ported,
  CASE WHEN k.charge_on_delivery THEN CASE WHEN o.state = 'delivered' THEN m.parts ELSE 0 END ELSE o.accepted END AS charged,
  CASE WHEN k.reseller_charge_on_delivery THEN CASE WHEN o.state = 'delivered' THEN m.parts ELSE 0 END ELSE o.accepted END AS bought
FROM unnest($1::bigint[]) AS w(id) JOIN chunk k ON k.id = w.id
JOIN message m ON m.id >= w.id << 10 AND m.id < (w.id + 1) << 10
LEFT JOIN chunk_state s ON s.chunk_id = k.id
CROSS JOIN LATERAL (SELECT end_of(flags_of(s.states, m.id & 1023)) AS state,
  CASE WHEN is_packed(flags_of(s.states, m.id & 1023)) THEN 1
    ELSE (SELECT count(*) FROM submission x WHERE x.message_id = m.id AND x.command_status = 0) END AS accepted) o`;

interface Plan {
  id: number;
  corporation_id: number;
  default_charge: number;
  currency: string;
  timezone: string;
}

/** Returns the price of a part by channel and number, in thousandths. Of the rates of a prefix, the one that begins last counts. */
async function triedPrices(db: Kysely<Database>, plan: Plan, wanted: Wanted) {
  let rates: TriedRate[];
  let { default_charge } = plan;
  if (wanted.rule) {
    const margin: Margin = marginOf(wanted.rule);
    const card = await priceCard(db, plan.id, margin, await costOfReseller(db, plan));
    rates = card.rates.map(({ price, ...rate }) => ({ ...rate, charge: price }));
    default_charge = card.default_price;
  } else if (wanted.card_upload_id === null) rates = await rowsOf<TriedRate>(db, RATES, [plan.id]);
  else rates = await rowsOf<TriedRate>(db, UPLOADED, [wanted.card_upload_id]);
  rates.sort((a, b) => (a.starts_on < b.starts_on ? -1 : a.starts_on > b.starts_on ? 1 : 0));
  const zones = await db
    .selectFrom('rate_zone')
    .select(['id', 'name', 'enabled'])
    .where('built_in', '=', true)
    .execute();
  const tree = (name: string) => {
    const zone = zones.find((each) => each.name === name);
    const own = zone?.enabled ? rates.filter(({ rate_zone_id }) => rate_zone_id === zone.id) : [];
    const latest = new Map(own.map(({ prefix, charge }) => [prefix, charge]));
    return new PrefixTree([...latest.keys()], [...latest.values()]);
  };
  const trees = { console: tree('WEB'), api: tree('API') };
  return (channel: Message['channel'], msisdn: string) => trees[channel].find(msisdn) ?? default_charge;
}

/**
 * Calculates what the traffic of a reseller's plan in the last 30 whole days of its time zone was charged and cost, and what
 * it would have been charged by other prices, with the volume discounts of both. Messages count at the time they were queued. Throws `not_found`, and the
 * errors of `costOfReseller` for a rule.
 */
export async function trial(
  db: Kysely<Database>,
  wanted: Wanted,
  now: Date,
  onRead: (messages: number) => Promise<void>,
): Promise<Trial> {
  const [plan] = await rowsOf<Plan>(db, PLAN, [wanted.price_plan_id]);
  if (!plan) throw new BusinessError('not_found');
  const priceOf = await triedPrices(db, plan, wanted);
  const networks = await readNetworks(<Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values));
  const to = now.toTemporalInstant().toZonedDateTimeISO(plan.timezone).startOfDay();
  const from = to.subtract({ days: DAYS });
  const period = { from: from.toInstant().toString(), to: to.toInstant().toString() };
  const values = [plan.corporation_id, plan.id, period.from, period.to];
  const chunks = await rowsOf<Chunk>(db, CHUNKS_OF_PLAN, values);
  const lines = new Map<number, TriedLine>();
  const months = new Map<string, AccountMonth>();
  let read = 0;
  for (let at = 0; at < chunks.length; at += CHUNKS) {
    const some = chunks.slice(at, at + CHUNKS);
    const ids = some.map(({ id }) => id);
    const volumes = new Map(some.map((chunk) => [chunk.id, volumeOf(months, chunk)]));
    const messages = await rowsOf<Message>(db, MESSAGES, [ids]);
    for (const message of messages) {
      if (message.charged === 0 && message.bought === 0) continue;
      const ported = message.ported === null ? undefined : networks.byId(message.ported);
      const network = ported ?? networks.networkOf(message.msisdn);
      const name = network ? `${network.name} (${network.country})` : '';
      const line = lines.get(network?.id ?? 0) ?? { network: name, parts: 0, charged: 0, tried: 0, cost: 0 };
      lines.set(network?.id ?? 0, line);
      line.parts += message.charged;
      const price = priceOf(message.channel, message.msisdn);
      line.charged += message.charged * message.unit_price;
      line.tried += message.charged * price;
      line.cost += message.bought * message.reseller_unit_price;
      addVolume(volumes.get(message.chunk_id)!, message, price);
    }
    read += messages.length;
    await onRead(read);
  }
  const difference = ({ tried, charged }: TriedLine) => Math.abs(tried - charged);
  return {
    from: from.toPlainDate().toString(),
    to: to.subtract({ days: 1 }).toPlainDate().toString(),
    currency: plan.currency,
    lines: [...lines.values()].sort((a, b) => difference(b) - difference(a)),
    discounts: await triedDiscounts(db, [...months.values()], period, now),
  };
}

/** Returns the volume of a chunk's account in the chunk's month. */
function volumeOf(months: Map<string, AccountMonth>, { billing_account_id, month }: Chunk): AccountMonth {
  const key = `${billing_account_id} ${month}`;
  const volume = months.get(key) ?? { billing_account_id, month, parts: 0, charged: 0, parts_tried: 0, tried: 0 };
  months.set(key, volume);
  return volume;
}

/** Adds a message to a volume. Parts without a price do not count, as in the discounts of the ledger. */
function addVolume(volume: AccountMonth, { charged, unit_price }: Message, price: number): void {
  if (unit_price > 0) volume.parts += charged;
  if (price > 0) volume.parts_tried += charged;
  volume.charged += charged * unit_price;
  volume.tried += charged * price;
}
