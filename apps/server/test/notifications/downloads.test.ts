import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { openDownload, queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { exportTransactionsJob } from '#modules/reports';
import { downloadRetention } from '../../src/modules/notifications/downloads.ts';
import { filePath, keepDraft, newDraft, newFile } from '../../src/platform/files/files.ts';
import { enqueue } from '../../src/platform/jobs/jobs.ts';
import { removeOld } from '../../src/platform/jobs/retention.ts';
import { endLostTasks } from '../../src/platform/tasks/end-lost-tasks.ts';
import { TASKS } from '../../src/processes/tasks.ts';
import { startTestApi } from '../test-api.ts';

const DAY = 86_400_000;
let now = Date.now();
const clock = { now: () => new Date(now) };
const api = await startTestApi({ after }, { clock });
const owner = api.database.pool('owner');

/** Adds a person's file as an export leaves it. */
async function makeDownload(login: string, { state = 'done', age = 0, name = 'messages.csv' } = {}) {
  const path = newFile('exports', 'csv');
  writeFileSync(await newDraft(api.config, path), `Number\r\n639170000001\r\n`);
  await keepDraft(api.config, path);
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO download (user_id, corporation_id, kind, parameters, download_file, file_path, state, created_at)
     SELECT id, corporation_id, 'transactions', '{}', $2, $3, $4, $5 FROM user_account WHERE email = $1 RETURNING id`,
    [`${login}@heliograph.test`, name, path, state, new Date(now - age).toISOString()],
  );
  return { id: rows[0]!.id, path };
}
const list = async (login: string) =>
  queueDownloadNotify.reply.parse((await (await api.as(login))('GET', '/api/v1/queue-download-notify')).body);
const openFile = async (login: string, id: number) => {
  const { status, body } = await (await api.as(login))('GET', `/api/v1/queue-download-unread-file/${id}`);
  return { status, ...(status === 200 ? openDownload.reply.parse(body) : { success: false, message: '', data: null }) };
};

test('the bell lists one’s own files of the last seven days, newest first', async () => {
  const old = await makeDownload('corporate', { age: 7 * DAY + 1000 });
  const first = await makeDownload('corporate', { age: 6 * DAY });
  const second = await makeDownload('corporate', { state: 'running' });
  await makeDownload('reseller');
  assert.deepEqual(
    (await list('corporate')).map((row) => row.id),
    [second.id, first.id],
  );
  assert.equal((await openFile('corporate', old.id)).success, false);
});

test('opening a file marks it read and returns a download address without a token', async () => {
  const { id } = await makeDownload('corporate', { name: 'Café, week 1.csv' });
  const opened = await openFile('corporate', id);
  assert.equal(opened.success, true);
  assert.match(opened.message, /Café, week 1\.csv/);
  assert.equal(opened.data?.fileName, 'Café, week 1.csv');
  assert.ok(opened.data?.download_list.find((row) => row.id === id)?.downloaded_at);
  const fetched = await api.anonymous()('GET', opened.data!.path);
  assert.equal(fetched.status, 200);
  assert.equal(fetched.body, 'Number\r\n639170000001\r\n');
  assert.match(fetched.headers.get('content-disposition')!, /^attachment; filename=".*"; filename\*=UTF-8''Caf%C3%A9/);
  assert.match(fetched.headers.get('content-type')!, /^text\/csv/);
});

test('a download address opens one file of one person for a minute', async () => {
  const { id } = await makeDownload('corporate');
  const other = await makeDownload('reseller');
  const { data } = await openFile('corporate', id);
  const get = (path: string) => api.anonymous()('GET', path);
  const address = new URL(data!.path, api.url);
  const changed = (change: (url: URL) => void) => {
    const url = new URL(address);
    change(url);
    return url.pathname + url.search;
  };
  const { rows } = await owner.query("SELECT id FROM user_account WHERE email = 'reseller@heliograph.test'");
  for (const [what, path] of [
    ['another file', data!.path.replace(`/${id}/`, `/${other.id}/`)],
    ['another person', changed((url) => url.searchParams.set('user', rows[0].id))],
    [
      'a later end',
      changed((url) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))),
    ],
    ['a forged signature', changed((url) => url.searchParams.set('signature', 'A'.repeat(43)))],
    ['a short signature', changed((url) => url.searchParams.set('signature', 'A'))],
  ] as const)
    assert.equal((await get(path)).status, 404, what);
  assert.equal((await get(changed((url) => url.searchParams.delete('signature')))).status, 422);
  assert.equal((await get(data!.path)).status, 200);
  now += 61_000;
  assert.equal((await get(data!.path)).status, 404, 'after a minute');
});

test('another person’s file does not exist, and an unfinished one is reported as such', async () => {
  const { id } = await makeDownload('corporate');
  for (const login of ['superadmin', 'reseller', 'department', 'user'])
    assert.equal((await openFile(login, id)).status, 404, login);
  for (const state of ['queued', 'running', 'failed']) {
    const pending = await makeDownload('corporate', { state });
    const opened = await openFile('corporate', pending.id);
    assert.deepEqual([opened.status, opened.success, opened.data], [200, false, null], state);
    assert.match(opened.message, /messages\.csv/);
  }
});

test('a file that no job will write any more fails, and its person is notified', async () => {
  const lost = await makeDownload('department', { state: 'running' });
  const stuck = await makeDownload('department', { state: 'running', age: 2 * DAY });
  const waits = await makeDownload('department', { state: 'running' });
  const database = api.database.db('worker');
  for (const { id } of [stuck, waits]) await enqueue(database, exportTransactionsJob, { download_id: id });
  await endLostTasks({ database, config: api.config, clock }, TASKS);
  assert.deepEqual(
    (await list('department')).map((row) => [row.id, row.state]),
    [
      [waits.id, 'running'],
      [stuck.id, 'failed'],
      [lost.id, 'failed'],
    ],
  );
});

test('files older than seven days are removed from disk and table, newer ones kept', async () => {
  const old = await makeDownload('user', { age: 7 * DAY + 1000 });
  const young = await makeDownload('user', { age: 7 * DAY - 60_000 });
  const worker = { database: api.database.db('worker'), config: api.config, clock };
  await removeOld(worker, [downloadRetention], new AbortController().signal);
  assert.equal(existsSync(filePath(api.config, old.path)), false);
  assert.equal(existsSync(filePath(api.config, young.path)), true);
  assert.deepEqual(
    (await list('user')).map(({ id }) => id),
    [young.id],
  );
  const { rowCount } = await owner.query('SELECT FROM download WHERE id = $1', [old.id]);
  assert.equal(rowCount, 0);
});
