import { z } from 'zod';
import { FILE_FAULTS } from '../kernel/bulk-upload.ts';
import { id, idText } from '../kernel/fields.ts';
import { fileReading, readAs } from '../kernel/file-reading.ts';
import { MAX_COLUMNS } from '../kernel/find-columns.ts';
import { MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** What a column of a file of recipients may hold. */
export const COLUMN_FIELDS = ['number', 'content', ...MERGE_FIELDS] as const;
export type ColumnField = (typeof COLUMN_FIELDS)[number];

/** By position what a column holds; null is passed over. One holds the numbers, and nothing is held twice. */
export const columnMapping = z
  .array(z.enum(COLUMN_FIELDS).nullable())
  .max(MAX_COLUMNS)
  .refine((columns) => columns.includes('number'), { error: 'column_number' })
  .refine((columns) => new Set(columns.filter(Boolean)).size === columns.filter(Boolean).length, {
    error: 'column_twice',
  });

/** A file put on the server for a later call; kept a day, and as long as a campaign or a draft needs it. */
export const uploadRow = z.object({
  id,
  file_name: z.string(),
  size: z.int(),
  /** The names of the header, or made ones where the file begins with a number; and the first rows as they stand. */
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
  /** What the columns seem to hold. */
  mapping: z.array(z.enum(COLUMN_FIELDS).nullable()),
  /** It is what this person said of such a file the last time. */
  remembered: z.boolean(),
  /** How the file is read; null for one that was taken in before that was kept. */
  read_as: readAs.nullable(),
  /** What of it was chosen. */
  reading: fileReading.extend({ header_row: z.int().optional() }),
  /** The first rows of the file, one of which may hold the headings. */
  first_rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
});

/** Takes any file in which some column holds phone numbers. */
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

/** Takes in a file of recipients once more, read otherwise; what is left out is detected. Answers a file of its own. */
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
