import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { filePath, keepDraft, newDraft, newFile } from '../../src/platform/files/files.ts';
import { bulkUploadJobs } from '../../src/platform/tasks/read-bulk-upload.ts';
import { temporaryFolder } from '../contacts/table-file.ts';
import { makeTenant } from '../contacts/tenant.ts';
import { testDatabase } from '../template-database.ts';

test('the file of an upload is deleted, even if its worker died after the commit', async (t) => {
  const home = await testDatabase(t);
  const owner = home.db('owner');
  const { user_id } = await makeTenant(owner);
  const config = readConnectedConfig({ DATABASE_URL: home.url, DATA_DIR: temporaryFolder(t) });
  const path = newFile('uploads', 'bin');
  writeFileSync(await newDraft(config, path), 'name\none');
  await keepDraft(config, path);
  const ended = { state: 'done', rows_added: 1, finished_at: new Date().toISOString() };
  const { id } = await owner
    .insertInto('task')
    .values({
      type: 'bulk_upload',
      ...ended,
      user_id,
      kind: 'things',
      parameters: '{}',
      file_name: 'things.csv',
      file_path: path,
      file_sha256: '',
      bytes_total: 8,
      error_path: newFile('rejects', 'csv'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const work = (_job: unknown, handler: (data: object, signal: AbortSignal) => Promise<void>) =>
    handler({ bulk_upload_id: id }, new AbortController().signal);
  await bulkUploadJobs({ config, database: home.db('worker'), jobs: { work } } as never, [{ name: 'things' } as never]);
  assert.equal(existsSync(filePath(config, path)), false);
  const row = await owner.selectFrom('task').select(['state', 'rows_added']).executeTakeFirstOrThrow();
  assert.deepEqual(row, { state: 'done', rows_added: 1 });
});
