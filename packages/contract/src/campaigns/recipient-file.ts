import { z } from 'zod';
import { FILE_FAULTS } from '../kernel/bulk-upload.ts';
import { id, idText } from '../kernel/fields.ts';
import { fileReading, readAs } from '../kernel/file-reading.ts';
import { MAX_COLUMNS } from '../kernel/find-columns.ts';
import { MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Possible contents of a column in a file of recipients. */
export const COLUMN_FIELDS = ['number', 'content', ...MERGE_FIELDS] as const;
export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** Content of each column by position; null columns are ignored. One holds the numbers; no content occurs twice. */
export const columnMapping = z
  .array(z.enum(COLUMN_FIELDS).nullable())
  .max(MAX_COLUMNS)
  .refine((columns) => columns.includes('number'), { error: 'column_number' })
  .refine((columns) => new Set(columns.filter(Boolean)).size === columns.filter(Boolean).length, {
    error: 'column_twice',
  });

/** A file stored on the server for a later call: for a day, and as long as a campaign or a draft needs it. */
export const uploadRow = z.object({
  id,
  file_name: z.string(),
  size: z.int(),
  /** Names of the header, or made ones if the file begins with a number; and the first rows unchanged. */
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  /** Probable content of each column. */
  mapping: z.array(z.enum(COLUMN_FIELDS).nullable()),
  /** True if the mapping is this person's last choice for such a file. */
  remembered: z.boolean(),
  /** Settings with which the file is read; null for a file stored before these were recorded. */
  read_as: readAs.nullable(),
  /** Settings that the person chose. */
  reading: fileReading.extend({ header_row: z.int().optional() }),
  /** First rows of the file; one of them may hold the headings. */
  first_rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
});

/** Uploads a file; one of its columns must hold phone numbers. */
export const uploadCampaignFile = operation({
  method: 'POST',
  path: '/api/v1/campaigns/files',
  permission: 'campaigns-create',
  query: fileReading,
  upload: true,
  reply: oneReply(uploadRow),
  status: 201,
  errors: [
    ...FILE_FAULTS,
    'file_headers_invalid',
    'file_unreadable',
    'quote_open',
    'sheet_missing',
    'header_row_missing',
  ],
});

/** Reads a file of recipients again in another way; choices left out are detected. Returns a separate file. */
export const rereadCampaignFile = operation({
  method: 'POST',
  path: '/api/v1/campaigns/files/:id/readings',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  body: fileReading,
  reply: oneReply(uploadRow),
  status: 201,
  errors: [
    'not_found',
    ...FILE_FAULTS,
    'file_headers_invalid',
    'file_unreadable',
    'quote_open',
    'sheet_missing',
    'header_row_missing',
    'too_many_files',
  ],
});
