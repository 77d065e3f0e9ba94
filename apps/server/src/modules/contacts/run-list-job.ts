import type { startListJob } from '@heliograph/contract/contacts/list-job';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { analyzeAfter } from '#platform/database/analyze';
import type { Database } from '#platform/database/db';
import { readNumberRules } from '#platform/operator/number-rules';
import { runTask, type TaskRun, type TaskWorker } from '#platform/tasks/run-task';
import type { Task } from '#platform/tasks/task';
import { LIST_LOCK } from './incoming-numbers.ts';
import { listTask } from './list-jobs.ts';
import { selectedNumbers } from './number-selection.ts';

type Parameters = Omit<BodyOf<typeof startListJob>, 'kind'>;

/** Numbers between two progress updates. */
const BATCH = 50_000;
const VALUES = MERGE_FIELDS.join(', ');

/**
 * Does the requested work with the numbers of a list, in one transaction that also ends the work. If a worker dies, the
 * lists are unchanged, and the next attempt begins again.
 */
export const runListJob = (worker: TaskWorker, id: number, signal: AbortSignal): Promise<void> =>
  runTask(worker, listTask, id, signal, async (run) => {
    const { database } = worker;
    await run.save({ state: 'running', rows_total: 0, rows_done: 0, rows_changed: 0 });
    const { rows_changed } = await database.transaction().execute(async (db) => {
      const counts = await work(db, run);
      await run.end('done', counts, db);
      return counts;
    });
    await analyzeAfter(database, rows_changed, 'number_list_number');
  });

type Counts = Pick<Task, 'rows_total' | 'rows_done' | 'rows_changed'>;

async function work(db: Kysely<Database>, { task, signal, report }: TaskRun): Promise<Counts> {
  const { kind, parameters } = task;
  const number_list_id = task.number_list_id!;
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
        : sql`n.number_list_id = ${number_list_id} AND ${selectedNumbers(selection, await readNumberRules(db), task)}`;
  // New rows get their ids in this order. In that of the numbers, ids would tell which of two masked ones is larger.
  const order = task.numbers_visible ? sql`n.number` : sql`hashtextextended(n.number, 20)`;
  await sql`CREATE TEMP TABLE chosen ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY ${order}, n.number, n.number_list_id) AS place, n.number_list_id, n.number
    FROM number_list_number_row n WHERE ${chosen}`.execute(db);
  await db.executeQuery(CompiledQuery.raw('CREATE UNIQUE INDEX ON chosen (place)'));
  await db.executeQuery(CompiledQuery.raw('ANALYZE chosen'));
  const { rows } = await sql<{ total: number }>`SELECT count(*) AS total FROM chosen`.execute(db);
  const counts = { rows_total: rows[0]!.total, rows_done: 0, rows_changed: 0 };
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
    await report({ ...counts });
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
