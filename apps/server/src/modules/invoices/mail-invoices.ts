import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { z } from 'zod';
import { enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';
import { loadDocument } from './document.ts';
import { mailInvoiceJob } from './jobs.ts';
import { printed } from './printed.ts';

type Kind = z.output<(typeof mailInvoiceJob)['data']>['kind'];

/** Days after the day of a reminder on which it is still sent, such as after a pause of the workers. */
const STILL_DAYS = 7;
const AT_ONCE = 500;

/** Asks for a mail of a document, once. The caller decides in its transaction that the mail is due. */
async function askForMail(db: Db, invoice_id: number, kind: Kind): Promise<void> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('invoice_mail')
    .values({ invoice_id, kind })
    .onConflict((conflict) => conflict.columns(['invoice_id', 'kind']).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows > 0n) await enqueue(db, mailInvoiceJob, { invoice_id, kind });
}

/** Asks for the mail of a document whose files were written, if its seller mails documents. */
export async function mailWhenWritten(db: Db, invoiceId: number): Promise<void> {
  const wanted = await db
    .selectFrom('invoice as v')
    .innerJoin('invoice_issuer as i', 'i.id', 'v.invoice_issuer_id')
    .select('v.id')
    .where('v.id', '=', invoiceId)
    .where('i.mail_documents', '=', true)
    .executeTakeFirst();
  if (wanted) await askForMail(db, invoiceId, 'issued');
}

/**
 * Asks for the reminders that are due: before and after the due date, by the days of the seller's profile and the buyer's
 * time zone. Each is asked for once, however many workers look.
 */
export async function remindOfInvoices({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const now = clock.now().toISOString();
  await database.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number; kind: Kind }>`
      SELECT v.id, r.kind FROM invoice_row v JOIN invoice_issuer i ON i.id = v.invoice_issuer_id
      CROSS JOIN LATERAL (SELECT (${now}::timestamptz AT TIME ZONE v.timezone)::date AS today) t
      CROSS JOIN LATERAL (VALUES ('due_soon', v.due_date - i.remind_before, v.due_date),
        ('overdue', v.due_date + i.remind_after, v.due_date + i.remind_after + ${STILL_DAYS}::int)) AS r(kind, first, last)
      WHERE v.kind = 'invoice' AND v.state = 'issued' AND v.due_date BETWEEN ${now}::date - 70 AND ${now}::date + 62
        AND t.today BETWEEN r.first AND r.last AND v.payable > v.paid + v.credited
        AND NOT EXISTS (SELECT FROM invoice_mail m WHERE m.invoice_id = v.id AND m.kind = r.kind)
      ORDER BY v.id LIMIT ${AT_ONCE}`.execute(db);
    for (const { id, kind } of rows) await askForMail(db, id, kind);
  });
}

/** Reads what is still to be paid for an invoice. */
async function openOf(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    SELECT greatest(payable - paid - credited, 0)::bigint AS open FROM invoice_row WHERE id = ${id}`.execute(db);
  return Number(rows[0]?.open ?? 0);
}

/**
 * Mails a document to its buyer in the buyer's language, with its PDF. A reminder of an invoice that was paid meanwhile is not
 * sent, nor is anything to a buyer without an address.
 */
export async function mailInvoice(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { invoice_id, kind }: z.output<(typeof mailInvoiceJob)['data']>,
): Promise<void> {
  const document = await loadDocument(database, invoice_id);
  const to = document?.buyer.email;
  const open = await openOf(database, invoice_id);
  if (!document || !to || (kind !== 'issued' && open === 0)) return;
  const file = await database
    .selectFrom('invoice_document')
    .select('content')
    .where('invoice_id', '=', invoice_id)
    .where('kind', '=', 'pdf')
    .executeTakeFirst();
  // The job is tried again when the file is written.
  if (!file) throw new Error(`the file of the document ${invoice_id} is not written yet`);
  const { locale, number, currency, due_date, seller, seller_id } = document;
  const tag = LOCALE_TAGS[locale];
  const money = (amount: number) =>
    new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'code' }).format(
      fromThousandths(amount) as Intl.StringNumericLiteral,
    );
  const params = {
    title: printed(document).title,
    number,
    seller: seller.legal_name,
    amount: money(kind === 'issued' ? document.payable : open),
    date: due_date
      ? new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${due_date}T00:00:00Z`))
      : '',
  };
  const say = (key: MessageKey) => translate(locale, key, params);
  const withoutDue = kind === 'issued' && due_date === null;
  const text = [
    say(keyIn('invoice_mail', `${kind}_text`)),
    ...(withoutDue ? [] : [say(keyIn('invoice_mail', kind === 'overdue' ? 'overdue_pay' : 'pay_by'))]),
    say('invoice_mail.attached'),
    seller.legal_name,
  ].join('\n\n');
  const brand = await brandOf(database, config, seller_id);
  const attachments = [{ filename: `${number}.pdf`, content: file.content, contentType: 'application/pdf' }];
  const mail = { to, subject: say(keyIn('invoice_mail', `${kind}_subject`)), text, attachments };
  await sendMail(config, mail, log, brand.mail());
}
