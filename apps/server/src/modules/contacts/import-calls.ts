import * as contract from '@heliograph/contract/contacts/number-list';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { z } from 'zod';
import { type App, mount } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { defineJob } from '#platform/jobs/jobs';
import { requireTask, type Task } from '#platform/tasks/task';
import { attachErrors, mountTaskUpload, type UploadKind, uploadOnWire } from '#platform/tasks/uploaded-file';
import { findList } from './list-jobs.ts';

/** Maximum size of an uploaded file. */
export const UPLOAD_LIMIT_BYTES = 200 * 1024 * 1024;

/** Job that reads an uploaded file into its list. */
export const importNumbersJob = defineJob('import-numbers', z.object({ import_id: z.int() }));

/** Files of numbers for a list, as tasks. */
export const importTask: UploadKind<'import'> = {
  type: 'import',
  job: importNumbersJob,
  limitBytes: UPLOAD_LIMIT_BYTES,
  event: { name: 'import.progress', onWire: (row) => importOnWire(row) },
  errorsPath: contract.importErrorsPath,
};

/** Mounts the upload of a file into a list, its progress, and its refused rows. */
export function importRoutes(app: App): void {
  mountTaskUpload(
    app,
    contract.importNumbers,
    importTask,
    async (ctx, { params, query }) => {
      const { id: number_list_id, corporation_id } = await findList(ctx, params.id);
      return { kind: 'number_list', corporation_id, number_list_id, read_national: query.read_national === 'true' };
    },
    (_ctx, row) => ({ data: importOnWire(row) }),
  );
  mount(app, contract.getImport, async (ctx, { params }) => ({
    data: importOnWire(await requireTask(ctx, importTask, params.id)),
  }));
  mountFile(app, contract.importErrors, 'own', async (ctx, { params, query }) =>
    attachErrors(ctx.config, importTask, await requireTask(ctx, importTask, params.id), query.format),
  );
}

const importOnWire = (row: Task): ReplyOf<typeof contract.getImport>['data'] => ({
  ...uploadOnWire(importTask, row),
  kind: 'number_list',
});
