import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, idText, instant } from './fields.ts';
import { formatQuery } from './file-format.ts';
import { errorParams, fileReading, readAs } from './file-reading.ts';
import { operation } from './operation.ts';
import { oneReply } from './resource.ts';

/** A file of records being read, or read: its counts and, where rows were refused, the file that says why. */
export const bulkUpload = z.object({
  id,
  /** The resource whose records the file holds. */
  kind: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  file_name: z.string(),
  bytes_total: z.int(),
  bytes_read: z.int(),
  rows_read: z.int(),
  rows_added: z.int(),
  rows_duplicate: z.int(),
  rows_rejected: z.int(),
  /** Numbers that were written without a country code, and were read with it. */
  rows_national: z.int(),
  /** How the columns of the file were read, where they are found by their names and cells; null until then. */
  columns: z.array(z.object({ name: z.string(), field: z.string().nullable() })).nullable(),
  /** Why a failed upload failed: a code of the error catalogue. */
  error_code: z.string().nullable(),
  /** Values of the sentence of that code. */
  error_params: errorParams,
  /** How the file was read; null until it is. */
  read_as: readAs.nullable(),
  /** Address of the file of refused and repeated rows (line, field, value, reason), when there are any. */
  error_file: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});

/** Errors of any call that takes in a CSV or XLSX. */
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
 * The call that takes in a CSV or XLSX of many records of a resource: it answers at once, and the file is read in the
 * background. `query` is what all of the records have in common; how the file is read may be chosen beside it.
 */
export const bulkUploadOf = <const Name extends string, Shape extends z.ZodRawShape>(
  name: Name,
  permission: string,
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

/** One's own upload; progress comes live as `bulk.progress`. */
export const getBulkUpload = operation({
  method: 'GET',
  path: '/api/v1/bulk-uploads/:id',
  permission: null,
  params: z.object({ id: idText }),
  reply: oneReply(bulkUpload),
  errors: ['not_found'],
});

/** The refused and repeated rows (line, field, value, reason), as an attachment. */
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
