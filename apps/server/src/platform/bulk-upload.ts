import * as contract from '@heliograph/contract/kernel/bulk-upload';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import type { Kysely, Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import { audit } from './audit.ts';
import { type Context, requirePlatform } from './context.ts';
import type { Database } from './db.ts';
import { BusinessError, constraintError } from './errors.ts';
import { localFile, newFile, readFile, removeFile, storeFile } from './files.ts';
import { type App, mount, mountFile, mountUpload } from './http.ts';
import { chooseLocale, translate } from './i18n.ts';
import { defineJob, enqueue } from './jobs.ts';
import { throttled } from './progress.ts';
import { emit } from './realtime.ts';
import { openRejectFile, type RejectFile } from './reject-file.ts';
import { detectFormat } from './table/file-format.ts';
import { readTable, type TableRow } from './table/read-table.ts';
import { isTransient } from './transient-error.ts';
import type { WorkerContext } from './worker-context.ts';

type Upload = Selectable<Database['bulk_upload']>;
type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;
type Operation = ReturnType<typeof contract.bulkUploadOf>;

/** Why a row is refused: the key of its sentence, and the value it speaks of. */
export interface RowFault {
  value: string;
  fault: string;
}

/** How the rows of one upload become records. */
interface RowReader<Row> {
  /** A record of the row whose cells `cell` answers by column. */
  parse(cell: (column: string) => string): Row | RowFault;
  /** What tells a record from others of the file. */
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
  /** The key of the sentence for a record that is there already; without one such a row is no fault. */
  duplicate?: string;
  /** The error of a file in which no row is good. */
  nothing?: ErrorCode;
  begin(
    db: Kysely<Database>,
    upload: { corporation_id: number | null; parameters: unknown },
  ): Promise<RowReader<Row>> | RowReader<Row>;
  /** What follows once the records are in, in the same transaction. */
  end?(db: Kysely<Database>): Promise<void>;
}

/** Largest file that is taken in. */
const LIMIT_BYTES = 100 * 1024 * 1024;

/** Reads an uploaded file into records. */
export const bulkUploadJob = defineJob('bulk-upload', z.object({ bulk_upload_id: z.int() }));

/** Mounts the upload of a kind; `prepare` checks what came with the file and says whose the records are. */
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
    const stored = await storeFile(base.config, file.stream, LIMIT_BYTES, detectFormat);
    try {
      return await run(async (ctx) => {
        const { corporation_id, parameters } = await prepare(ctx, query as z.output<O['query']>);
        // The worker that reads the file sees all there is, so whose the records are is decided here.
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
            file_sha256: stored.sha256,
            bytes_total: stored.size,
            error_path: newFile('rejects', 'csv'),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
          .catch((error: unknown) => {
            throw constraintError(error, { bulk_upload_file: 'file_already_uploaded' }) ?? error;
          });
        await enqueue(ctx.db, bulkUploadJob, { bulk_upload_id: row.id });
        return { data: onWire(row) };
      });
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
}

/** Mounts what a person asks about their uploads. */
export function bulkUploadRoutes(app: App): void {
  mount(app, contract.getBulkUpload, async (ctx, { params }) => ({ data: onWire(await find(ctx, params.id)) }));
  mountFile(app, contract.bulkUploadErrors, async (ctx, { params }) => {
    const row = await find(ctx, params.id);
    if (!onWire(row).error_file) throw new BusinessError('not_found');
    return {
      stream: () => readFile(ctx.config, row.error_path),
      name: `${row.file_name.replace(/\.[^.]*$/, '')}-errors.csv`,
      type: 'text/csv; charset=utf-8',
    };
  });
}

async function find(ctx: Context, id: number): Promise<Upload> {
  const row = await ctx.db.selectFrom('bulk_upload').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

function onWire(row: Upload): z.input<typeof contract.bulkUpload> {
  const { id, kind, file_name, bytes_total, bytes_read, rows_read, rows_added, rows_duplicate, rows_rejected } = row;
  return {
    id,
    kind,
    state: row.state as 'queued' | 'running' | 'done' | 'failed',
    file_name,
    bytes_total,
    bytes_read,
    rows_read,
    rows_added,
    rows_duplicate,
    rows_rejected,
    error_code: row.error_code,
    // While the file is being read its list of refused rows grows, and a retry begins it anew.
    error_file:
      row.finished_at !== null && rows_rejected + rows_duplicate > 0 ? contract.bulkUploadErrorsPath(id) : null,
    created_at: row.created_at,
    finished_at: row.finished_at,
  };
}

/** Takes up uploaded files of the given kinds. */
export function bulkUploadJobs(worker: WorkerContext, kinds: readonly BulkKind[]): Promise<void> {
  return worker.jobs.work(bulkUploadJob, async ({ bulk_upload_id }, signal) => {
    const upload = await worker.database
      .selectFrom('bulk_upload')
      .selectAll()
      .where('id', '=', bulk_upload_id)
      .executeTakeFirst();
    const kind = kinds.find(({ name }) => name === upload?.kind);
    // Gone with its corporation, or ended by another worker.
    if (!upload || !kind || upload.finished_at !== null) return;
    try {
      await readUpload(worker, kind, upload, signal);
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error;
      const code: ErrorCode = error instanceof BusinessError ? error.code : 'internal_error';
      if (code === 'internal_error') worker.log.error({ err: error, bulk_upload_id }, 'upload failed');
      await save(worker.database, upload, {
        state: 'failed',
        error_code: code,
        rows_added: 0,
        rows_duplicate: 0,
        finished_at: worker.clock.now().toISOString(),
      });
    }
    await removeFile(worker.config, upload.file_path);
  });
}

const ZERO = { bytes_read: 0, rows_read: 0, rows_added: 0, rows_duplicate: 0, rows_rejected: 0 };

/**
 * Adds the records of a file, and ends the upload, in one transaction: whenever a worker dies nothing has happened, and
 * the next attempt counts from zero.
 */
async function readUpload(worker: Worker, kind: BulkKind, upload: Upload, signal: AbortSignal): Promise<void> {
  const { database, clock, config } = worker;
  await save(database, upload, { state: 'running', ...ZERO });
  const rejects = await openRejectFile(config, upload.error_path, ['line', 'value', 'reason']);
  const tell = throttled(async (counts: typeof ZERO) => {
    await save(database, upload, counts);
  });
  try {
    await database.transaction().execute(async (db) => {
      const counts = await readRows(db, kind, upload, { config, signal, rejects, tell });
      await rejects.close();
      const finished_at = clock.now().toISOString();
      const nothing = (counts.rows_added + counts.rows_duplicate === 0 && kind.nothing) || null;
      const state = nothing ? 'failed' : 'done';
      const ended = { ...counts, bytes_read: upload.bytes_total, state, error_code: nothing, finished_at };
      if (!(await save(db, upload, ended)) || counts.rows_added === 0) return;
      await kind.end?.(db);
      const { user_id, corporation_id, file_name } = upload;
      await audit(
        { db, clock, caller: { user_id, corporation_id } },
        {
          name: kind.name,
          description: 'uploaded',
          subject_type: kind.name,
          subject_id: null,
          after: { file_name, ...counts },
        },
      );
    });
  } finally {
    await rejects.abandon();
  }
}

interface Reading {
  config: Worker['config'];
  signal: AbortSignal;
  rejects: RejectFile;
  tell: (counts: typeof ZERO) => Promise<void>;
}

async function readRows(db: Kysely<Database>, kind: BulkKind, upload: Upload, reading: Reading): Promise<typeof ZERO> {
  const reader = await kind.begin(db, upload);
  const say = await voiceOf(db, upload.user_id);
  const counts = { ...ZERO };
  let header: ReadonlyMap<string, number> | null = null;
  await using file = await localFile(reading.config, upload.file_path);
  for await (const batch of readTable(file.path)) {
    reading.signal.throwIfAborted();
    let { rows } = batch;
    if (!header) {
      header = readHeader(kind, rows[0]!.cells);
      rows = rows.slice(1);
    }
    const refused: [line: number, value: string, reason: string][] = [];
    const good: { line: number; row: unknown }[] = [];
    for (const { line, cells } of rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))) {
      counts.rows_read++;
      const row = reader.parse(cellsBy(header, cells));
      if (isFault(row)) refused.push([line, row.value.slice(0, 100), say(row.fault)]);
      else good.push({ line, row });
    }
    counts.rows_rejected += refused.length;
    const added = new Set(
      await reader.add(
        db,
        good.map(({ row }) => row),
      ),
    );
    for (const { line, row } of good) {
      // Of two rows with one key the first is the one that was added.
      if (added.delete(reader.keyOf(row))) counts.rows_added++;
      else if (kind.duplicate) {
        counts.rows_duplicate++;
        refused.push([line, reader.keyOf(row).slice(0, 100), say(kind.duplicate)]);
      }
    }
    await reading.rejects.add(refused.sort((a, b) => a[0] - b[0]));
    counts.bytes_read = batch.bytes_read;
    await reading.tell(counts);
  }
  if (!header) throw new BusinessError('file_headers_invalid');
  return counts;
}

const isFault = (row: unknown): row is RowFault => typeof row === 'object' && row !== null && 'fault' in row;

const cellsBy = (header: ReadonlyMap<string, number>, cells: TableRow['cells']) => (column: string) =>
  cells[header.get(column) ?? -1] ?? '';

/** Where each column stands; the columns come in any order and case. Throws `file_headers_invalid`. */
function readHeader(kind: BulkKind, cells: readonly string[]): ReadonlyMap<string, number> {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  const header = new Map(names.map((name, place) => [name, place]));
  if (
    header.size < names.length ||
    names.some((name) => !kind.columns.includes(name)) ||
    kind.required.some((name) => !header.has(name))
  )
    throw new BusinessError('file_headers_invalid');
  return header;
}

/** Says the sentence of a key in the language of who uploaded. */
async function voiceOf(db: Kysely<Database>, userId: number): Promise<(key: string) => string> {
  const user = await db
    .selectFrom('user_account')
    .select('preferred_language')
    .where('id', '=', userId)
    .executeTakeFirst();
  const locale = chooseLocale(undefined, user?.preferred_language ?? undefined);
  return (key) => translate(locale, key);
}

/** Writes how far an upload is and tells the person who started it; false where it has ended meanwhile. */
async function save(db: Kysely<Database>, { id }: Upload, next: Updateable<Database['bulk_upload']>): Promise<boolean> {
  const row = await db
    .updateTable('bulk_upload')
    .set(next)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row) await emit(db, `private-App.Models.User.${row.user_id}`, 'bulk.progress', onWire(row));
  return row !== undefined;
}
