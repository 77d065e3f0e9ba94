import * as contract from '@heliograph/contract/kernel/bulk-upload';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { fileReading } from '@heliograph/contract/kernel/file-reading';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Context, requirePlatform } from '../context.ts';
import type { BulkTable } from '../database/analyze.ts';
import type { Database } from '../database/db.ts';
import { type App, mount } from '../http/http.ts';
import { mountFile } from '../http/mount-file.ts';
import { defineJob } from '../jobs/jobs.ts';
import { requireTask, type Task } from './task.ts';
import { attachErrors, mountTaskUpload, type UploadKind, uploadOnWire } from './uploaded-file.ts';

type Operation = ReturnType<typeof contract.bulkUploadOf>;

/** Reason why a row is refused: the key of its sentence, with the field and the value. */
export interface RowFault {
  field: string;
  value: string;
  fault: MessageKey;
  /** Values for the sentence. */
  params?: Record<string, string | number>;
}

/** Row of a file that was refused, with the text of each column. */
export interface RefusedRow {
  line: number;
  cells: readonly string[];
  exact: Readonly<Record<number, string>>;
}

/** Functions that turn the rows of one upload into records. */
interface RowReader<Row> {
  /** Finds the fields of the columns by their headings, for files whose names vary; otherwise names are exact. */
  columnsOf?(headings: readonly string[]): Promise<{ columns: FileColumn[]; fault: ErrorCode | undefined }>;
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
  /** Tells whether a record that `add` answered was there before and has changed. */
  isChange?(key: string): boolean;
  /** Keeps rows of a batch that were refused because of their cells. */
  keepRefused?(db: Kysely<Database>, rows: readonly RefusedRow[]): Promise<void>;
  /** Last step of a file with records, in the same transaction. */
  finish?(): Promise<void>;
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
    upload: { corporation_id: number | null; parameters: unknown } & Partial<
      Pick<Task, 'id' | 'file_name' | 'file_sha256' | 'user_id' | 'created_at'>
    >,
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

/** Files of records as tasks. */
export const bulkUploadTask: UploadKind<'bulk_upload'> = {
  type: 'bulk_upload',
  job: bulkUploadJob,
  limitBytes: LIMIT_BYTES,
  event: { name: 'bulk.progress', onWire: (row) => uploadOnWire(bulkUploadTask, row) },
  errorsPath: contract.bulkUploadErrorsPath,
};

/** Mounts the upload of a kind; `prepare` checks the fields sent with the file and answers the owner of the records. */
export function mountBulkUpload<O extends Operation>(
  app: App,
  operation: O,
  kind: BulkKind,
  prepare: (
    ctx: Context,
    query: z.output<O['query']>,
    digest: string,
  ) => Promise<{ corporation_id: number | null; parameters: object }>,
): void {
  mountTaskUpload(
    app,
    operation as Operation,
    bulkUploadTask,
    async (ctx, { query }, digest) => {
      const common = Object.fromEntries(Object.entries(query).filter(([name]) => !(name in fileReading.shape)));
      const { corporation_id, parameters } = await prepare(ctx, common as z.output<O['query']>, digest);
      // The worker that reads the file sees everything, so the owner of the records is decided here.
      if (corporation_id === null) requirePlatform(ctx.caller);
      return { kind: kind.name, corporation_id, parameters: JSON.stringify(parameters) };
    },
    (_ctx, row) => ({ data: uploadOnWire(bulkUploadTask, row) }),
  );
}

/** Mounts the calls with which people read their uploads. */
export function bulkUploadRoutes(app: App): void {
  mount(app, contract.getBulkUpload, async (ctx, { params }) => ({
    data: uploadOnWire(bulkUploadTask, await requireTask(ctx, bulkUploadTask, params.id)),
  }));
  mountFile(app, contract.bulkUploadErrors, 'own', async (ctx, { params, query }) =>
    attachErrors(ctx.config, bulkUploadTask, await requireTask(ctx, bulkUploadTask, params.id), query.format),
  );
}
