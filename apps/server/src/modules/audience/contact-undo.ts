import { contact } from '@heliograph/contract/audience/contact';
import { CONTACT_IMPORT } from '@heliograph/contract/audience/contact-import';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import type { Retention } from '#platform/jobs/retention';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Task } from '#platform/tasks/task';
import { contactReading, lockContacts } from './contact-import.ts';

/** Job that undoes an import of contacts. */
export const undoContactImportJob = defineJob('undo-contact-import', z.object({ bulk_upload_id: z.int() }));

/** Retention of what imports have changed: as long as they can be undone. */
export const contactChangeRetention: Retention = {
  table: 'contact_change',
  days: CONTACT_IMPORT.undoDays,
  since: 'at',
  order: ['at'],
  rows: 10_000,
  // No index: it would be written for every row of every file.
  nightly: true,
};

/**
 * Undoes an import in one transaction: contacts that it added go, changed ones return to what they were, and numbers that
 * it put into a list leave it. Contacts that somebody has changed or deleted since stay as they are. It is safe to repeat.
 */
export async function undoContactImport(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  id: number,
  signal: AbortSignal,
): Promise<void> {
  await database.transaction().execute(async (db) => {
    const task = await db
      .selectFrom('task')
      .selectAll()
      .where('type', '=', 'bulk_upload')
      .where('id', '=', id)
      .where('mode', '=', 'undoing')
      .forUpdate()
      .executeTakeFirst();
    if (!task) return;
    const { columns, parameters } = await contactReading(db, task.corporation_id!, task.parameters);
    await lockContacts(db, task.corporation_id!, parameters.number_list_id);
    const { rows: counted } = await sql<{ all: number }>`
      SELECT count(*) AS all FROM contact_change WHERE bulk_upload_id = ${id}`.execute(db);
    await leaveList(db, id, parameters.number_list_id);
    const mine = sql`h.bulk_upload_id = ${id} AND c.id = h.contact_id AND c.updated_at = h.at`;
    const gone = await sql`DELETE FROM contact c USING contact_change h
      WHERE ${mine} AND h.before IS NULL`.execute(db);
    signal.throwIfAborted();
    // A field that was deleted since may have left its column to another one.
    const own = ['name', 'tags', 'updated_at', ...columns.fields.map(({ slot }) => slot)];
    const returned = own.map((column) => sql`${sql.ref(column)} = b.${sql.ref(column)}`);
    const back = await sql`UPDATE contact c SET ${sql.join(returned)}
      FROM contact_change h CROSS JOIN LATERAL (
        SELECT r.* FROM contact p CROSS JOIN LATERAL jsonb_populate_record(p, h.before) r WHERE p.id = h.contact_id) b
      WHERE ${mine} AND h.before IS NOT NULL`.execute(db);
    await db.deleteFrom('contact_change').where('bulk_upload_id', '=', id).execute();
    await db.deleteFrom('refused_contact').where('bulk_upload_id', '=', id).execute();
    const undone = Number(gone.numAffectedRows ?? 0n) + Number(back.numAffectedRows ?? 0n);
    const counts = { rows_done: undone, rows_same: counted[0]!.all - undone };
    await db
      .updateTable('task')
      .set({ mode: 'undone', ...counts })
      .where('type', '=', 'bulk_upload')
      .where('id', '=', id)
      .execute();
    await noteUndo({ db, clock }, task, counts);
  });
}

/** Takes the numbers out of the list that the import put there. */
async function leaveList(db: Kysely<Database>, id: number, listId: number | null): Promise<void> {
  if (listId === null) return;
  const left = await sql`DELETE FROM number_list_number n USING contact_change h, contact c
    WHERE h.bulk_upload_id = ${id} AND h.listed AND c.id = h.contact_id AND c.updated_at = h.at
      AND n.number_list_id = ${listId} AND n.number = h.number`.execute(db);
  await db
    .updateTable('number_list')
    .set({ numbers_count: sql`numbers_count - ${Number(left.numAffectedRows ?? 0n)}` })
    .where('id', '=', listId)
    .execute();
}

const noteUndo = (
  { db, clock }: { db: Kysely<Database>; clock: WorkerContext['clock'] },
  { user_id, corporation_id, file_name }: Task,
  counts: object,
): Promise<void> =>
  audit(
    { db, clock, caller: { user_id, corporation_id } },
    {
      name: contact.name,
      description: 'undone',
      subject_type: contact.name,
      subject_id: null,
      after: { file_name, ...counts },
    },
  );
