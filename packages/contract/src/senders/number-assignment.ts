import { z } from 'zod';
import { id, instant, reference, text } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams } from '../kernel/resource.ts';

/** A number that phones write to, as messages name it: 3 to 15 digits, without 00 before them. */
const number = z
  .string()
  .trim()
  .regex(/^(?!00)\d{3,15}$/, { error: 'number_digits' });
/** Reason of a change, which the corporation reads. */
const reason = text(500);

/**
 * Lists the owners of numbers, present and past, with their times, the newest first. A corporation sees only its own
 * periods.
 */
export const numberAssignments = listing({
  path: '/api/v1/number-assignments',
  permission: 'number-assignments-index',
  row: z.object({
    id,
    number: z.string(),
    corporation_id: id,
    corporation_name: z.string(),
    /** True if the corporation has only some keywords of the number. */
    shared: z.boolean(),
    given_at: instant,
    given_by_name: z.string().nullable(),
    reason: z.string().nullable(),
    /** End of the period; null while it lasts. */
    until_at: instant.nullable(),
    taken_by_name: z.string().nullable(),
    taken_reason: z.string().nullable(),
    /** Sender ID of the corporation for this number, if it has one. */
    sender_id_id: id.nullable(),
  }),
  filters: z.object({
    /** True for the present only, false for what is over. */
    present: z.stringbool().optional(),
    number: number.optional(),
    corporation_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});

/** Assigns a number that nobody has to a corporation, as an approved sender ID. Only the platform does this. */
export const assignNumber = operation({
  method: 'POST',
  path: '/api/v1/number-assignments',
  permission: 'number-assignments-create',
  body: z.object({ number, corporation_id: reference('corporations'), reason: reason.default('') }),
  reply: doneReply,
  status: 201,
  errors: ['number_already_given', 'sender_ids_already_exist'],
});

/**
 * Takes a number back, with the keywords of the corporation on it. Nothing leaves under it any more, its campaigns pause,
 * and what arrives is the corporation's no longer. Messages and replies of before stay where they are.
 */
export const takeBackNumber = operation({
  method: 'POST',
  path: '/api/v1/number-assignments/:id/take-back',
  permission: 'number-assignments-edit',
  params: idParams,
  body: z.object({ reason }),
  reply: doneReply,
  errors: ['not_found', 'number_not_held'],
});

/** Takes a number back and assigns it to another corporation, in one step. The new one reads nothing of before. */
export const moveNumber = operation({
  method: 'POST',
  path: '/api/v1/number-assignments/:id/move',
  permission: 'number-assignments-edit',
  params: idParams,
  body: z.object({ corporation_id: reference('corporations'), reason }),
  reply: doneReply,
  errors: ['not_found', 'number_not_held', 'number_already_given'],
});
