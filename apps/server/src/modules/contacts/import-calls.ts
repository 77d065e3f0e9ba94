import * as contract from '@heliograph/contract/contacts/number-list';
import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#platform/context';
import { BusinessError, constraintError } from '#platform/errors';
import { newFile, removeFile, type StoredFile, storeFile } from '#platform/files/files';
import { type App, mount, mountFile, mountUpload } from '#platform/http/http';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { Retention } from '#platform/jobs/retention';
import { checkFormat, digestOf } from '#platform/table/file-format';
import { attachRejects } from '#platform/tasks/reject-file';
import { importOnWire } from './import-row.ts';

/** Maximum size of an uploaded file. */
export const UPLOAD_LIMIT_BYTES = 200 * 1024 * 1024;

/** Job that reads an uploaded file into its list. */
export const importNumbersJob = defineJob('import-numbers', z.object({ import_id: z.int() }));

/** Retention of the reports of refused rows; the imports stay. */
export const importRetention: Retention = {
  table: 'import',
  days: 30,
  since: 'finished_at',
  when: sql`error_path IS NOT NULL`,
  rows: 500,
  file: 'error_path',
  staysWithoutFile: true,
  nightly: true,
};

/** Mounts the upload of a file into a list, its progress, and its refused rows. */
export function importRoutes(app: App): void {
  mountUpload(app, contract.importNumbers, async (base, { params, query, file }, run) => {
    const { read_national, ...reading } = query;
    const stored = await storeFile(base.config, file.stream, UPLOAD_LIMIT_BYTES, (local) =>
      checkFormat(local, reading),
    );
    try {
      return await run((ctx) =>
        queueImport(ctx, params.id, { read_national: read_national === 'true', reading }, file.file_name, stored),
      );
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
  mount(app, contract.getImport, async (ctx, { params }) => ({ data: importOnWire(await findImport(ctx, params.id)) }));
  mountFile(app, contract.importErrors, async (ctx, { params, query }) => {
    const row = await findImport(ctx, params.id);
    if (!row.error_path || !importOnWire(row).error_file) throw new BusinessError('not_found');
    return attachRejects(ctx.config, row.error_path, `${row.file_name.replace(/\.[^.]*$/, '')}-errors`, query.format);
  });
}

/** Returns an import into a list that the caller can see; throws `not_found`. */
async function findImport(ctx: Context, id: number) {
  const row = await ctx.db
    .selectFrom('import')
    .innerJoin('number_list', 'number_list.id', 'import.number_list_id')
    .selectAll('import')
    .where('import.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

async function queueImport(
  ctx: Context,
  listId: number,
  { read_national, reading }: { read_national: boolean; reading: FileReading },
  file_name: string,
  stored: StoredFile,
) {
  const list = await ctx.db
    .selectFrom('number_list')
    .select(['id', 'corporation_id'])
    .where('id', '=', listId)
    .executeTakeFirst();
  if (!list) throw new BusinessError('not_found');
  const row = await ctx.db
    .insertInto('import')
    .values({
      corporation_id: list.corporation_id,
      number_list_id: list.id,
      user_id: ctx.caller.user_id,
      read_national,
      file_name: file_name.slice(0, 255),
      file_path: stored.path,
      file_sha256: digestOf(stored, reading),
      reading: JSON.stringify(reading),
      bytes_total: stored.size,
      error_path: newFile('rejects', 'csv'),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw constraintError(error, { import_number_list_id_file_sha256: 'file_already_uploaded' }) ?? error;
    });
  await enqueue(ctx.db, importNumbersJob, { import_id: row.id }, { tenant: list.corporation_id });
  return { data: importOnWire(row) };
}
