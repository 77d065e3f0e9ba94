import { type Kysely, sql } from 'kysely';
import { type CostOf, costReader } from '#modules/carrier-costs';
import { convertMillionths, readExchangeRates } from '#modules/exchange-rates';
import { NETWORK_STAMP, readNetworks } from '#modules/networks';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { readSettings } from '#platform/operator/settings';
import type { CostCard } from './cost-card.ts';

const CLASSES = ['otp', 'transactional', 'bulk'] as const;
const SENDER_KINDS = ['alphanumeric', 'short_code', 'number'] as const;
/** First day of the rates that follow a carrier: a new cost replaces them, so none begins later. */
const ALWAYS = '2000-01-01';
const MILLIONTHS = 1_000;

interface CardNow {
  id: number;
  link_name: string;
  currency: string;
  /** Last day on which some of its rates began or ended. */
  turned: string | null;
  networks: string;
}

/** Finds the card of a link that is in force; undefined if there is none. */
async function cardNow(db: Kysely<Database>, link_id: number, now: Date): Promise<CardNow | undefined> {
  const at = now.toISOString();
  const { rows } = await sql<CardNow>`
    SELECT c.id, l.name AS link_name, c.currency, ${sql.raw(NETWORK_STAMP)} AS networks,
      (SELECT max(turn)::text FROM unnest(c.turns) AS turn WHERE turn <= (${at}::timestamptz AT TIME ZONE c.timezone)::date) AS turned
    FROM carrier_card c JOIN link l ON l.id = c.link_id
    WHERE c.link_id = ${link_id} AND c.version IS NOT NULL AND c.from_at <= ${at}::timestamptz
      AND (c.until_at IS NULL OR c.until_at > ${at}::timestamptz)
    ORDER BY c.version DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** Returns the currency of the accounts of a plan; the platform's if it has none. Throws `margin_currency` if they differ. */
async function currencyOf(db: Kysely<Database>, planId: number): Promise<string> {
  const accounts = await db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select('c.currency')
    .distinct()
    .where('b.price_plan_id', '=', planId)
    .execute();
  if (accounts.length > 1) throw new BusinessError('margin_currency', { params: { currency: accounts[0]!.currency } });
  return accounts[0]?.currency ?? ((await readSettings(db, ['currency'])).get('currency') || 'PHP');
}

interface Found {
  card: CardNow;
  currency: string;
  rate: NonNullable<ReturnType<Awaited<ReturnType<typeof readExchangeRates>>['rateOn']>>;
  key: string;
}

async function find(db: Kysely<Database>, planId: number, link_id: number, now: Date): Promise<Found> {
  const card = await cardNow(db, link_id, now);
  if (!card) throw new BusinessError('margin_no_cost');
  const currency = await currencyOf(db, planId);
  const rates = await readExchangeRates(db);
  const rate = rates.rateOn(card.currency, currency, now.toISOString().slice(0, 10));
  if (!rate) throw new BusinessError('margin_currency', { params: { currency: card.currency } });
  const exchange = `${rate.numerator}/${rate.denominator}`;
  const key = `link ${link_id} card ${card.id} ${card.turned ?? ''} ${currency} ${exchange} networks ${card.networks}`;
  return { card, currency, rate, key };
}

/** Returns the identity of the cost of a link for a plan. Throws as `costOfLink` does. */
export const keyOfLink = async (db: Kysely<Database>, planId: number, link_id: number, now: Date): Promise<string> =>
  (await find(db, planId, link_id, now)).key;

/**
 * Returns what the carrier of a link takes for parts, by prefix, in thousandths of the currency of a plan, rounded up. Of
 * several costs for classes and kinds of sender IDs, the highest counts, so that no message costs more. Throws
 * `margin_no_cost` if the link has no card in force, and `margin_currency` if its currency cannot be converted.
 */
export async function costOfLink(
  { db, clock }: { db: Kysely<Database>; clock: Clock },
  planId: number,
  link_id: number,
): Promise<CostCard> {
  const now = clock.now();
  const { card, rate, key } = await find(db, planId, link_id, now);
  const costOf = await costReader(db);
  const networks = await readNetworks(<Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values));
  const zones = await db.selectFrom('rate_zone').select('id').orderBy('id').execute();
  const rates: CostCard['rates'] = [];
  for (const prefix of await prefixesOf(db, card.id)) {
    const network = networks.networkOf(prefix);
    const code = network?.mcc ? `${network.mcc}${network.mnc ?? ''}` : '';
    const highest = await highestOf(costOf, { link_id, msisdn: prefix, network: code, at: now.getTime() });
    if (highest === null) continue;
    const cost = Math.ceil(convertMillionths(highest, rate) / MILLIONTHS);
    for (const { id } of zones) rates.push({ rate_zone_id: id, prefix, cost, starts_on: ALWAYS, ends_on: null });
  }
  return { name: card.link_name, key, source_plan_id: null, source_version: null, default_cost: null, rates };
}

/** Lists the prefixes at which a cost may change: those of the card, and of networks if it names some. */
async function prefixesOf(db: Kysely<Database>, cardId: number): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`
    SELECT prefix FROM carrier_rate WHERE carrier_card_id = ${cardId} AND prefix IS NOT NULL
    UNION
    SELECT unnest(p.prefixes) FROM network_prefix p WHERE p.to_version IS NULL
      AND EXISTS (SELECT FROM carrier_rate r WHERE r.carrier_card_id = ${cardId} AND r.mcc IS NOT NULL)
    ORDER BY prefix`.execute(db);
  return rows.map(({ prefix }) => prefix);
}

async function highestOf(
  costOf: CostOf,
  asked: { link_id: number; msisdn: string; network: string; at: number },
): Promise<number | null> {
  let highest: number | null = null;
  for (const messageClass of CLASSES)
    for (const sender_kind of SENDER_KINDS) {
      const cost = await costOf({ ...asked, class: messageClass, sender_kind });
      if (cost && (highest === null || cost.amount > highest)) highest = cost.amount;
    }
  return highest;
}
