import { readdir, stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { filePath, removeFile } from '#platform/files';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Takes away uploaded files and reports of refused rows that nobody needs any more. */
export const removeOldFilesJob = defineJob('remove-old-files', z.object({}));

/** Days for which the report of refused rows can be fetched. */
const REPORT_DAYS = 30;
const DAY_MS = 86_400_000;
/** A file without a row may be on its way into one; after so long it is left over from a process that died. */
const ORPHAN_MS = 2 * DAY_MS;
const AT_ONCE = 500;
const NAME = /^[0-9a-f-]{36}\.[a-z]+$/;

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;

/** Removes reports older than 30 days, and files that no row names. */
export async function removeOldFiles(worker: Worker, signal: AbortSignal): Promise<void> {
  const before = new Date(worker.clock.now().getTime() - REPORT_DAYS * DAY_MS).toISOString();
  await removeReports(worker, before, signal);
  await removeOrphans(worker, signal);
}

async function removeReports({ database, config }: Worker, before: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const old = await database
      .selectFrom('import')
      .select(['id', 'error_path'])
      .where('finished_at', '<', before)
      .where('error_path', 'is not', null)
      .limit(AT_ONCE)
      .execute();
    if (old.length === 0) break;
    // Files first: a row is what finds its file again when this is cut short.
    for (const { error_path } of old) await removeFile(config, error_path!);
    const ids = old.map(({ id }) => id);
    await database.updateTable('import').set({ error_path: null }).where('id', 'in', ids).execute();
  }
  for (;;) {
    signal.throwIfAborted();
    const old = await database
      .selectFrom('bulk_upload')
      .select(['id', 'error_path'])
      .where('finished_at', '<', before)
      .limit(AT_ONCE)
      .execute();
    if (old.length === 0) break;
    for (const { error_path } of old) await removeFile(config, error_path);
    const ids = old.map(({ id }) => id);
    await database.deleteFrom('bulk_upload').where('id', 'in', ids).execute();
  }
}

/** Every column of every table that names a stored file: also those that did not exist when this was written. */
const PATH_COLUMNS = sql<{ table: string; column: string }>`
  SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name LIKE '%\\_path'`;

async function removeOrphans({ database, config, clock }: Worker, signal: AbortSignal): Promise<void> {
  const { rows: columns } = await PATH_COLUMNS.execute(database);
  const named = sql.join(
    columns.map(
      ({ table, column }) => sql`EXISTS (SELECT FROM ${sql.table(table)} t WHERE t.${sql.ref(column)} = f.path)`,
    ),
    sql` OR `,
  );
  for (const folder of ['uploads', 'rejects'] as const) {
    const old: string[] = [];
    for (const name of await readdir(filePath(config, `${folder}/${'0'.repeat(36)}`).slice(0, -37)).catch(() => [])) {
      if (!NAME.test(name)) continue;
      const path = `${folder}/${name}`;
      const { mtimeMs } = await stat(filePath(config, path)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (mtimeMs < clock.now().getTime() - ORPHAN_MS) old.push(path);
    }
    for (let at = 0; at < old.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const { rows } = await sql<{ path: string }>`
        SELECT f.path FROM unnest(${old.slice(at, at + AT_ONCE)}::text[]) AS f(path) WHERE NOT (${named})`.execute(
        database,
      );
      for (const { path } of rows) await removeFile(config, path);
    }
  }
}
