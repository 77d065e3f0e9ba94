import { taxOf } from '@heliograph/contract/invoices/amounts';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readSettings } from '#platform/operator/settings';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';
import { insertDraft, storeDraftLines, treatmentOf, withholdingOf } from './draft.ts';
import { issueDraft, record } from './issue.ts';
import { sumsOrThrow } from './lines.ts';
import { type BilledMonth, owedOf, sumOf, type UsageLine, usageLines } from './month-usage.ts';
import { partiesOf } from './parties.ts';
import { POSTED } from './post-difference.ts';

const AT_ONCE = 100;

interface DueMonth extends BilledMonth {
  corporation_id: number;
}

/**
 * Months that are over by the clocks of the buyer and the seller, of postpaid accounts whose buyers get invoices, and that no
 * invoice is about.
 */
const dueMonths = async (
  db: Db,
  { now, timezone, only, after }: { now: string; timezone: string; only?: number; after?: DueMonth | undefined },
): Promise<DueMonth[]> => {
  const { rows } = await sql<DueMonth>`
    SELECT s.id AS statement_id, s.billing_account_id, s.corporation_id, s.month::text AS month, s.starts_at, s.ends_at,
      -s.charges AS charges, -s.commitment AS commitment, -s.refunds AS refunds, -s.discounts AS discounts,
      (coalesce((SELECT sum(t.amount) FROM invoice v JOIN ledger_transfer t ON t.key = ${POSTED} || v.id
        WHERE v.corporation_id = s.corporation_id AND v.billing_account_id = s.billing_account_id
          AND t.created_at >= s.starts_at AND t.created_at < s.ends_at), 0) - s.corrections)::bigint AS corrections
    FROM statement s JOIN billing_account b ON b.id = s.billing_account_id
    JOIN price_plan p ON p.id = b.price_plan_id AND p.type = 'postpaid_special'
    JOIN invoice_buyer y ON y.corporation_id = s.corporation_id AND s.month >= date_trunc('month', y.invoices_from)
    JOIN corporation c ON c.id = s.corporation_id
    JOIN invoice_issuer i ON i.corporation_id IS NOT DISTINCT FROM c.reseller_id
    LEFT JOIN corporation r ON r.id = c.reseller_id
    WHERE (s.month + interval '1 month') AT TIME ZONE coalesce(r.timezone, ${timezone}) <= ${now}
      AND (${only ?? null}::bigint IS NULL OR s.billing_account_id = ${only ?? null})
      AND (s.month, s.billing_account_id) > (${after?.month ?? '-infinity'}::date, ${after?.billing_account_id ?? 0})
      AND NOT EXISTS (SELECT FROM invoice v JOIN statement z ON z.id = v.statement_id
        WHERE v.billing_account_id = s.billing_account_id AND s.month BETWEEN v.billed_from AND z.month)
    ORDER BY s.month, s.billing_account_id LIMIT ${AT_ONCE}`.execute(db);
  return rows;
};

/**
 * Makes the invoices of months that are over. Returns their number. Any number of workers may do this at the same time, and
 * a second run changes nothing.
 */
export async function makeMonthInvoices({
  database,
  clock,
}: Pick<WorkerContext, 'database' | 'clock'>): Promise<number> {
  const timezone = (await readSettings(database, ['timezone'])).get('timezone') || 'Asia/Manila';
  const now = clock.now().toISOString();
  let made = 0;
  for (let after: DueMonth | undefined; ; ) {
    const months = await dueMonths(database, { now, timezone, after });
    for (const month of months)
      if (await database.transaction().execute((db) => makeInvoice(db, { clock, timezone, now }, month))) made++;
    after = months.at(-1);
    if (months.length < AT_ONCE) return made;
  }
}

/** Makes the invoice of a month. Returns false if there is one, or nothing to pay. */
async function makeInvoice(
  db: Db,
  { clock, timezone, now }: Pick<WorkerContext, 'clock'> & { timezone: string; now: string },
  wanted: DueMonth,
): Promise<boolean> {
  const { corporation_id, billing_account_id, month } = wanted;
  // Workers that make invoices of one buyer take turns, so that a month is not carried and billed too.
  await sql`SELECT FROM invoice_buyer WHERE corporation_id = ${corporation_id} FOR NO KEY UPDATE`.execute(db);
  const open = await dueMonths(db, { now, timezone, only: billing_account_id });
  const place = open.findIndex((each) => each.month === month);
  if (place === -1) return false;
  let first = place;
  while (first > 0 && isNext(open[first - 1]!.month, open[first]!.month)) first--;
  const months = open.slice(first, place + 1);
  const billed = months.reduce((sum, each) => sum + owedOf(each), 0);
  if (billed <= 0) return false;
  const { issuer, ...parties } = await partiesOf(db, corporation_id);
  const { buyer } = parties;
  if (!issuer || !buyer) return false;
  const locale = (buyer.language ?? 'en') as Locale;
  const carried = billed - owedOf(wanted);
  const lines: UsageLine[] = [
    ...(await usageLines(db, wanted, buyer.invoice_lines as 'network' | 'campaign', locale)),
    ...(carried === 0
      ? []
      : [
          {
            description: translate(locale, 'invoice_line.carried'),
            quantity: Math.sign(carried),
            unit_price: Math.abs(carried),
          },
        ]),
  ];
  if (sumOf(lines) !== billed) throw new Error(`the lines of the month ${month} do not add up`);
  const tax = taxOf(issuer, treatmentOf(buyer));
  const priced = lines.map(({ quantity, ...line }) => ({ ...line, quantity: quantity * 1_000, ...tax }));
  const { prices_include_tax } = issuer;
  const { currency } = parties.corporation;
  const withholding_rate = withholdingOf(issuer, buyer);
  // Amounts below the smallest unit wait for the next month.
  if (sumsOrThrow(priced, { currency, prices_include_tax, withholding_rate }).payable <= 0) return false;
  const id = await insertDraft(
    db,
    { ...parties, issuer },
    {
      billing_account_id,
      statement_id: wanted.statement_id,
      billed,
      billed_from: months[0]!.month,
      period_from: months[0]!.month,
      period_to: Temporal.PlainDate.from(month).add({ months: 1 }).subtract({ days: 1 }).toString(),
      created_at: now,
    },
  );
  await storeDraftLines(db, { id, currency, prices_include_tax }, priced, withholding_rate);
  const ctx = { db, clock, caller: { user_id: null, corporation_id: null } };
  await record(ctx, 'created', id, corporation_id, { month: month.slice(0, 7) });
  if (issuer.issue_automatically) await issueDraft(ctx, id);
  return true;
}

const isNext = (month: string, next: string): boolean =>
  Temporal.PlainDate.from(month).add({ months: 1 }).toString() === next;
