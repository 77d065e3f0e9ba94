import type { startListJob } from '@heliograph/contract/contacts/list-job';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { CompiledQuery, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { analyzeAfter } from '#platform/database/analyze';
import type { Database } from '#platform/database/db';
import { lastingFailure } from '#platform/jobs/failure';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readNumberRules } from '#platform/operator/number-rules';
import { emit } from '#platform/realtime/realtime';
import { throttled } from '#platform/tasks/progress';
import { LIST_LOCK } from './incoming-numbers.ts';
import { listJobOnWire } from './list-jobs.ts';
import { selectedNumbers } from './number-selection.ts';

type ListJob = Selectable<Database['list_job']>;
type Parameters = Omit<BodyOf<typeof startListJob>, 'kind'>;
type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/** Numbers between two progress updates. */
const BATCH = 50_000;
const VALUES = MERGE_FIELDS.join(', ');

/**
 * Does the requested work with the numbers of a list, in one transaction that also ends the work. If a worker dies, the
 * lists are unchanged, and the next attempt begins again.
 */
export async function runListJob(worker: Worker, id: number, signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  const row = await database.selectFrom('list_job').selectAll().where('id', '=', id).executeTakeFirst();
  // The work was deleted with its list, or another worker has ended it.
  if (!row || row.finished_at !== null) return;
  try {
    await saveProgress(database, id, { state: 'running', rows_total: 0, rows_done: 0, rows_changed: 0 });
    const { rows_changed } = await database.transaction().execute(async (db) => {
      const counts = await work(worker, db, row, signal);
      const finished_at = clock.now().toISOString();
      await saveProgress(db, id, { ...counts, state: 'done', finished_at });
      return counts;
    });
    await analyzeAfter(database, rows_changed, 'number_list_number');
  } catch (error) {
    const error_code = lastingFailure(error, signal);
    if (!error_code) throw error;
    worker.log.error({ err: error, list_job_id: id }, 'list job failed');
    await saveProgress(database, id, {
      state: 'failed',
      error_code,
      rows_changed: 0,
      finished_at: clock.now().toISOString(),
    });
  }
}

type Counts = Pick<ListJob, 'rows_total' | 'rows_done' | 'rows_changed'>;

async function work({ database }: Worker, db: Kysely<Database>, row: ListJob, signal: AbortSignal): Promise<Counts> {
  const { kind, number_list_id, parameters } = row;
  const { target_list_id, list_ids, delete_lists, selection } = parameters as unknown as Parameters;
  const to = kind === 'merge' ? number_list_id : target_list_id;
  const others = [...list_ids, ...(target_list_id === null ? [] : [target_list_id])];
  // Changes of a list wait for each other, and locks are taken in one order. Otherwise two would wait for each other's
  // numbers in a circle.
  for (const list of [number_list_id, ...others].sort((a, b) => a - b))
    await sql`SELECT pg_advisory_xact_lock(${LIST_LOCK}, hashint8(${list}))`.execute(db);
  const chosen =
    kind === 'merge'
      ? sql`n.number_list_id = ANY (${`{${list_ids.join()}}`}::bigint[])`
      : kind === 'deduplicate'
        ? sql`n.number_list_id = ${number_list_id} AND EXISTS (SELECT FROM number_list_number o
            WHERE o.number_list_id = ANY (${`{${list_ids.join()}}`}::bigint[]) AND o.number = n.number)`
        : sql`n.number_list_id = ${number_list_id} AND ${selectedNumbers(selection, await readNumberRules(db))}`;
  await sql`CREATE TEMP TABLE chosen ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY n.number, n.number_list_id) AS place, n.number_list_id, n.number
    FROM number_list_number_row n WHERE ${chosen}`.execute(db);
  await db.executeQuery(CompiledQuery.raw('CREATE UNIQUE INDEX ON chosen (place)'));
  await db.executeQuery(CompiledQuery.raw('ANALYZE chosen'));
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total FROM chosen`.execute(db);
  const counts = { rows_total: rows[0]!.total, rows_done: 0, rows_changed: 0 };
  const tell = throttled((next: Counts) => saveProgress(database, row.id, { ...next }));
  const added = kind === 'deduplicate' || kind === 'delete' ? null : to;
  const removes = kind === 'deduplicate' || kind === 'delete' || kind === 'move';
  let in_ = 0;
  let out = 0;
  for (let from = 0; from < counts.rows_total; from += BATCH) {
    signal.throwIfAborted();
    const part = sql`c.place > ${from} AND c.place <= ${from + BATCH}`;
    if (added !== null) {
      const inserted = await sql`
        INSERT INTO number_list_number (number_list_id, number, ${sql.raw(VALUES)})
        SELECT ${added}, n.number, ${sql.raw(VALUES)} FROM chosen c JOIN number_list_number n USING (number_list_id, number)
        WHERE ${part} ORDER BY c.place ON CONFLICT DO NOTHING`.execute(db);
      in_ += Number(inserted.numAffectedRows ?? 0n);
    }
    if (removes) {
      const removed = await sql`
        DELETE FROM number_list_number n USING chosen c
        WHERE ${part} AND n.number_list_id = c.number_list_id AND n.number = c.number`.execute(db);
      out += Number(removed.numAffectedRows ?? 0n);
    }
    counts.rows_done = Math.min(counts.rows_total, from + BATCH);
    counts.rows_changed = added === null ? out : in_;
    await tell(counts);
  }
  await addToCount(db, number_list_id, -out);
  if (added !== null) await addToCount(db, added, in_);
  if (kind === 'merge' && delete_lists) await db.deleteFrom('number_list').where('id', 'in', list_ids).execute();
  return counts;
}

async function addToCount(db: Kysely<Database>, list: number, difference: number): Promise<void> {
  if (difference === 0) return;
  await db
    .updateTable('number_list')
    .set({ numbers_count: sql`numbers_count + ${difference}` })
    .where('id', '=', list)
    .execute();
}

/** Writes the progress of the work and notifies the person who asked for it, unless it has ended meanwhile. */
async function saveProgress(db: Kysely<Database>, id: number, next: Updateable<Database['list_job']>): Promise<void> {
  const row = await db
    .updateTable('list_job')
    .set(next)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row) await emit(db, `private-App.Models.User.${row.user_id}`, 'list.progress', listJobOnWire(row));
}
