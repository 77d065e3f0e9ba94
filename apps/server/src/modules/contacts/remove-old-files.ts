import { sql } from 'kysely';
import { z } from 'zod';
import { FOLDERS, listFiles, removeFile, removeUnfinished, UNFINISHED_MS } from '#platform/files/files';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';

/** Job that deletes files that no row names. */
export const removeOldFilesJob = defineJob('remove-old-files', z.object({}));

const AT_ONCE = 500;

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;

/** Deletes old files that no row names, and unfinished files. */
export async function removeOldFiles(worker: Worker, signal: AbortSignal): Promise<void> {
  const unfinished = new Date(worker.clock.now().getTime() - UNFINISHED_MS);
  await removeOrphans(worker, unfinished, signal);
  await removeUnfinished(worker.config, unfinished);
}

/** Query for every column of every table that names a stored file, including those added later. */
const PATH_COLUMNS = sql<{ table: string; column: string }>`
  SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
  JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.column_name LIKE '%\\_path'
    AND NOT EXISTS (SELECT FROM pg_class p WHERE p.oid = to_regclass(format('public.%I', c.table_name)) AND p.relispartition)`;

/** Deletes files without a row. A new one may be about to get its row; an old one was left by a process that died. */
async function removeOrphans({ database, config }: Worker, before: Date, signal: AbortSignal): Promise<void> {
  const { rows: columns } = await PATH_COLUMNS.execute(database);
  const named = sql.join(
    columns.map(
      ({ table, column }) => sql`EXISTS (SELECT FROM ${sql.table(table)} t WHERE t.${sql.ref(column)} = f.path)`,
    ),
    sql` OR `,
  );
  for (const folder of FOLDERS) {
    const old: string[] = [];
    for await (const { path, kept_at } of listFiles(config, folder)) if (kept_at < before) old.push(path);
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
