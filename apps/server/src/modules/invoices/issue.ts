import type { issueInvoice } from '@heliograph/contract/invoices/invoice';
import type { Selectable } from 'kysely';
import { addEvents } from '#modules/events';
import type { Activity } from '#platform/access/audit';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { dateIn } from '#platform/records/period';
import { translate } from '#platform/text/i18n';
import { contentDigest } from './content.ts';
import { lockedDraft, logged } from './draft.ts';
import { wholeInvoice } from './invoice-rows.ts';
import { writeFilesJob } from './jobs.ts';
import { type Kind, takeNumber } from './numbers.ts';
import { buyerOf, partiesOf, sellerOf } from './parties.ts';
import { postDifference } from './post-difference.ts';
import { payInAdvance } from './spread.ts';

/** Context of a person who issues, or of the program with a caller of no person. */
export type Issuing = Pick<Context, 'db' | 'clock'> & {
  caller: { user_id: number | null; corporation_id: number | null };
};

/**
 * Makes a draft final: profiles are copied into it, it takes the next number of its series, and a digest of all that it
 * states goes into the activity log. Its files are written by a job. Throws `invoice_buyer_missing` and
 * `invoice_negative`. Returns the number.
 */
export async function issueDraft(ctx: Issuing, id: number): Promise<string> {
  const { db, clock } = ctx;
  const draft = await db.selectFrom('invoice').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { issuer, buyer } = await partiesOf(db, draft.corporation_id);
  if (!issuer) throw new BusinessError('invoice_issuer_missing');
  if (!buyer) throw new BusinessError('invoice_buyer_missing');
  if (draft.payable < 0) throw new BusinessError('invoice_negative');
  const now = clock.now();
  const day = dateIn(draft.timezone, now);
  const due = Temporal.PlainDate.from(day).add({ days: draft.payment_days }).toString();
  const number = await takeNumber(db, issuer, draft.kind as Kind, day);
  await db
    .updateTable('invoice')
    .set({
      number,
      issue_date: day,
      due_date: draft.kind === 'invoice' ? due : null,
      issued_at: now.toISOString(),
      language: buyer.language ?? draft.language,
      seller: JSON.stringify(sellerOf(issuer)),
      buyer: JSON.stringify(buyerOf(buyer)),
    })
    .where('id', '=', id)
    .execute();
  const content_sha256 = await contentDigest(db, id);
  await db.updateTable('invoice').set({ content_sha256, state: 'issued' }).where('id', '=', id).execute();
  await postIssued(ctx, { ...draft, number });
  if (draft.kind === 'invoice' && draft.billed !== null && draft.billing_account_id !== null)
    await payInAdvance(db, draft.billing_account_id);
  await record(ctx, 'issued', id, draft.corporation_id, { ...logged({ ...draft, number }), content_sha256 });
  const owner = { corporation_id: draft.corporation_id, department_id: null, user_id: null, message_id: null };
  await addEvents(db, [{ ...owner, type: 'invoice.issued', data: { invoice_id: id } }]);
  await enqueue(db, writeFilesJob, { invoice_id: id });
  return number;
}

/**
 * Lets the account owe what its documents state. An invoice for a month posts the tax and rounding that the ledger lacks, and
 * its credit notes give what they credit. A receipt of a seller whose prices are without tax posts the tax.
 */
async function postIssued({ db }: Issuing, draft: Selectable<Database['invoice']> & { number: string }): Promise<void> {
  const { billing_account_id, payable, billed, kind, credited_invoice_id, tax } = draft;
  if (billing_account_id === null) return;
  const document = { ...draft, billing_account_id };
  if (kind === 'invoice' && billed !== null) await postDifference(db, document, billed - payable);
  if (kind === 'receipt') {
    const { issuer } = await partiesOf(db, draft.corporation_id);
    if (!issuer!.prices_include_tax) await postDifference(db, document, -tax);
  }
  if (credited_invoice_id === null) return;
  const of = await db.selectFrom('invoice').select('billed').where('id', '=', credited_invoice_id).executeTakeFirst();
  if (of && of.billed !== null) await postDifference(db, document, payable);
}

/** Writes an entry about a document into the activity log. */
export const record = (ctx: Issuing, description: string, id: number, corporation_id: number, after: object) =>
  audit({ ...ctx, caller: ctx.caller as never }, {
    name: 'invoices',
    description,
    subject_type: 'invoices',
    subject_id: id,
    corporation_id,
    after,
  } satisfies Activity);

/** Issues a draft that the caller sells. */
export const issueOne: Handler<typeof issueInvoice> = async (ctx, { params }) => {
  await lockedDraft(ctx, params.id);
  const number = await issueDraft(ctx, params.id);
  const message = translate(ctx.locale, 'invoicing.issued', { number });
  return { data: await wholeInvoice(ctx, params.id), message };
};
