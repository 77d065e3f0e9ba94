import { Readable } from 'node:stream';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  addSenderDocument,
  getSenderDocument,
  listSenderDocuments,
  MOST_SENDER_DOCUMENTS,
  removeSenderDocument,
  SENDER_DOCUMENT_BYTES,
  SENDER_DOCUMENT_TYPES,
  type SenderDocumentType,
} from '@heliograph/contract/senders/sender-document';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError, tooLarge } from '#platform/errors';
import { readFile, removeFile, type StoredFile, storeFile } from '#platform/files/files';
import { imageHead } from '#platform/files/image';
import { readSmall } from '#platform/files/stored-image';
import { type App, mount, mountUpload } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import type { Retention } from '#platform/jobs/retention';
import { translate } from '#platform/text/i18n';
import { lockSender, recordEvent, type Sender } from './life.ts';

type Row = ReplyOf<typeof listSenderDocuments>['data'][number];

/** Retention of documents whose sender ID was deleted. The others are kept as long as their sender ID. */
export const documentRetention: Retention = {
  table: 'sender_document',
  days: 365,
  since: 'created_at',
  when: sql`NOT EXISTS (SELECT FROM sender_id s WHERE s.id = t.sender_id_id)`,
  rows: 200,
  file: 'file_path',
  nightly: true,
};

/** Returns the kind of a file by its first bytes; throws a 422 unless it is one of the kinds and its name fits. */
export function documentType(name: string, data: Buffer): SenderDocumentType {
  const image = imageHead(data)?.type;
  const type =
    data.toString('latin1', 0, 5) === '%PDF-' ? 'application/pdf' : image === 'image/webp' ? undefined : image;
  if (!type) throw fieldError('file', 'document_kind');
  if (!SENDER_DOCUMENT_TYPES[type].some((end) => name.toLowerCase().endsWith(end)))
    throw fieldError('file', 'document_name', { ends: SENDER_DOCUMENT_TYPES[type].join(', ') });
  return type;
}

/** Returns a file's name without its folders, and without characters that hide or turn its letters. */
const shownName = (name: string): string =>
  name
    .replace(/^.*[\\/]/s, '')
    .replace(/\p{C}/gu, '')
    .trim()
    .slice(-200) || '-';

const rowsOf = ({ db }: Pick<Context, 'db'>, senderId: number, id: number | null = null) =>
  sql<Row>`SELECT d.id, d.name, d.type, d.size, d.created_at, u.name AS user_name
    FROM sender_document d LEFT JOIN user_account u ON u.id = d.added_by
    WHERE d.sender_id_id = ${senderId} AND (${id}::bigint IS NULL OR d.id = ${id}) ORDER BY d.id`.execute(db);

async function logDocument(
  ctx: Context,
  sender: Sender,
  to: 'document_added' | 'document_removed',
  file: { name: string; size: number; sha256: string },
): Promise<void> {
  await recordEvent(ctx.db, sender, { from: sender.state, to, user_id: ctx.caller.user_id, reason: file.name });
  await audit(ctx, {
    name: 'sender-ids',
    description: to === 'document_added' ? 'document added' : 'document removed',
    subject_type: 'sender-ids',
    subject_id: sender.id,
    corporation_id: sender.corporation_id,
    [to === 'document_added' ? 'after' : 'before']: { name: file.name, size: file.size, sha256: file.sha256 },
  });
}

/** Records a stored file as a document of a sender ID. Throws `not_found`, and a 422 if there are too many. */
async function keep(
  ctx: Context,
  id: number,
  file: Pick<StoredFile, 'path' | 'size' | 'sha256'> & { name: string; type: string },
) {
  const sender = await lockSender(ctx, id);
  const { rows: present } = await rowsOf(ctx, id);
  if (present.length >= MOST_SENDER_DOCUMENTS)
    throw fieldError('file', 'document_count', { count: MOST_SENDER_DOCUMENTS });
  const { path: file_path, ...fields } = file;
  const made = await ctx.db
    .insertInto('sender_document')
    .values({
      ...fields,
      file_path,
      corporation_id: sender.corporation_id,
      sender_id_id: sender.id,
      added_by: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await logDocument(ctx, sender, 'document_added', file);
  const { rows } = await rowsOf(ctx, id, made.id);
  return { data: rows[0]!, message: translate(ctx.locale, 'sender.document.added', { name: file.name }) };
}

async function find({ db }: Context, id: number) {
  const row = await db.selectFrom('sender_document').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Mounts the documents of sender IDs: their list, upload, download and removal. */
export function mountDocuments(app: App): void {
  const visible = (ctx: Context, id: number) =>
    requireVisible(ctx, 'sender_id', id, 'id').catch(() => {
      throw new BusinessError('not_found');
    });
  mount(app, listSenderDocuments, async (ctx, { params }) => {
    await visible(ctx, params.id);
    return { data: (await rowsOf(ctx, params.id)).rows };
  });
  mountUpload(app, addSenderDocument, async (base, { params, file }, run) => {
    // The file is read before any answer, or a browser would not receive the answer.
    const data = await readSmall(file, SENDER_DOCUMENT_BYTES + 1);
    await run((ctx) => visible(ctx, params.id));
    if (!data) throw tooLarge(SENDER_DOCUMENT_BYTES);
    const name = shownName(file.file_name);
    const type = documentType(name, data);
    const stored = await storeFile(base.config, Readable.from([data]), SENDER_DOCUMENT_BYTES, async () => undefined);
    try {
      return await run((ctx) =>
        keep(ctx, params.id, { name, type, path: stored.path, size: stored.size, sha256: stored.sha256 }),
      );
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
  mountFile(app, getSenderDocument, 'none', async (ctx, { params }) => {
    const { name, type, file_path } = await find(ctx, params.id);
    const { permissions } = ctx.caller;
    if (!permissions.has('sender-ids-edit') && !permissions.has('sender-ids-decide'))
      throw new BusinessError('forbidden');
    return { stream: () => readFile(ctx.config, file_path), name, type };
  });
  mount(app, removeSenderDocument, async (ctx, { params }) => {
    const document = await find(ctx, params.id);
    const sender = await lockSender(ctx, document.sender_id_id);
    if (sender.state !== 'draft' && sender.state !== 'rejected') throw new BusinessError('sender_document_kept');
    const { numDeletedRows } = await ctx.db
      .deleteFrom('sender_document')
      .where('id', '=', document.id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new BusinessError('not_found');
    await logDocument(ctx, sender, 'document_removed', document);
    ctx.afterCommit(() => void removeFile(ctx.config, document.file_path).catch(() => undefined));
    return { message: translate(ctx.locale, 'sender.document.removed', { name: document.name }) };
  });
}
