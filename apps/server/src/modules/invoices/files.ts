import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { invoicePdf } from '@heliograph/contract/invoices/invoice';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { AttachedFile } from '#platform/tasks/csv-file';
import { attachXml } from './attach-xml.ts';
import { loadDocument } from './document.ts';
import { storedInvoice } from './invoice-rows.ts';
import { record } from './issue.ts';
import type { writeFilesJob } from './jobs.ts';
import { mailWhenWritten } from './mail-invoices.ts';
import { writeCii } from './write-cii.ts';
import { writePdf } from './write-pdf.ts';

const TYPES = { pdf: 'application/pdf', xml: 'application/xml; charset=utf-8' } as const;
type FileKind = keyof typeof TYPES;

/** Reads a file of a document that the caller sees. Throws `invoice_preparing` until its job has written it. */
export async function readDocument(ctx: Context, id: number, kind: FileKind) {
  const row = await storedInvoice(ctx, id);
  const file = await ctx.db
    .selectFrom('invoice_document')
    .select('content')
    .where('invoice_id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (!file) throw new BusinessError(kind === 'xml' && row.kind === 'receipt' ? 'not_found' : 'invoice_preparing');
  return { content: file.content, name: `${row.number}.${kind}` };
}

/** Answers a file of a document that the caller sees. */
export async function documentFile(
  ctx: Context,
  { params }: { params: z.output<(typeof invoicePdf)['params']> },
  kind: FileKind,
): Promise<AttachedFile> {
  const { content, name } = await readDocument(ctx, params.id, kind);
  return { stream: Readable.from([content]), name, type: TYPES[kind] };
}

/**
 * Writes the files of an issued document and stores them, with their digests in the activity log. A second run changes
 * nothing.
 */
export async function writeFiles(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  { invoice_id }: z.output<(typeof writeFilesJob)['data']>,
): Promise<void> {
  const document = await loadDocument(database, invoice_id);
  if (!document) return;
  // A receipt is no invoice, so it has no invoice data.
  const xml = document.kind === 'receipt' ? null : Buffer.from(writeCii(document));
  const pdf = await writePdf(document, (file) => xml && attachXml(file, xml, document));
  await database.transaction().execute(async (db) => {
    const files: [FileKind, Buffer][] = [['pdf', pdf], ...(xml ? [['xml', xml] as [FileKind, Buffer]] : [])];
    for (const [kind, content] of files) {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const stored = await db
        .insertInto('invoice_document')
        .values({ invoice_id, kind, content, sha256, created_at: clock.now().toISOString() })
        .onConflict((conflict) => conflict.columns(['invoice_id', 'kind']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!stored) return;
      await record(
        { db, clock, caller: { user_id: null, corporation_id: null } },
        `stored-${kind}`,
        invoice_id,
        document.corporation_id,
        { number: document.number, sha256 },
      );
    }
    await mailWhenWritten(db, invoice_id);
  });
}
