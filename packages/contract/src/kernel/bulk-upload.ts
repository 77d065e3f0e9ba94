import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, idText, instant } from './fields.ts';
import { formatQuery } from './file-format.ts';
import { errorParams, fileReading, readAs } from './file-reading.ts';
import { operation } from './operation.ts';
import { oneReply } from './resource.ts';
import type { Permission } from './screen-list.ts';

/** Upload of a file of records: its counts and, if rows were refused, the file with the reasons. */
export const bulkUpload = z.object({
  id,
  /** Resource of the file's records. */
  kind: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  file_name: z.string(),
  bytes_total: z.int(),
  bytes_read: z.int(),
  rows_read: z.int(),
  rows_added: z.int(),
  /** Records that were there and have changed; only in files that change some. */
  rows_changed: z.int(),
  rows_duplicate: z.int(),
  rows_rejected: z.int(),
  /** Number of phone numbers written without a country code and read with it. */
  rows_national: z.int(),
  /** Columns and the fields they were read as; null until they are found by their names and cells. */
  columns: z.array(z.object({ name: z.string(), field: z.string().nullable() })).nullable(),
  /** Reason of a failed upload: an error code. */
  error_code: z.string().nullable(),
  /** Values for the sentence of that code. */
  error_params: errorParams,
  /** Settings with which the file was read; null until it is read. */
  read_as: readAs.nullable(),
  /** Address of the file of refused and repeated rows (line, field, value, reason), if there are any. */
  error_file: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});

/** Errors of any call that receives a CSV or XLSX. */
export const FILE_FAULTS = [
  'file_type_unknown',
  'file_protected',
  'file_format_old',
  'file_cut_off',
  'file_bytes_invalid',
  'file_holds_nul',
  'separators_mixed',
  'payload_too_large',
] as const satisfies readonly ErrorCode[];

/**
 * Declares the call that uploads a CSV or XLSX of many records of a resource. It answers immediately, and the file is
 * read in the background. `query` has the values shared by all records; the settings for reading the file are added to
 * it.
 */
export const bulkUploadOf = <const Name extends string, Shape extends z.ZodRawShape>(
  name: Name,
  permission: Permission,
  query: z.ZodObject<Shape>,
) =>
  operation({
    method: 'POST',
    path: `/api/v1/${name}/bulk`,
    permission,
    query: z.object({ ...query.shape, ...fileReading.shape }),
    upload: true,
    reply: oneReply(bulkUpload),
    status: 202,
    errors: [...FILE_FAULTS, 'file_already_uploaded'],
  });

/** Returns the caller's own upload; live progress comes as `bulk.progress`. */
export const getBulkUpload = operation({
  method: 'GET',
  path: '/api/v1/bulk-uploads/:id',
  permission: null,
  params: z.object({ id: idText }),
  reply: oneReply(bulkUpload),
  errors: ['not_found'],
});

/** Returns the refused and repeated rows (line, field, value, reason), as an attachment. */
export const bulkUploadErrors = operation({
  method: 'GET',
  path: '/api/v1/bulk-uploads/:id/errors',
  permission: null,
  params: z.object({ id: idText }),
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found'],
});
export const bulkUploadErrorsPath = (uploadId: number) => `/api/v1/bulk-uploads/${uploadId}/errors`;
