import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/db.ts';
import { removeFile } from '../files/files.ts';
import { defineJob, retireJobs } from './jobs.ts';
import type { WorkerContext } from './worker-context.ts';

/** Job that removes what is older than the rules of retention allow. */
export const removeOldJob = defineJob('remove-old', z.object({}));

const EVERY_HOUR = '17 * * * *';
/** Hour (UTC) in which the rules for the night are followed too. */
const AT_NIGHT = 3;
const DAY_MS = 86_400_000;

/** Rule of retention: rows of a table, the days for which they are kept, and how many are removed at a time. */
export type Retention = { [T in keyof Database]: RetentionOf<T> }[keyof Database];

interface RetentionOf<T extends keyof Database> {
  readonly table: T;
  /** The partition that the rule is for. */
  readonly partition?: string;
  readonly days: number;
  /** Column of the time from which the days count. */
  readonly since: keyof Database[T] & string;
  /** Further condition on the row, which is named `t`. */
  readonly when?: RawBuilder<unknown>;
  /** Columns by which the oldest row comes first; the default is the id. */
  readonly order?: readonly (keyof Database[T] & string)[];
  readonly rows: number;
  /** Rows age in the order of `order`: only the first `rows` are looked at, so that an index finds them. */
  readonly inOrder?: boolean;
  /** Column of a stored file that is removed before its row; such a table has an `id`. */
  readonly file?: keyof Database[T] & string;
  /** The row stays, and only forgets its file. */
  readonly staysWithoutFile?: boolean;
  /** Once a night instead of every hour: no index finds the rows. */
  readonly nightly?: boolean;
}

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;

/** Registers the one job that follows all rules; `retired` are names of jobs of earlier releases that did this work. */
export async function retentionJob(
  worker: WorkerContext,
  rules: readonly Retention[],
  retired: readonly string[],
): Promise<void> {
  const { jobs, database, clock } = worker;
  await retireJobs(database, retired);
  await jobs.work(removeOldJob, async (_data, signal) => {
    // A worker of an earlier release that started meanwhile has scheduled them again.
    await retireJobs(database, retired);
    const isNight = clock.now().getUTCHours() === AT_NIGHT;
    const due = rules.filter(({ nightly }) => isNight || !nightly);
    await removeOld(worker, due, signal);
  });
  await jobs.schedule(removeOldJob, EVERY_HOUR);
}

/** Removes what is too old by each rule, in batches. If one rule fails, the others are followed before it is thrown. */
export async function removeOld(worker: Worker, rules: readonly Retention[], signal: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const rule of rules)
    try {
      do signal.throwIfAborted();
      while ((await removeSome(worker, rule)) > 0);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, 'some old rows could not be removed');
}

/** Removes one batch and answers its number of rows. */
async function removeSome({ database, config, clock }: Worker, rule: Retention): Promise<number> {
  const { file } = rule;
  const table = sql.table(rule.partition ?? rule.table);
  const before = new Date(clock.now().getTime() - rule.days * DAY_MS);
  if (!file) {
    const { numAffectedRows } = await sql`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${oldRows(rule, sql`ctid`, before)}))`.execute(database);
    return Number(numAffectedRows);
  }
  const old = oldRows(rule, sql`id, ${sql.ref(file)} AS path`, before);
  const { rows } = await sql<{ id: number; path: string | null }>`${old}`.execute(database);
  // Files go first: if this is interrupted, the row still leads to its file.
  for (const { path } of rows) if (path !== null) await removeFile(config, path);
  const change = rule.staysWithoutFile
    ? sql`UPDATE ${table} t SET ${sql.ref(file)} = NULL`
    : sql`DELETE FROM ${table} t`;
  const ids = rows.map(({ id }) => id);
  // An id may be that of a row of another kind too.
  await sql`${change} WHERE id = ANY (${ids}::bigint[]) AND ${rule.when ?? sql`true`}`.execute(database);
  return rows.length;
}

/** Query for columns of the next rows that are too old. */
function oldRows(
  { table, partition, since, when, order = ['id'], rows, inOrder }: Retention,
  columns: RawBuilder<unknown>,
  before: Date,
) {
  const all = sql.table(partition ?? table);
  const first = sql`ORDER BY ${sql.join(order.map((column) => sql.ref(column)))} LIMIT ${rows}`;
  return sql`
    SELECT ${columns} FROM ${inOrder ? sql`(SELECT *, ctid FROM ${all} ${first})` : all} t
    WHERE t.${sql.ref(since)} < ${before.toISOString()} AND ${when ?? sql`true`} ${inOrder ? sql`` : first}`;
}
