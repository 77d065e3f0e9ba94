import type { PersonKind } from '@heliograph/contract/privacy/person-request';
import { rowsOf } from '#platform/database/queryable';
import { removeFile } from '#platform/files/files';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Person } from './person.ts';
import { FILE_COLUMNS, type PersonFile, personFiles } from './person-files.ts';

type Worker = Pick<WorkerContext, 'database' | 'config'>;
type Step = (kind: PersonKind, change: (db: Worker['database']) => Promise<number>) => Promise<number>;

/** Condition on rows whose file nobody needs any more, by table. */
const UNUSED: Readonly<Record<PersonFile['table'], string>> = {
  upload: `NOT EXISTS (SELECT FROM campaign c WHERE (c.content ->> 'file_id')::bigint = t.id
    AND c.state IN ('preparing', 'pending', 'scheduled', 'running', 'paused'))`,
  task: "state NOT IN ('queued', 'running', 'checking', 'applying')",
  campaign: "state NOT IN ('preparing', 'pending')",
  quote: "state <> 'counting'",
  scheduled_file_run: "state = 'sent'",
};

/**
 * Removes the files that have a person's number, or that cannot be read as tables, and their paths. Answers how many are
 * still needed; those are removed later.
 */
export async function eraseFiles(worker: Worker, person: Person, signal: AbortSignal, step: Step): Promise<number> {
  let left = 0;
  for await (const { path } of personFiles(worker, person, signal)) {
    const used = FILE_COLUMNS.map(
      ([table, column]) => `EXISTS (SELECT FROM ${table} t WHERE t.${column} = $1 AND NOT (${UNUSED[table]}))`,
    );
    const [is] = await rowsOf<{ needed: boolean }>(worker.database, `SELECT ${used.join(' OR ')} AS needed`, [path]);
    if (is!.needed) {
      left++;
      continue;
    }
    // The file goes first: if this is interrupted, the row still leads to it.
    await removeFile(worker.config, path);
    await step('files', async (db) => {
      for (const [table, column] of FILE_COLUMNS)
        await rowsOf(
          db,
          table === 'upload'
            ? 'DELETE FROM upload WHERE file_path = $1'
            : `UPDATE ${table} SET ${column} = NULL WHERE ${column} = $1`,
          [path],
        );
      return 1;
    });
  }
  return left;
}
