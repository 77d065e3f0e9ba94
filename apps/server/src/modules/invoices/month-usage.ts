import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { discountOf } from '#modules/billing';
import { accountParts } from '#modules/carrier-costs';
import { readNetworks } from '#modules/networks';
import { rowsOf } from '#platform/database/queryable';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';

/** Month of an account that is over, with what its owner owes for it. Amounts are thousandths, above zero if owed. */
export interface BilledMonth {
  statement_id: number;
  billing_account_id: number;
  month: string;
  starts_at: string;
  ends_at: string;
  charges: number;
  commitment: number;
  refunds: number;
  /** Volume discount of the month, below zero. */
  discounts: number;
  /** Corrections, without those that invoices posted. */
  corrections: number;
}

/** Line of usage: `quantity` times `unit_price` is owed. The price is thousandths. */
export interface UsageLine {
  description: string;
  quantity: number;
  unit_price: number;
}

/** Sum that a month is billed with. */
export const owedOf = ({ charges, commitment, refunds, discounts, corrections }: BilledMonth): number =>
  charges + commitment + refunds + discounts + corrections;

/** Sum of lines, in thousandths. */
export const sumOf = (lines: readonly UsageLine[]): number =>
  lines.reduce((sum, { quantity, unit_price }) => sum + quantity * unit_price, 0);

/** Makes the line of one amount; none for zero. */
const lineOf = (description: string, amount: number): UsageLine[] =>
  amount === 0 ? [] : [{ description, quantity: Math.sign(amount), unit_price: Math.abs(amount) }];

/**
 * Returns the lines of a month. Their sum is what the statement has, to the thousandth: what the messages of the month do
 * not explain, such as parts that were accepted before midnight and charged after it, is a line of its own.
 */
export async function usageLines(
  db: Db,
  month: BilledMonth,
  by: 'network' | 'campaign',
  locale: Locale,
): Promise<UsageLine[]> {
  const usage = by === 'network' ? await byNetwork(db, month, locale) : await byCampaign(db, month, locale);
  return [
    ...usage,
    ...lineOf(translate(locale, 'invoice_line.other'), month.charges - sumOf(usage)),
    ...lineOf(translate(locale, 'invoice_line.refunds'), month.refunds),
    ...lineOf(await discountText(db, month, locale), month.discounts),
    ...lineOf(translate(locale, 'invoice_line.commitment'), month.commitment),
    ...lineOf(translate(locale, 'invoice_line.corrections'), month.corrections),
  ];
}

/** Returns the text of the line of a month's volume discount. */
async function discountText(db: Db, { billing_account_id, month, discounts }: BilledMonth, locale: Locale) {
  const given = discounts === 0 ? undefined : await discountOf(db, billing_account_id, month);
  if (given?.parts == null) return translate(locale, 'invoice_line.discount');
  const parts = new Intl.NumberFormat(LOCALE_TAGS[locale]).format(given.parts);
  return translate(locale, 'invoice_line.volume_discount', { name: given.name, parts });
}

async function byNetwork(db: Db, { billing_account_id, starts_at, ends_at }: BilledMonth, locale: Locale) {
  const networks = await readNetworks(<Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(db, text, values));
  const lines = new Map<string, UsageLine>();
  for await (const parts of accountParts(db, billing_account_id, { start: starts_at, end: ends_at }))
    for (const { msisdn, ported, unit_price, parts: quantity } of parts) {
      const network = (ported === null ? undefined : networks.byId(ported)) ?? networks.networkOf(msisdn);
      const key = `${network?.id ?? 0} ${unit_price}`;
      const known = lines.get(key);
      if (known) known.quantity += quantity;
      else {
        const description = network
          ? translate(locale, 'invoice_line.network', { network: network.name, country: network.country })
          : translate(locale, 'invoice_line.no_network');
        lines.set(key, { description, quantity, unit_price });
      }
    }
  return [...lines.values()].sort(
    (a, b) => a.description.localeCompare(b.description, 'en') || a.unit_price - b.unit_price,
  );
}

async function byCampaign(db: Db, { billing_account_id, starts_at, ends_at }: BilledMonth, locale: Locale) {
  const { rows } = await sql<{ name: string | null; campaign_id: number | null; owed: number }>`
    SELECT t.campaign_id, min(m.name) AS name, (-sum(t.amount))::bigint AS owed
    FROM ledger_transfer t LEFT JOIN campaign m ON m.id = t.campaign_id
    WHERE t.billing_account_id = ${billing_account_id} AND t.created_at >= ${starts_at} AND t.created_at < ${ends_at}
      AND t.kind = 'charge' GROUP BY t.campaign_id ORDER BY min(t.id)`.execute(db);
  return rows.flatMap(({ campaign_id, name, owed }) => {
    const campaign = name ?? String(campaign_id);
    const description =
      campaign_id === null
        ? translate(locale, 'invoice_line.programs')
        : translate(locale, 'invoice_line.campaign', { campaign });
    return lineOf(description.slice(0, 300), Number(owed));
  });
}
