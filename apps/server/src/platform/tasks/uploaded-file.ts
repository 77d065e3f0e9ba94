import type { bulkUpload } from '@heliograph/contract/kernel/bulk-upload';
import type { FileFormat } from '@heliograph/contract/kernel/file-format';
import { fileReading } from '@heliograph/contract/kernel/file-reading';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { TaskType } from '@heliograph/contract/kernel/task';
import type { Insertable } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import type { Database } from '../database/db.ts';
import { BusinessError } from '../errors.ts';
import { type FilesConfig, newFile, removeFile, storeFile } from '../files/files.ts';
import { type App, type Call, mountUpload } from '../http/http.ts';
import { checkFormat, digestOf } from '../table/file-format.ts';
import { attachRejects } from './reject-file.ts';
import { errorFile, queueTask, type Task, type TaskJob, type TaskKind } from './task.ts';

/** Type of tasks that read an uploaded file. */
export interface UploadKind<T extends TaskType> extends TaskKind<T> {
  /** Job that reads the file. */
  readonly job: TaskJob<T>;
  readonly limitBytes: number;
}

/** Values of a new task that the call decides: its owner and what the file is for. */
type Prepared = Pick<Insertable<Database['task']>, 'kind' | 'corporation_id'> & Partial<Insertable<Database['task']>>;

/**
 * Mounts an upload whose file is read by a task. `prepare` checks the call, and the digest of the file and its
 * reading, and answers the task's values. The file is
 * removed again if the call is refused.
 */
export function mountTaskUpload<O extends Operation, T extends TaskType>(
  app: App,
  o: O,
  kind: UploadKind<T>,
  prepare: (ctx: Context, call: Call<O>, digest: string) => Promise<Prepared>,
  reply: (ctx: Context, row: Task) => Promise<ReplyOf<O>> | ReplyOf<O>,
): void {
  mountUpload(app, o, async (base, call, run) => {
    const reading = fileReading.parse(call.query);
    const stored = await storeFile(base.config, call.file.stream, kind.limitBytes, (local) =>
      checkFormat(local, reading),
    );
    const digest = digestOf(stored, reading);
    try {
      return await run(async (ctx) => {
        const row = await queueTask(ctx, kind, kind.job, {
          ...(await prepare(ctx, call, digest)),
          file_name: call.file.file_name.slice(0, 255),
          file_path: stored.path,
          file_sha256: digest,
          reading: JSON.stringify(reading),
          bytes_total: stored.size,
          error_path: newFile('rejects', 'csv'),
        });
        return reply(ctx, row);
      });
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
}

/** Sends the refused rows of a task as an attachment; throws `not_found` if it has none. */
export function attachErrors(config: FilesConfig, kind: TaskKind, row: Task, format: FileFormat) {
  if (errorFile(kind, row) === null) throw new BusinessError('not_found');
  return attachRejects(config, row.error_path!, `${row.file_name!.replace(/\.[^.]*$/, '')}-errors`, format);
}

type Wire = z.input<typeof bulkUpload>;

/** An uploaded file as the calls and the live events of its type show it. */
export const uploadOnWire = (kind: TaskKind, row: Task): Wire => ({
  id: row.id,
  kind: row.kind,
  state: row.state as Wire['state'],
  file_name: row.file_name!,
  bytes_total: row.bytes_total,
  bytes_read: row.bytes_read,
  rows_read: row.rows_read,
  rows_added: row.rows_added,
  rows_changed: row.rows_changed,
  rows_duplicate: row.rows_duplicate,
  rows_rejected: row.rows_rejected,
  rows_national: row.rows_national,
  columns: row.columns as FileColumn[] | null,
  error_code: row.error_code,
  error_params: row.error_params as Wire['error_params'],
  read_as: row.read_as as Wire['read_as'],
  error_file: errorFile(kind, row),
  created_at: row.created_at,
  finished_at: row.finished_at,
});
