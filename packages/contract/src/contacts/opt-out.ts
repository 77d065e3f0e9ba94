import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, instant, reference, text } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/** Sources of an opt-out: the person's own message, a note by somebody, or a file. */
const OPT_OUT_SOURCES = ['message', 'person', 'import'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  number: z.string().trim().min(1).max(40),
  /** Reason, such as "by phone on Monday" or "from the former system". */
  note: text(300).nullable(),
});

/** Header of a file of opt-outs. */
export const OPT_OUT_COLUMNS = ['number', 'opted_out_at', 'note'] as const;

/**
 * Opt-out of a person from a corporation: it stops every message, from any sender. An opt-out by the person's message
 * or from a file ends only with the person's own START. One that somebody noted by hand can be deleted.
 */
export const optOut = resource({
  name: 'opt-outs',
  row: input.extend({
    number: personNumber(z.string()),
    note: personText(input.shape.note),
    corporation_name: z.string(),
    /** True while the opt-out is active; false after the person opted in again. */
    active: z.boolean(),
    source: z.enum(OPT_OUT_SOURCES),
    opted_out_at: instant,
    sender_id_id: reference('sender-ids').nullable(),
    sender_id_name: z.string().nullable(),
    recipient: z.string().nullable(),
    keyword: z.string().nullable(),
    message: personText(z.string()).nullable(),
    user_id: reference('users').nullable(),
    user_name: z.string().nullable(),
    ended_at: instant.nullable(),
    ended_message: personText(z.string()).nullable(),
  }),
  create: input.extend({ note: input.shape.note.default(null) }),
  update: input.pick({ note: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    source: z.enum(OPT_OUT_SOURCES).optional(),
    active: z.stringbool().optional(),
  }),
  sort: ['number', 'opted_out_at', 'created_at'],
  title: 'number',
  conflicts: { opt_out_number_key: 'already_opted_out' },
  errors: ['opt_out_kept'],
});

/** Stores every number of a file as opted out of one corporation. Numbers already opted out do not change. */
export const uploadOptOuts = bulkUploadOf('opt-outs', 'opt-outs-upload', z.object({ corporation_id: idText }));
