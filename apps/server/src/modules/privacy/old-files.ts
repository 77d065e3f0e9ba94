import { rowsOf } from '#platform/database/queryable';
import { removeFile } from '#platform/files/files';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { FILE_COLUMNS } from './person-files.ts';

type Worker = Pick<WorkerContext, 'database' | 'config'>;
type Table = (typeof FILE_COLUMNS)[number][0];

/** Files that are removed at a time. */
const AT_ONCE = 200;

/** Column of the time from which a file's age counts, and the condition that nobody needs it any more, by table. */
const OLD: Readonly<Record<Table, { since: string; unused: string }>> = {
  upload: {
    since: 'created_at',
    unused: `NOT EXISTS (SELECT FROM campaign c WHERE (c.content ->> 'file_id')::bigint = t.id
        AND c.state NOT IN ('completed', 'stopped', 'failed', 'discarded', 'rejected'))
      AND NOT EXISTS (SELECT FROM campaign_draft d WHERE (d.content ->> 'file_id')::bigint = t.id)
      AND NOT EXISTS (SELECT FROM campaign_series s WHERE (s.content ->> 'file_id')::bigint = t.id AND s.state <> 'ended')
      AND NOT EXISTS (SELECT FROM campaign_test x JOIN campaign_test_variant v ON v.test_id = x.id JOIN quote q ON q.id = v.sample_quote_id
        WHERE x.corporation_id = t.corporation_id AND x.state NOT IN ('finished', 'stopped')
          AND (q.content ->> 'file_id')::bigint = t.id)`,
  },
  task: { since: 'finished_at', unused: "t.state NOT IN ('queued', 'running', 'checking', 'applying')" },
  campaign: { since: 'finished_at', unused: 't.finished_at IS NOT NULL' },
  quote: {
    since: 'created_at',
    unused: `t.state <> 'counting' AND NOT EXISTS (SELECT FROM campaign c WHERE c.rejected_path = t.rejected_path)`,
  },
  scheduled_file_run: { since: 'sent_at', unused: "t.state = 'sent'" },
};

/** Removes the stored files of a corporation from before a UTC day, and then what rows show of them. */
export async function removeOldFiles(
  { database, config }: Worker,
  corporationId: number,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  for (const [table, column] of FILE_COLUMNS) {
    const { since, unused } = OLD[table];
    for (let count = AT_ONCE; count === AT_ONCE; ) {
      signal.throwIfAborted();
      const rows = await rowsOf<{ id: number; path: string }>(
        database,
        `SELECT t.id, t.${column} AS path FROM ${table} t WHERE t.corporation_id = $1 AND t.${column} IS NOT NULL
           AND t.${since} < ($2::date::timestamp AT TIME ZONE 'UTC') AND ${unused} ORDER BY t.id LIMIT ${AT_ONCE}`,
        [corporationId, day],
      );
      count = rows.length;
      // Files go first: if this is interrupted, the row still leads to its file.
      for (const { path } of rows) await removeFile(config, path);
      const ids = rows.map(({ id }) => id);
      await rowsOf(
        database,
        table === 'upload'
          ? 'DELETE FROM upload WHERE id = ANY ($1::bigint[])'
          : `UPDATE ${table} SET ${column} = NULL${table === 'task' ? ", preview = '[]', faults = '[]'" : ''} WHERE id = ANY ($1::bigint[])`,
        [ids],
      );
    }
  }
}
