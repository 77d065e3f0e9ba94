import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { migrate } from '../../src/platform/database/migrate.ts';
import { emptyDatabase } from '../template-database.ts';

function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-migrations-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
  return folder;
}

const FIRST = 'CREATE TABLE lamp (id bigint PRIMARY KEY, lit boolean NOT NULL);';

test('migrations are applied once, in order, and a later file follows', async (t) => {
  const { url, pool } = await emptyDatabase(t);
  const folder = folderOf(t, { '0001_lamp.sql': FIRST });
  assert.deepEqual(await migrate({ url, folder }), ['0001_lamp.sql']);
  assert.deepEqual(await migrate({ url, folder }), []);
  writeFileSync(join(folder, '0002_colour.sql'), 'ALTER TABLE lamp ADD colour text;');
  assert.deepEqual(await migrate({ url, folder }), ['0002_colour.sql']);
  assert.deepEqual((await pool('owner').query('SELECT id, lit, colour FROM lamp')).rows, []);
});

test('two migrations at the same time apply each file once', async (t) => {
  const { url } = await emptyDatabase(t);
  const folder = folderOf(t, { '0001_lamp.sql': `SELECT pg_sleep(0.2); ${FIRST}`, '0002_more.sql': 'SELECT 1;' });
  const applied = await Promise.all([migrate({ url, folder }), migrate({ url, folder }), migrate({ url, folder })]);
  assert.deepEqual(applied.flat().sort(), ['0001_lamp.sql', '0002_more.sql']);
});

test('of a deadlock with a program the migration gives way, and is applied later', async (t) => {
  const { url, pool } = await emptyDatabase(t);
  await pool('owner').query('CREATE TABLE first (id bigint); CREATE TABLE second (id bigint)');
  const folder = folderOf(t, {
    '0001_both.sql': 'ALTER TABLE first ADD x integer; SELECT pg_sleep(0.7); ALTER TABLE second ADD x integer;',
  });
  const program = await pool('owner').connect();
  await program.query('BEGIN');
  await program.query('SELECT FROM second');
  const migrated = migrate({ url, folder });
  await until('the migration holds the first table', async () => {
    const { rows } = await pool('owner').query(
      "SELECT FROM pg_locks WHERE relation = 'first'::regclass AND mode = 'AccessExclusiveLock' AND granted",
    );
    return rows.length > 0;
  });
  try {
    await program.query('INSERT INTO first (id) VALUES (1)');
    await program.query('COMMIT');
  } finally {
    program.release(true);
  }
  assert.deepEqual(await migrated, ['0001_both.sql']);
});

test('a file that fails leaves nothing behind and is named with its line', async (t) => {
  const { url, pool } = await emptyDatabase(t);
  const folder = folderOf(t, { '0001_lamp.sql': `${FIRST}\n\nCREATE TABLE other (id nonsense);` });
  await assert.rejects(migrate({ url, folder }), { name: 'StartError', message: /0001_lamp\.sql failed \(line 3\)/ });
  assert.equal((await pool('owner').query("SELECT to_regclass('lamp') AS t")).rows[0]?.t, null);
  writeFileSync(join(folder, '0001_lamp.sql'), FIRST);
  assert.deepEqual(await migrate({ url, folder }), ['0001_lamp.sql']);
});

test('a changed, renamed or missing file is refused in one line', async (t) => {
  const { url } = await emptyDatabase(t);
  const files = { '0001_lamp.sql': FIRST, '0002_more.sql': 'SELECT 1;' };
  await migrate({ url, folder: folderOf(t, files) });
  const refusal = (message: RegExp) => ({ name: 'StartError', message });
  const changed = folderOf(t, { ...files, '0001_lamp.sql': `${FIRST} SELECT 1;` });
  await assert.rejects(
    migrate({ url, folder: changed }),
    refusal(/^The migration 0001_lamp\.sql is not the one[^\n]*$/),
  );
  const missing = folderOf(t, { '0001_lamp.sql': FIRST });
  await assert.rejects(migrate({ url, folder: missing }), refusal(/^The database has the migration 0002_more[^\n]*$/));
  const twice = folderOf(t, { ...files, '0002_again.sql': 'SELECT 1;' });
  await assert.rejects(
    migrate({ url, folder: twice }),
    refusal(/^The migration 0002_more\.sql has the number of 0002_again/),
  );
  const windows = folderOf(t, { '0001_lamp.sql': FIRST, '0002_more.sql': 'SELECT 1;'.replaceAll('\n', '\r\n') });
  assert.deepEqual(await migrate({ url, folder: windows }), []);
});

test('a number that was left out is applied when its file arrives', async (t) => {
  const { url } = await emptyDatabase(t);
  const files = { '0001_lamp.sql': FIRST, '0003_more.sql': 'SELECT 1;' };
  assert.deepEqual(await migrate({ url, folder: folderOf(t, files) }), ['0001_lamp.sql', '0003_more.sql']);
  const later = folderOf(t, { ...files, '0002_between.sql': 'SELECT 1;' });
  assert.deepEqual(await migrate({ url, folder: later }), ['0002_between.sql']);
});

test('an unreachable database is reported in one line', async () => {
  const url = 'postgres://nobody:nothing@127.0.0.1:1/none';
  await assert.rejects(migrate({ url }), { name: 'StartError', message: /^The database cannot be reached: [^\n]+$/ });
});
