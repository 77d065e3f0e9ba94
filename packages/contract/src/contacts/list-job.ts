import { z } from 'zod';
import { downloadRow } from '../delivery/transaction.ts';
import { id, idText, instant, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { numberSelection } from './number-list.ts';

/**
 * What is done with many numbers at once. `copy` and `move` take a selection of a list to another; `merge` takes all of
 * other lists into this one; `deduplicate` takes out of this list what other lists have; `delete` takes a selection out.
 */
export const LIST_JOB_KINDS = ['copy', 'move', 'merge', 'deduplicate', 'delete'] as const;

/** Work on a list, waiting, running or done. */
export const listJob = z.object({
  id,
  number_list_id: id,
  kind: z.enum(LIST_JOB_KINDS),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  rows_total: z.int(),
  rows_done: z.int(),
  /** Numbers that were added or taken out; the rest were where they should be already. */
  rows_changed: z.int(),
  error_code: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});

/** Begins work on a list; answers at once, and progress comes live as `list.progress`. */
export const startListJob = operation({
  method: 'POST',
  path: '/api/v1/number-lists/:id/jobs',
  permission: 'number-lists-edit',
  params: z.object({ id: idText }),
  body: z.object({
    kind: z.enum(LIST_JOB_KINDS),
    /** Where copy and move take the numbers. */
    target_list_id: reference('number-lists').nullable().default(null),
    /** The other lists of merge and deduplicate. */
    list_ids: z.array(id).max(50).default([]),
    /** Merge: takes the other lists away once their numbers are here. */
    delete_lists: z.boolean().default(false),
    selection: numberSelection.default({}),
  }),
  reply: oneReply(listJob),
  status: 202,
  errors: ['not_found', 'forbidden'],
});

/** One's own work on a list. */
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

/** Writes the opt-outs that one sees, with their proof, to a CSV file, which appears in the bell. */
export const exportOptOuts = operation({
  method: 'POST',
  path: '/api/v1/opt-outs/exports',
  permission: 'opt-outs-download',
  reply: oneReply(downloadRow),
  status: 202,
});
