import * as contract from '@heliograph/contract/kernel/bulk-upload';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { fileReading } from '@heliograph/contract/kernel/file-reading';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { type Context, requirePlatform } from '../context.ts';
import type { BulkTable } from '../database/analyze.ts';
import type { Database } from '../database/db.ts';
import { BusinessError, constraintError } from '../errors.ts';
import { newFile, removeFile, storeFile } from '../files/files.ts';
import { type App, mount, mountFile, mountUpload } from '../http/http.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';
import type { Retention } from '../jobs/retention.ts';
import { checkFormat, digestOf } from '../table/file-format.ts';
import { attachRejects } from './reject-file.ts';

type Upload = Selectable<Database['bulk_upload']>;
type OnWire = z.input<typeof contract.bulkUpload>;
type Operation = ReturnType<typeof contract.bulkUploadOf>;

/** Retention of uploads that ended, with the reports of their refused rows. */
export const bulkUploadRetention: Retention = {
  table: 'bulk_upload',
  days: 30,
  since: 'finished_at',
  rows: 500,
  file: 'error_path',
  nightly: true,
};

/** Reason why a row is refused: the key of its sentence, with the field and the value. */
export interface RowFault {
  field: string;
  value: string;
  fault: MessageKey;
}

/** Functions that turn the rows of one upload into records. */
interface RowReader<Row> {
  /**
   * Makes a record of a row. `cell` answers the shown text of a column; `exact` answers dates by ISO 8601 and amounts
   * without their format.
   */
  parse(cell: (column: string) => string, exact: (column: string) => string): Row | RowFault;
  /** Finds the records that the contents of the database refuse, by key. */
  refuse?(db: Kysely<Database>, rows: readonly Row[]): Promise<ReadonlyMap<string, RowFault>>;
  /** Key that distinguishes a record from the others of the file. */
  keyOf(row: Row): string;
  /** Adds the records that are new, or differ; answers their keys. */
  add(db: Kysely<Database>, rows: readonly Row[]): Promise<ReadonlySet<string>>;
}

/** A kind of record that can be uploaded as a file. */
export interface BulkKind<Row = unknown> {
  /** The resource's name. */
  name: string;
  columns: readonly string[];
  required: readonly string[];
  /** Column that distinguishes a record from others. */
  key: string;
  /** Key of the sentence for a record that exists already; without it such a row is no fault. */
  duplicate?: MessageKey;
  /** Error of a file without a single valid row. */
  nothing?: ErrorCode;
  /** Starts reading a file; numbers that are read as national ones are counted in `counts`. */
  begin(
    db: Kysely<Database>,
    upload: { corporation_id: number | null; parameters: unknown },
    counts: { rows_national: number },
  ): Promise<RowReader<Row>> | RowReader<Row>;
  /** Table that files of this kind load in bulk. */
  bulk?: BulkTable;
  /** Last step in the same transaction, after the records were added. */
  end?(db: Kysely<Database>): Promise<void>;
}

/** Maximum bytes of an upload. */
const LIMIT_BYTES = 100 * 1024 * 1024;

/** Reads an uploaded file into records. */
export const bulkUploadJob = defineJob('bulk-upload', z.object({ bulk_upload_id: z.int() }));

/** Mounts the upload of a kind; `prepare` checks the fields sent with the file and answers the owner of the records. */
export function mountBulkUpload<O extends Operation>(
  app: App,
  operation: O,
  kind: BulkKind,
  prepare: (
    ctx: Context,
    query: z.output<O['query']>,
  ) => Promise<{ corporation_id: number | null; parameters: object }>,
): void {
  mountUpload(app, operation as Operation, async (base, { query, file }, run) => {
    const reading = fileReading.parse(query);
    const common = Object.fromEntries(Object.entries(query).filter(([name]) => !(name in fileReading.shape)));
    const stored = await storeFile(base.config, file.stream, LIMIT_BYTES, (local) => checkFormat(local, reading));
    try {
      return await run(async (ctx) => {
        const { corporation_id, parameters } = await prepare(ctx, common as z.output<O['query']>);
        // The worker that reads the file sees everything, so the owner of the records is decided here.
        if (corporation_id === null) requirePlatform(ctx.caller);
        const row = await ctx.db
          .insertInto('bulk_upload')
          .values({
            user_id: ctx.caller.user_id,
            corporation_id,
            kind: kind.name,
            parameters: JSON.stringify(parameters),
            file_name: file.file_name.slice(0, 255),
            file_path: stored.path,
            file_sha256: digestOf(stored, reading),
            reading: JSON.stringify(reading),
            bytes_total: stored.size,
            error_path: newFile('rejects', 'csv'),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch((error: unknown) => {
            throw constraintError(error, { bulk_upload_file: 'file_already_uploaded' }) ?? error;
          });
        await enqueue(ctx.db, bulkUploadJob, { bulk_upload_id: row.id }, { tenant: corporation_id });
        return { data: bulkUploadOnWire(row) };
      });
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
}

/** Mounts the calls with which people read their uploads. */
export function bulkUploadRoutes(app: App): void {
  mount(app, contract.getBulkUpload, async (ctx, { params }) => ({
    data: bulkUploadOnWire(await find(ctx, params.id)),
  }));
  mountFile(app, contract.bulkUploadErrors, async (ctx, { params, query }) => {
    const row = await find(ctx, params.id);
    if (!bulkUploadOnWire(row).error_file) throw new BusinessError('not_found');
    return attachRejects(ctx.config, row.error_path, `${row.file_name.replace(/\.[^.]*$/, '')}-errors`, query.format);
  });
}

async function find(ctx: Context, id: number): Promise<Upload> {
  const row = await ctx.db.selectFrom('bulk_upload').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** An upload as the calls and the live events show it. */
export function bulkUploadOnWire(row: Upload): OnWire {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state as 'queued' | 'running' | 'done' | 'failed',
    file_name: row.file_name,
    bytes_total: row.bytes_total,
    bytes_read: row.bytes_read,
    rows_read: row.rows_read,
    rows_added: row.rows_added,
    rows_duplicate: row.rows_duplicate,
    rows_rejected: row.rows_rejected,
    rows_national: row.rows_national,
    columns: row.columns as FileColumn[] | null,
    error_code: row.error_code,
    error_params: row.error_params as OnWire['error_params'],
    read_as: row.read_as as OnWire['read_as'],
    // The list of refused rows grows while the file is read, and a retry starts it again.
    error_file:
      row.finished_at !== null && row.rows_rejected + row.rows_duplicate > 0
        ? contract.bulkUploadErrorsPath(row.id)
        : null,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}
