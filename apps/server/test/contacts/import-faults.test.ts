import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importNumbers } from '../../src/modules/contacts/import-numbers.ts';
import { createPool } from '../../src/platform/database/db.ts';
import { filePath } from '../../src/platform/files/files.ts';
import { importStage } from './import-stage.ts';
import { temporaryFolder } from './table-file.ts';

const { home, owner, config, worker, go, newList, queued, importOf, numbersOf, countOf, run } = await importStage({
  after,
});

const many = (count: number) =>
  [
    'number,name',
    ...Array.from({ length: count }, (_, i) => `63917${String(i % (count * 0.9)).padStart(7, '0')},N${i}`),
  ].join('\n');

test('an import cut off at any moment has exact counts after the retry', async () => {
  const content = many(60_000);
  for (const delay of [20, 150, 400, 700]) {
    const list = await newList();
    const id = await queued(list, content);
    const pool = createPool({ DATABASE_URL: home.url }, 'worker', {
      max: 2,
    });
    const attempt = importNumbers(worker(pool), id, go).then(
      () => 'ended',
      () => 'cut',
    );
    await sleep(delay);
    const pids = [...(pool as unknown as { _clients: { processID: number }[] })._clients].map((c) => c.processID);
    await home.pool('owner').query('SELECT pg_terminate_backend(p, 60000) FROM unnest($1::int[]) p', [pids]);
    await attempt;
    await pool.end();
    await importNumbers(worker(), id, go);
    const row = await importOf(id);
    assert.deepEqual(
      [row.state, row.rows_read, row.rows_added, row.rows_duplicate, row.rows_rejected],
      ['done', 60_000, 54_000, 6_000, 0],
    );
    assert.equal(await countOf(list), 54_000);
    assert.equal((await numbersOf(list)).length, 54_000);
  }
});

test('parallel workers and imports count every number of a list once', async () => {
  const list = await newList();
  const [first, second] = [await queued(list, many(20_000)), await queued(list, `${many(20_000)}\n639990000000,last`)];
  await Promise.all([first, first, second].map((id) => importNumbers(worker(), id, go)));
  const rows = [await importOf(first), await importOf(second)];
  assert.ok(rows.every(({ state }) => state === 'done'));
  assert.equal(rows[0]!.rows_added + rows[1]!.rows_added, 18_001);
  assert.equal(rows[0]!.rows_duplicate + rows[1]!.rows_duplicate, 40_001 - 18_001);
  assert.equal(await countOf(list), 18_001);
});

test('the file of an import is deleted, even if its worker died after the commit', async () => {
  const list = await newList();
  const { row } = await run(list, many(100));
  const file = filePath(config(), row.file_path!);
  writeFileSync(file, many(100));
  await importNumbers(worker(), row.id, go);
  assert.equal(existsSync(file), false);
  assert.deepEqual(await importOf(row.id), row);
});

test('an import that cannot write its refused rows releases its session', async (t) => {
  const full = temporaryFolder(t);
  writeFileSync(join(full, 'drafts'), 'in the way of the folder');
  const pool = createPool({ DATABASE_URL: home.url }, 'worker', { max: 1 });
  const id = await queued(await newList(), many(100));
  await importNumbers({ ...worker(pool), config: { ...config(), FILES_DIR: full } }, id, go);
  assert.equal((await importOf(id)).error_code, 'internal_error');
  assert.equal(pool.totalCount - pool.idleCount, 0);
  await pool.end();
});

test('an import ends without an error if its list was deleted', async () => {
  const list = await newList();
  const id = await queued(list, many(100));
  await owner.deleteFrom('number_list').where('id', '=', list).execute();
  await importNumbers(worker(), id, go);
  await assert.rejects(importOf(id), 'the import went with its list');
  assert.deepEqual(await numbersOf(list), []);
});

test('the person sees the progress and the end of an import', async () => {
  const list = await newList();
  const heard: { event: string; data: { state: string; rows_added: number } }[] = [];
  const client = await home.pool('owner').connect();
  await client.query('LISTEN heliograph_events');
  client.on('notification', ({ payload }) => heard.push(JSON.parse(payload!)));
  await run(list, many(5_000));
  await client.query('SELECT 1');
  client.release(true);
  const own = heard.filter(({ event }) => event === 'import.progress');
  assert.equal(own[0]?.data.state, 'running');
  assert.deepEqual([own.at(-1)?.data.state, own.at(-1)?.data.rows_added], ['done', 4_500]);
  const all = heard.filter(({ event }) => event === 'task.progress');
  assert.equal(all.at(-1)?.data.state, 'done');
});
