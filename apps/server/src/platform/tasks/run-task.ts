import type { TaskType } from '@heliograph/contract/kernel/task';
import type { Kysely, Updateable } from 'kysely';
import type { Database } from '../database/db.ts';
import { BusinessError } from '../errors.ts';
import { dropDraft, removeFile } from '../files/files.ts';
import { failureParams, lastingFailure, NoLongerWanted } from '../jobs/failure.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { throttled } from './progress.ts';
import { findTask, isWanted, saveTask, type Task, type TaskJob, type TaskKind } from './task.ts';

type Change = Updateable<Database['task']>;
export type TaskWorker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

/** An attempt at a task. Its functions throw `NoLongerWanted` if the task has ended, or another worker has it. */
export interface TaskRun {
  readonly task: Task;
  readonly signal: AbortSignal;
  /** Stores a change and tells the task's person. */
  save(change: Change, db?: Kysely<Database>): Promise<void>;
  /** Stores progress as `save` does, at most once an interval. */
  report(change: Change): Promise<void>;
  /** Ends the task in a state, in the transaction `db` if it is given. */
  end(state: string, change: Change, db?: Kysely<Database>): Promise<void>;
  /** Makes every later change depend on the path of the file that this attempt writes. It is removed on failure. */
  hold(path: string, before: string | null, change: Change): Promise<void>;
}

/** Counts of a task that has changed nothing in the end. */
const NOTHING_CHANGED = { rows_added: 0, rows_duplicate: 0, rows_changed: 0 } as const;

/** Registers a job that works on the tasks of a type. Tenants take turns, and cancelling ends the running statement. */
export function workTasks<T extends TaskType>(
  { jobs, database }: Pick<WorkerContext, 'jobs' | 'database'>,
  kind: TaskKind<T>,
  job: TaskJob<T>,
  run: (id: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const idOf = (data: { [Field in `${T}_id`]: number }) => data[`${kind.type}_id`];
  return jobs.work(job, (data, signal) => run(idOf(data), signal), {
    inTurns: true,
    wanted: (data) => isWanted(database, kind, idOf(data)),
  });
}

/**
 * Makes an attempt at a task that is in one of the states `from`. A fault that does not pass by itself ends the task as
 * failed; any other is thrown, so that the job is tried again. An uploaded file is removed once it is not needed.
 */
export async function runTask(
  { database, config, clock, log }: TaskWorker,
  kind: TaskKind,
  id: number,
  signal: AbortSignal,
  work: (run: TaskRun) => Promise<void>,
  from: readonly string[] = ['queued', 'running'],
): Promise<void> {
  const task = await findTask(database, kind, id);
  // It was deleted with its list or its tenant.
  if (!task) return;
  let held: Pick<Task, 'file_path'> | undefined;
  const save: TaskRun['save'] = async (change, db = database) => {
    if (!(await saveTask(db, kind, id, change, held))) throw new NoLongerWanted();
  };
  const end: TaskRun['end'] = (state, change, db) =>
    save({ ...change, state, finished_at: clock.now().toISOString() }, db);
  const hold: TaskRun['hold'] = async (path, before, change) => {
    held = { file_path: before };
    await save({ ...change, file_path: path });
    held = { file_path: path };
  };
  try {
    // Otherwise it was ended by another worker, or by this one before the session broke. Its file may still be there.
    if (from.includes(task.state)) await work({ task, signal, save, report: throttled(save), end, hold });
  } catch (error) {
    const isCancelled = error instanceof NoLongerWanted || signal.reason instanceof NoLongerWanted;
    const error_code = isCancelled ? undefined : lastingFailure(error, signal);
    if (!isCancelled && !error_code) throw error;
    if (held?.file_path) {
      await dropDraft(config, held.file_path);
      await removeFile(config, held.file_path);
    }
    if (error_code) {
      if (!(error instanceof BusinessError)) log.error({ err: error, task: kind.type, task_id: id }, 'task failed');
      const file = held ? { file_path: null } : {};
      await end('failed', { ...NOTHING_CHANGED, ...file, error_code, error_params: failureParams(error) }).catch(
        (late: unknown) => {
          if (!(late instanceof NoLongerWanted)) throw late;
        },
      );
    }
  }
  if (kind.errorsPath && task.file_path !== null) await removeFile(config, task.file_path);
}
