import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDownload } from '@heliograph/contract/notifications/download';
import { exportTransactions as exportCall } from '@heliograph/contract/reports/transaction';
import { importNumbers } from '../../src/modules/contacts/import-numbers.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { abortedAt } from '../reports/exported-file.ts';
import { startTestApi } from '../test-api.ts';
import { noObjectStorage, startObjectStorage } from './object-storage.ts';
import { watchStorage } from './watched-storage.ts';

const skip = noObjectStorage();
const storage = skip ? undefined : await startObjectStorage({ after });
const watched = storage ? await watchStorage({ after }, storage.S3_ENDPOINT) : undefined;
const settings = { ...storage, S3_ENDPOINT: watched?.url ?? '', S3_PATH_STYLE: 'true', S3_PREFIX: 'machines' };
const api = skip ? undefined : await startTestApi({ after }, { settings });

/** Makes a worker on its own machine: another folder, the same database and storage. */
function otherMachine() {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'heliograph-machine-'));
  after(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const database = api!.database.db('worker');
  const config = { ...api!.config, DATA_DIR };
  return { pool: api!.database.pool('worker'), database, config, log: api!.log, clock: systemClock };
}

const go = new AbortController().signal;
const one = async (text: string, values: unknown[] = []) =>
  (await api!.database.pool('owner').query(text, values)).rows[0];
const download = (id: number) => one('SELECT * FROM download WHERE id = $1', [id]);
const listOf = () =>
  one(`SELECT l.id FROM number_list l JOIN user_account u USING (corporation_id) WHERE u.email = 'corporate@heliograph.test'
    ORDER BY l.id LIMIT 1`);
const leftIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.'));

async function ask(): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  const from = new Date(Date.now() - 9 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await (await api!.as('corporate'))('POST', '/api/v1/transactions/exports', { from, to: today });
  return exportCall.reply.parse(body).data.id;
}
const load = (userId: number) => loadCaller(api!.database.db('worker'), userId);
const run = (worker: ReturnType<typeof otherMachine>, id: number, signal = go, batch?: number) =>
  exportTransactions(worker, load, id, signal, batch);

async function fetched(login: string, id: number): Promise<string> {
  const { body } = await (await api!.as(login))('GET', `/api/v1/queue-download-unread-file/${id}`);
  const { data } = openDownload.reply.parse(body);
  const { status, body: text } = await api!.anonymous()('GET', data!.path);
  assert.equal(status, 200);
  return text as string;
}

test('a file from the API on one machine is read by a worker on another', {
  skip,
}, async () => {
  const corporate = await api!.as('corporate');
  const { id } = await listOf();
  const form = new FormData();
  form.append('file', new Blob(['number\n639171234567\nnobody\n']), 'people.csv');
  const sent = await corporate('POST', `/api/v1/number-lists/${id}/imports`, form);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const upload = (sent.body as { data: { id: number } }).data;
  const worker = otherMachine();
  await importNumbers(worker, upload.id, go);
  const errors = `/api/v1/imports/${upload.id}/errors`;
  const report = await corporate('GET', errors);
  assert.deepEqual([report.status, /nobody/.test(report.body as string)], [200, true]);
  assert.equal((await (await api!.as('corporate@harbor.test'))('GET', errors)).status, 404, 'nobody else gets it');
  assert.deepEqual([...leftIn(worker.config.DATA_DIR), ...leftIn(join(api!.config.DATA_DIR, 'drafts'))], []);
});

test('an export is written whole by another machine when its own is lost', {
  skip,
}, async () => {
  const [lost, other] = [otherMachine(), otherMachine()];
  const whole = await ask();
  await run(other, whole);
  const text = await fetched('corporate', whole);
  const id = await ask();
  await assert.rejects(run(lost, id, abortedAt(3), 500), /stopped/);
  assert.equal((await download(id)).state, 'running');
  await run(other, id);
  assert.equal((await download(id)).state, 'done');
  assert.equal(await fetched('corporate', id), text);

  const again = await ask();
  await assert.rejects(run(other, again, abortedAt(3), 500), /stopped/);
  assert.ok((await download(again)).reached.rows > 0);
  await run(other, again);
  assert.equal(await fetched('corporate', again), text);
});

test('a frozen worker changes nothing after another one took its file over', { skip }, async () => {
  const [frozen, other] = [otherMachine(), otherMachine()];
  const id = await ask();
  let wake = () => {};
  const woken = new Promise<void>((go) => {
    wake = go;
  });
  let held = () => {};
  const holding = new Promise<void>((go) => {
    held = go;
  });
  // The worker stops before it reads its first message.
  const connect = frozen.pool.connect.bind(frozen.pool);
  const pool = new Proxy(frozen.pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name, target);
      return async () => {
        held();
        await woken;
        return connect();
      };
    },
  });
  const late = run({ ...frozen, pool }, id);
  await holding;
  await assert.rejects(run(other, id, abortedAt(3), 500), /stopped/);
  const midway = await download(id);
  wake();
  await late;
  assert.deepEqual(await download(id), midway, 'it is still the other one’s to finish');
  await run(other, id);
  assert.equal((await download(id)).state, 'done');
  assert.ok((await fetched('corporate', id)).length > 1_000);
});

test('uploads are refused and exports wait while the storage is away', {
  skip,
}, async () => {
  const corporate = await api!.as('corporate');
  const worker = otherMachine();
  const id = await ask();
  watched!.refuse = () => 503;
  const form = () => {
    const body = new FormData();
    body.append('file', new Blob(['number\n639171234568\n']), 'people.csv');
    return body;
  };
  const list = await listOf();
  const address = `/api/v1/number-lists/${list.id}/imports`;
  assert.equal((await corporate('POST', address, form())).status, 503);
  await assert.rejects(run(worker, id), (error: { code?: string }) => error.code === 'unavailable');
  assert.equal((await download(id)).state, 'running');
  watched!.refuse = () => undefined;
  assert.equal((await corporate('POST', address, form())).status, 202);
  await run(worker, id);
  assert.equal((await download(id)).state, 'done');
});
