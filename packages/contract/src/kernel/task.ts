import { z } from 'zod';
import { id, idText, instant } from './fields.ts';
import { errorParams } from './file-reading.ts';
import { operation } from './operation.ts';
import { oneReply } from './resource.ts';

/**
 * Types of tasks, the work that a person asked for and can watch: a number list that is imported, a file of records,
 * work on a list, a rate card, and a file that is written.
 */
export const TASK_TYPES = ['import', 'bulk_upload', 'list_job', 'card_upload', 'download'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** States of a task. `ready` is a checked rate card, which waits until a person applies it. */
export const TASK_STATES = ['queued', 'running', 'ready', 'done', 'failed', 'cancelled'] as const;

/** A task as its person sees it among all others. Ids are unique within a type. */
export const task = z.object({
  type: z.enum(TASK_TYPES),
  id,
  /** Resource of an upload, kind of work on a list, or content of a file. */
  kind: z.string(),
  state: z.enum(TASK_STATES),
  /** Name of the file; work on a list has none. */
  file_name: z.string().nullable(),
  /** Share that is done, from 0 to 1; null while it is not known. */
  share: z.number().nullable(),
  /** Rows that were added, changed or written. */
  rows: z.int(),
  rows_rejected: z.int(),
  /** List or price plan that the task works on. */
  number_list_id: id.nullable(),
  price_plan_id: id.nullable(),
  error_code: z.string().nullable(),
  /** Values for the sentence of that code. */
  error_params: errorParams,
  /** Address of the file of refused and repeated rows, if there are any. */
  error_file: z.string().nullable(),
  cancelable: z.boolean(),
  created_at: instant,
  finished_at: instant.nullable(),
});

/** Lists the caller's own tasks of the last 7 days, newest first; live progress comes as `task.progress`. */
export const listTasks = operation({
  method: 'GET',
  path: '/api/v1/tasks',
  permission: null,
  reply: z.object({ data: z.array(task) }),
});

/** Cancels one of the caller's own tasks. What is running ends, and what it has changed is undone. */
export const cancelTask = operation({
  method: 'POST',
  path: '/api/v1/tasks/:id/cancel',
  permission: null,
  params: z.object({ id: idText }),
  body: z.object({ type: z.enum(TASK_TYPES) }),
  reply: oneReply(task),
  errors: ['not_found', 'invalid_transition'],
});
