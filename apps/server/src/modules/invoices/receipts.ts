import { taxOf } from '@heliograph/contract/invoices/amounts';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';
import { insertDraft, storeDraftLines, treatmentOf } from './draft.ts';
import { issueDraft } from './issue.ts';
import { sumsOrThrow } from './lines.ts';
import { partiesOf } from './parties.ts';

/** Payment of the ledger. */
export interface Payment {
  id: number;
  billing_account_id: number;
  corporation_id: number;
  amount: number;
  note: string | null;
  created_at: string;
}

/** Returns the sentence about the fee that a customer paid on top of a top-up; null if there was none. */
async function feeNote(db: Db, paymentId: number, locale: Locale): Promise<string | null> {
  const { rows } = await sql<{ fee: number; total: number; currency: string }>`
    SELECT u.fee, u.total, u.currency FROM account_payment p JOIN ledger_transfer t ON t.id = p.transfer_id
    JOIN top_up u ON u.id = substring(t.key FROM '^top-up (\\d+) paid$')::bigint
    WHERE p.id = ${paymentId} AND u.fee > 0`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const { currency } = found;
  const format = new Intl.NumberFormat(LOCALE_TAGS[locale], { style: 'currency', currency, currencyDisplay: 'code' });
  const money = (amount: number) => format.format(fromThousandths(Number(amount)) as Intl.StringNumericLiteral);
  return translate(locale, 'paper.fee_note', { fee: money(found.fee), total: money(found.total) });
}

/**
 * Issues the receipt for the part of a payment into a prepaid account that pays no invoice, because an invoice states its tax, if the seller gives receipts and the buyer has a profile. The
 * caller holds the payment locked and settles it in the same transaction, so a payment has at most one.
 */
export async function issueReceipt(db: Db, clock: WorkerContext['clock'], payment: Payment): Promise<void> {
  if (payment.amount <= 0) return;
  const { issuer, ...parties } = await partiesOf(db, payment.corporation_id);
  const { buyer } = parties;
  if (!issuer?.receipts || !buyer) return;
  const { rows } = await sql<{ free: number }>`
    SELECT (${payment.amount}::bigint - coalesce((SELECT sum(p.amount) FROM invoice_payment p WHERE p.payment_id = ${payment.id}), 0))::bigint AS free
    FROM billing_account b LEFT JOIN price_plan p ON p.id = b.price_plan_id
    WHERE b.id = ${payment.billing_account_id} AND p.type IS DISTINCT FROM 'postpaid_special'`.execute(db);
  const [paid] = rows;
  if (!paid || Number(paid.free) <= 0) return;
  const locale = (buyer.language ?? 'en') as Locale;
  const description = [translate(locale, 'invoice_line.payment'), payment.note]
    .filter(Boolean)
    .join(': ')
    .slice(0, 300);
  const line = { description, quantity: 1_000, unit_price: Number(paid.free), ...taxOf(issuer, treatmentOf(buyer)) };
  const { currency } = parties.corporation;
  // The buyer paid this sum, so tax is a part of it, whatever the prices are.
  const terms = { currency, prices_include_tax: true };
  if (sumsOrThrow([line], { ...terms, withholding_rate: 0 }).payable <= 0) return;
  const id = await insertDraft(
    db,
    { ...parties, issuer },
    {
      kind: 'receipt',
      billing_account_id: payment.billing_account_id,
      payment_id: payment.id,
      prices_include_tax: true,
      payment_days: 0,
      note: await feeNote(db, payment.id, locale),
      created_at: clock.now().toISOString(),
    },
  );
  await storeDraftLines(db, { id, ...terms }, [line], 0);
  await issueDraft({ db, clock, caller: { user_id: null, corporation_id: null } }, id);
}
