import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, instant, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** How it is known: by the person's own message, noted by somebody, or out of a file. */
const OPT_OUT_SOURCES = ['message', 'person', 'import'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  number: z.string().trim().min(1).max(40),
  /** On which ground: "by phone on Monday", "from the former system". */
  note: text(300).nullable(),
});

/** The header of a file of opt-outs. */
export const OPT_OUT_COLUMNS = ['number', 'opted_out_at', 'note'] as const;

/**
 * Who asked for no more messages of a corporation: nothing skips it, for whatever sender. What the person said, or a
 * file says, ends with the person's own START alone; what somebody noted by hand can be taken back.
 */
export const optOut = resource({
  name: 'opt-outs',
  row: input.extend({
    corporation_name: z.string(),
    /** Whether it holds; false once the person came back. */
    active: z.boolean(),
    source: z.enum(OPT_OUT_SOURCES),
    opted_out_at: instant,
    sender_id_id: reference('sender-ids').nullable(),
    sender_id_name: z.string().nullable(),
    recipient: z.string().nullable(),
    keyword: z.string().nullable(),
    message: z.string().nullable(),
    user_id: reference('users').nullable(),
    user_name: z.string().nullable(),
    ended_at: instant.nullable(),
    ended_message: z.string().nullable(),
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

/** Stores every number of a file as opted out of one corporation; numbers that are opted out already stay as they are. */
export const uploadOptOuts = bulkUploadOf('opt-outs', 'opt-outs-upload', z.object({ corporation_id: idText }));
