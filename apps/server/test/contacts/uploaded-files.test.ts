import assert from 'node:assert/strict';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#platform/clock';
import { filePath, keepDraft, newDraft, newFile } from '#platform/files/files';
import { endLostTasks } from '#platform/tasks/end-lost-tasks';
import { taskRetention } from '#platform/tasks/task';
import { removeOldFiles } from '../../src/modules/contacts/remove-old-files.ts';
import { removeOld } from '../../src/platform/jobs/retention.ts';
import { TASKS } from '../../src/processes/tasks.ts';
import { codeOf } from '../answers.ts';
import { listStage, range } from './list-stage.ts';
import { bookOf, sharedBomb } from './table-file.ts';

const { api, owner, corporate, harbor, corporation_id, one, listOf } = await listStage({ after });

test('the API keeps answering while sixteen workbooks inflate to 250 MB each', async () => {
  const bomb = new Uint8Array(bookOf(Buffer.from('<worksheet/>'), sharedBomb()));
  assert.ok(bomb.length < 300_000);
  const before = process.memoryUsage().rss;
  let most = 0;
  let over = false;
  const uploads = Promise.all(
    range(0, 16).map((i) => {
      const form = new FormData();
      form.append('file', new Blob([bomb]), `bomb-${i}.xlsx`);
      return corporate('POST', '/api/v1/campaigns/files', form);
    }),
  ).finally(() => {
    over = true;
  });
  let answers = 0;
  while (!over) {
    assert.equal((await harbor('GET', '/api/v1/profiles')).status, 200);
    most = Math.max(most, process.memoryUsage().rss - before);
    answers++;
    await sleep(20);
  }
  assert.deepEqual([...new Set((await uploads).map(codeOf))], ['workbook_too_large']);
  assert.ok(answers > 16, `${answers} answers meanwhile`);
  assert.ok(most < 150e6, `${Math.round(most / 1e6)} MB`);
});

test('an import whose job is lost fails, and files no longer needed are deleted', async () => {
  const list = await listOf([]);
  const { config } = api;
  const parts = { database: api.database.db('worker'), config, clock: systemClock };
  const [lost, report, orphan, kept] = [
    newFile('uploads', 'bin'),
    newFile('rejects', 'csv'),
    newFile('uploads', 'bin'),
    newFile('uploads', 'bin'),
  ];
  for (const path of [lost, report, orphan, kept]) {
    writeFileSync(await newDraft(config, path), 'x');
    await keepDraft(config, path);
  }
  const old = new Date(Date.now() - 3 * 86_400_000);
  for (const path of [orphan, kept]) utimesSync(filePath(config, path), old, old);
  const add = (state: string, path: string, finished: string | null, created: string) =>
    one(
      `INSERT INTO import (corporation_id, number_list_id, user_id, file_name, file_path, file_sha256, bytes_total, state,
       error_path, rows_rejected, finished_at, created_at) SELECT $1, $2, id, 'x.csv', $3, $3, 1, $4, $5, 1, $6, $7
       FROM user_account WHERE email = 'corporate@heliograph.test' RETURNING id`,
      [corporation_id, list, path, state, report, finished, created],
    );
  const running = await add('running', lost, null, new Date(Date.now() - 3_600_000).toISOString());
  const fresh = await add('running', kept, null, new Date().toISOString());
  const past = await add('done', 'uploads/gone', '2020-01-02', '2020-01-01');
  await endLostTasks(parts, TASKS);
  const stateOf = async (id: number) =>
    (await owner.query('SELECT state, error_code, error_path FROM import WHERE id = $1', [id])).rows[0];
  assert.deepEqual([(await stateOf(running)).state, (await stateOf(running)).error_code], ['failed', 'internal_error']);
  assert.equal((await stateOf(fresh)).state, 'running');
  assert.equal(existsSync(filePath(config, lost)), false);
  await removeOld(parts, taskRetention, new AbortController().signal);
  await removeOldFiles(parts, new AbortController().signal);
  assert.equal((await stateOf(past)).error_path, null);
  assert.deepEqual(
    [report, orphan, kept].map((path) => existsSync(filePath(config, path))),
    [false, false, true],
  );
});
