import { z } from 'zod';
import { bulkUpload, bulkUploadOf, FILE_FAULTS } from '../kernel/bulk-upload.ts';
import { id, idText, instant } from '../kernel/fields.ts';
import { fileReading, readAs } from '../kernel/file-reading.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { oneReply } from '../kernel/resource.ts';
import { CONTACT_FIELD_TYPES } from './contact-field.ts';

/** Days for which an import of contacts can be undone, and refused rows of one import that can be mended. */
export const CONTACT_IMPORT = { undoDays: 7, mostRefused: 10_000, mostColumns: 64 } as const;

/** Beginning of a column's meaning that is a field: `fields.` and the key of the field. */
export const FIELD_TARGET = 'fields.';

/** Adds and changes contacts by the rows of a file. */
export const uploadContacts = bulkUploadOf(
  'contacts',
  'contacts-upload',
  z.object({
    corporation_id: idText,
    /**
     * Meaning of each column, in their order, with commas between them: `number`, `name`, `tags`, `fields.` and the key
     * of a field, or nothing for a column that is left out. One is `number`.
     */
    columns: z
      .string()
      .max(4_000)
      .regex(/^[a-z0-9_.,]*$/, { error: 'contact_columns' }),
    /** `add` leaves contacts unchanged that exist already. */
    mode: z.enum(['update', 'add']).default('update'),
    /** Whether an empty cell keeps the value of a contact or removes it. */
    empty: z.enum(['keep', 'clear']).default('keep'),
    /** Tags that all contacts of the file get, with commas between them. */
    tags: z.string().max(1_000).default(''),
    /** List that gets the numbers too. */
    number_list_id: idText.optional(),
    /** Order of day and month in dates such as 03/04/2026; without it, such dates are refused. */
    day_first: z.enum(['true', 'false']).optional(),
    /** Reading of numbers without a country code: `false` refuses them, else the operator's rule is used. */
    read_national: z.enum(['true', 'false']).default('true'),
  }),
);

const foundColumn = z.object({
  name: z.string(),
  /** Suggested meaning, as in `columns` of the upload; empty to leave the column out. */
  target: z.string(),
  /** Type of a new field that the values would fit. */
  type: z.enum(CONTACT_FIELD_TYPES),
  choices: personText(z.array(z.string())),
  /**
   * Order of day and month in the dates of the column: `clear` if each date has one meaning, `day_first` or
   * `month_first` if a row shows it, and `unclear` if none does.
   */
  dates: z.enum(['clear', 'day_first', 'month_first', 'unclear']).nullable(),
});

/** Shows the first rows of a file, and what its columns may mean. Nothing is stored. */
export const previewContacts = operation({
  method: 'POST',
  path: '/api/v1/contact-imports/preview',
  permission: 'contacts-upload',
  query: z.object({ corporation_id: idText, ...fileReading.shape }),
  upload: true,
  reply: oneReply(
    z.object({
      read_as: readAs,
      rows: z.array(z.object({ line: z.int(), cells: personText(z.array(z.string())) })),
      fault: z.string().nullable(),
      columns: z.array(foundColumn),
      /** True if the meanings are those of an earlier file with the same headings. */
      remembered: z.boolean(),
    }),
  ),
  errors: [...FILE_FAULTS, 'file_unreadable', 'sheet_missing', 'too_many_files'],
});

/** Import of contacts from a file. */
export const contactImport = bulkUpload.extend({
  corporation_id: id,
  /** Refused rows that wait to be mended. */
  rows_to_mend: z.int(),
  /** Null if it can be undone; `undoing` and `undone` after a person asked for it. */
  undo: z.enum(['undoing', 'undone']).nullable(),
  /** Contacts that returned to what they were, and those that stayed because somebody changed them since. */
  rows_undone: z.int(),
  rows_kept: z.int(),
  undo_until: instant.nullable(),
});

/** Lists the caller's own imports of the last 7 days, newest first. */
export const listContactImports = operation({
  method: 'GET',
  path: '/api/v1/contact-imports',
  permission: 'contacts-upload',
  reply: z.object({ data: z.array(contactImport) }),
});

export const getContactImport = operation({
  method: 'GET',
  path: '/api/v1/contact-imports/:id',
  permission: 'contacts-upload',
  params: z.object({ id: idText }),
  reply: oneReply(contactImport),
  errors: ['not_found'],
});

const refusedRow = z.object({
  line: z.int(),
  /** Text of each cell by the meaning of its column. */
  cells: personText(z.record(z.string(), z.string())),
  faults: z.array(
    z.object({
      /** Meaning of the column. */
      field: z.string(),
      /** Kind of the fault, the same for all rows that can be mended alike. */
      fault: z.string(),
      reason: personText(z.string()),
      /** Value that would be accepted; null without one. */
      suggestion: personText(z.string()).nullable(),
    }),
  ),
});

/** Lists refused rows of the caller's own import in the order of the file. */
export const listRefusedContacts = operation({
  method: 'GET',
  path: '/api/v1/contact-imports/:id/rows',
  permission: 'contacts-upload',
  params: z.object({ id: idText }),
  query: z.object({
    /** Line after which the rows begin. */
    after: z.coerce.number().int().min(0).default(0),
  }),
  reply: z.object({
    /** Columns of the rows; a column that is no field has no name. */
    columns: z.array(z.object({ target: z.string(), name: z.string().nullable() })),
    data: z.array(refusedRow),
    next: z.int().nullable(),
  }),
  errors: ['not_found'],
});

/** Imports mended rows. Those that still have a fault are answered again and stay. */
export const mendContacts = operation({
  method: 'POST',
  path: '/api/v1/contact-imports/:id/rows',
  permission: 'contacts-upload',
  params: z.object({ id: idText }),
  body: z.object({
    rows: z
      .array(z.object({ line: z.int(), cells: z.record(z.string().max(50), z.string().max(4_000)) }))
      .max(200)
      .default([]),
  }),
  reply: z.object({ data: z.object({ imported: z.int(), refused: z.array(refusedRow) }) }),
  errors: ['not_found', 'contact_import_over'],
});

/** Undoes an import: contacts that it added go, and changed ones return, unless somebody changed them since. */
export const undoContactImport = operation({
  method: 'POST',
  path: '/api/v1/contact-imports/:id/undo',
  permission: 'contacts-upload',
  params: z.object({ id: idText }),
  reply: oneReply(contactImport),
  status: 202,
  errors: ['not_found', 'contact_import_over'],
});
