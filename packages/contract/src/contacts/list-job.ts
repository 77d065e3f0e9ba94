import { z } from 'zod';
import { id, idText, instant, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';
import { numberSelection } from './number-list.ts';

/**
 * Kinds of work on many numbers. `copy` and `move` bring a selection to another list. `merge` adds all numbers of other
 * lists to this one. `deduplicate` removes numbers that other lists have; `delete` removes a selection.
 */
export const LIST_JOB_KINDS = ['copy', 'move', 'merge', 'deduplicate', 'delete'] as const;

/** Work on a list: waiting, running or ended. */
export const listJob = z.object({
  id,
  number_list_id: id,
  kind: z.enum(LIST_JOB_KINDS),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  rows_total: z.int(),
  rows_done: z.int(),
  /** Numbers that were added or removed; the rest needed no change. */
  rows_changed: z.int(),
  error_code: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});

/** Starts work on a list. Answers immediately; live progress comes as `list.progress`. */
export const startListJob = operation({
  method: 'POST',
  path: '/api/v1/number-lists/:id/jobs',
  permission: 'number-lists-edit',
  params: z.object({ id: idText }),
  body: z.object({
    kind: z.enum(LIST_JOB_KINDS),
    /** Target list of copy and move. */
    target_list_id: reference('number-lists').nullable().default(null),
    /** Other lists of merge and deduplicate. */
    list_ids: z.array(id).max(50).default([]),
    /** True deletes the other lists after merge has copied their numbers. */
    delete_lists: z.boolean().default(false),
    selection: numberSelection.default({}),
  }),
  reply: oneReply(listJob),
  status: 202,
  errors: ['not_found', 'forbidden'],
});

/** Returns the caller's own work on a list. */
export const getListJob = operation({
  method: 'GET',
  path: '/api/v1/list-jobs/:id',
  permission: 'number-lists-edit',
  params: z.object({ id: idText }),
  reply: oneReply(listJob),
  errors: ['not_found'],
});

/** Writes the numbers of a list to a CSV file, which appears in the bell. */
export const exportNumbers = operation({
  method: 'POST',
  path: '/api/v1/number-lists/:id/exports',
  permission: 'number-lists-download',
  params: z.object({ id: idText }),
  body: z.object({ selection: numberSelection.default({}) }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found'],
});

/** Writes the opt-outs that the caller sees, with their evidence, to a CSV file, which appears in the bell. */
export const exportOptOuts = operation({
  method: 'POST',
  path: '/api/v1/opt-outs/exports',
  permission: 'opt-outs-download',
  reply: oneReply(downloadRow),
  status: 202,
});
