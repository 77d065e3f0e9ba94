import type { task as contract, TASK_STATES, TaskType } from '@heliograph/contract/kernel/task';
import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Database } from '../database/db.ts';
import { BusinessError, constraintError } from '../errors.ts';
import { enqueue, type Job } from '../jobs/jobs.ts';
import type { Retention } from '../jobs/retention.ts';
import { emit } from '../realtime/realtime.ts';

export type Task = Selectable<Database['task']>;
type Change = Updateable<Database['task']>;

/** Type of tasks: how programs and people learn of them. */
export interface TaskKind<T extends TaskType = TaskType> {
  readonly type: T;
  /** Live event of this type only, with its data; everything is also told as `task.progress`. */
  readonly event?: { readonly name: string; onWire(row: Task): object };
  /** Address of the refused rows; only for types that read an uploaded file. */
  errorsPath?(id: number): string;
  /** Cancels a task of this type, where that takes more than ending it. */
  cancel?(ctx: Context, row: Task): Promise<void>;
  /** Last step of the transaction that ends a task. */
  ended?(db: Kysely<Database>, row: Task): Promise<void>;
}

/** Declarations of all types of tasks. */
export type TaskKinds = { readonly [T in TaskType]: TaskKind<T> };

/** Job that works on a task of a type. Its data is the task's id, in a field that is named after the type. */
export type TaskJob<T extends TaskType> = Job<z.ZodType<{ [Field in `${T}_id`]: number }>>;

/** Condition on tasks that a worker has, or will have. An index finds them. */
export const IS_OPEN = sql<boolean>`state IN ('queued', 'running', 'checking', 'applying')`;

/** Code of a task that its person cancelled. */
export const CANCELLED = 'task_cancelled';

/** Finds a task of a type; undefined if the caller sees none with this id. */
export const findTask = (db: Kysely<Database>, { type }: TaskKind, id: number): Promise<Task | undefined> =>
  db.selectFrom('task').selectAll().where('type', '=', type).where('id', '=', id).executeTakeFirst();

/** Returns a task of a type that the caller sees; throws `not_found`. */
export async function requireTask(ctx: Pick<Context, 'db'>, kind: TaskKind, id: number): Promise<Task> {
  const row = await findTask(ctx.db, kind, id);
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Tells whether a task still exists and was not cancelled. */
export async function isWanted(db: Kysely<Database>, kind: TaskKind, id: number): Promise<boolean> {
  const row = await findTask(db, kind, id);
  return row !== undefined && row.state !== 'discarded' && row.error_code !== CANCELLED;
}

/** Unique indexes that refuse the same file a second time. */
const SAME_FILE = {
  import_number_list_id_file_sha256: 'file_already_uploaded',
  bulk_upload_file: 'file_already_uploaded',
  card_upload_price_plan_id_file_sha256: 'file_already_uploaded',
} as const;

/** Stores a task of the caller and queues its job. Throws `file_already_uploaded` if its file is a second copy. */
export async function queueTask<T extends TaskType>(
  ctx: Pick<Context, 'db' | 'caller'>,
  { type }: TaskKind<T>,
  job: TaskJob<T>,
  values: Omit<Insertable<Database['task']>, 'type' | 'user_id'>,
): Promise<Task> {
  const row = await ctx.db
    .insertInto('task')
    .values({ ...values, type, user_id: ctx.caller.user_id, numbers_visible: ctx.caller.numbers_visible })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw constraintError(error, SAME_FILE) ?? error;
    });
  await queueJob(ctx.db, { type }, job, row);
  return row;
}

/** Queues a job of a task. */
export const queueJob = <T extends TaskType>(
  db: Kysely<Database>,
  { type }: Pick<TaskKind<T>, 'type'>,
  job: TaskJob<T>,
  { id, corporation_id }: Task,
): Promise<void> =>
  enqueue(db, job, { [`${type}_id`]: id } as { [Field in `${T}_id`]: number }, { tenant: corporation_id });

/**
 * Stores the progress or the end of a task and tells its person. Answers false, and changes nothing, if the task has
 * ended, or if `held` is given and another worker writes its file now.
 */
export function saveTask(
  db: Kysely<Database>,
  kind: TaskKind,
  id: number,
  change: Change,
  held?: Pick<Task, 'file_path'>,
): Promise<boolean> {
  const save = async (trx: Kysely<Database>) => {
    const row = await trx
      .updateTable('task')
      .set(change)
      .where('type', '=', kind.type)
      .where('id', '=', id)
      .where(IS_OPEN)
      .$if(held !== undefined, (q) => q.where('file_path', 'is not distinct from', held!.file_path))
      .returningAll()
      .executeTakeFirst();
    if (row) await tellTask(trx, kind, row);
    return row !== undefined;
  };
  return db.isTransaction ? save(db) : db.transaction().execute(save);
}

/** Tells a task's person of its state, within the transaction that changed it. */
export async function tellTask(db: Kysely<Database>, kind: TaskKind, row: Task): Promise<void> {
  const channel = `private-App.Models.User.${row.user_id}`;
  if (kind.event) await emit(db, channel, kind.event.name, kind.event.onWire(row));
  await emit(db, channel, 'task.progress', taskOnWire(kind, row));
  if (row.finished_at !== null) await kind.ended?.(db, row);
}

/** Answers the address of a task's refused rows. While the file is read, the list grows, and a retry starts it again. */
export function errorFile(kind: TaskKind, row: Task): string | null {
  const isRead = ['queued', 'running', 'checking'].includes(row.state);
  if (isRead || row.error_path === null || row.rows_rejected + row.rows_duplicate === 0) return null;
  return kind.errorsPath?.(row.id) ?? null;
}

type Wire = z.input<typeof contract>;
const STATES: Readonly<Record<string, (typeof TASK_STATES)[number]>> = {
  queued: 'queued',
  running: 'running',
  checking: 'running',
  applying: 'running',
  ready: 'ready',
  done: 'done',
  applied: 'done',
  failed: 'failed',
  discarded: 'cancelled',
};

/** A task as its person sees it among all others. */
export function taskOnWire(kind: TaskKind, row: Task): Wire {
  const state = row.error_code === CANCELLED ? 'cancelled' : STATES[row.state]!;
  return {
    type: kind.type,
    id: row.id,
    kind: row.kind,
    state,
    file_name: row.download_file ?? row.file_name,
    share: shareOf(row, state),
    rows: row.rows + row.rows_added + row.rows_changed + row.rows_new,
    rows_rejected: row.rows_rejected,
    number_list_id: row.number_list_id,
    price_plan_id: row.price_plan_id,
    error_code: row.error_code,
    error_params: row.error_params as Wire['error_params'],
    error_file: errorFile(kind, row),
    cancelable: isCancelable(row),
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

/** Tells whether a task may be cancelled: a rate card may not once it is applied. */
const isCancelable = ({ state }: Task): boolean => ['queued', 'running', 'checking', 'ready'].includes(state);

/** Cancels a task, which ends the statement that a worker runs for it. Throws `invalid_transition` if it has ended. */
export async function cancelTask(ctx: Context, kind: TaskKind, before: Task): Promise<Task> {
  if (!isCancelable(before)) throw new BusinessError('invalid_transition');
  if (kind.cancel) await kind.cancel(ctx, before);
  else {
    const { numUpdatedRows } = await ctx.db
      .updateTable('task')
      .set({ state: 'failed', error_code: CANCELLED, finished_at: ctx.clock.now().toISOString() })
      .where('type', '=', kind.type)
      .where('id', '=', before.id)
      .where('state', '=', before.state)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new BusinessError('invalid_transition');
  }
  const row = await requireTask(ctx, kind, before.id);
  await tellTask(ctx.db, kind, row);
  return row;
}

function shareOf({ rows_total, rows_done, bytes_total, bytes_read }: Task, state: Wire['state']): number | null {
  if (state === 'done') return 1;
  if (rows_total > 0) return rows_done / rows_total;
  // The rows of a file are added only after it was read.
  return bytes_total > 0 && bytes_read < bytes_total ? bytes_read / bytes_total : null;
}

const afterMonth = (partition: TaskType, rest: Pick<Retention, 'staysWithoutFile' | 'when'> = {}): Retention => ({
  table: 'task',
  partition,
  days: 30,
  since: 'finished_at',
  rows: 500,
  file: 'error_path',
  nightly: true,
  ...rest,
});

const staysWithoutReport = { staysWithoutFile: true, when: sql`error_path IS NOT NULL` };

/** Retention of tasks that ended, except exports. Imports and rate cards lose their refused rows and stay as a record. */
export const taskRetention: readonly Retention[] = [
  afterMonth('import', staysWithoutReport),
  afterMonth('card_upload', staysWithoutReport),
  afterMonth('bulk_upload'),
  afterMonth('list_job'),
];
