import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { databaseUpTo, FIRST_RELEASE } from './released-database.ts';

const TYPES = ['import', 'bulk_upload', 'list_job', 'card_upload', 'download'];

test('tasks of the last release are kept, and programs of both releases share them', async (t) => {
  const database = await databaseUpTo(t, FIRST_RELEASE);
  await database.pool('owner').query(`
    WITH c AS (INSERT INTO corporation (name) VALUES ('C') RETURNING id),
    d AS (INSERT INTO department (corporation_id, name) SELECT id, 'D' FROM c RETURNING *),
    r AS (INSERT INTO role (name, level) VALUES ('r', 2) RETURNING id),
    u AS (INSERT INTO user_account (corporation_id, name, email, password_hash, role_id, scope_level)
      SELECT c.id, 'U', 'u@c.test', 'x', r.id, 2 FROM c, r RETURNING *),
    l AS (INSERT INTO number_list (corporation_id, department_id, name, created_by)
      SELECT d.corporation_id, d.id, 'L', u.id FROM d, u RETURNING *)
    SELECT FROM l`);
  const worker = database.pool('worker');
  const owner = database.pool('owner');
  // Statements of the last release.
  const queueImport = (state: string) =>
    owner.query<{ id: number }>(
      `INSERT INTO import (corporation_id, number_list_id, user_id, file_name, file_path, file_sha256, bytes_total, error_path, state, rows_added)
       SELECT l.corporation_id, l.id, u.id, 'a.csv', gen_random_uuid(), gen_random_uuid(), 9, 'rejects/a.csv', $1, 4
       FROM number_list l, user_account u RETURNING id`,
      [state],
    );
  const askForFile = () =>
    owner.query<{ id: number }>(
      `INSERT INTO download (user_id, kind, parameters, download_file) SELECT id, 'numbers', '{"locale":"en"}', 'a.csv'
       FROM user_account RETURNING id`,
    );
  await queueImport('done');
  const [running] = (await queueImport('running')).rows;
  const [asked] = (await askForFile()).rows;
  assert.deepEqual([running?.id, asked?.id], [2, 1]);
  await prepareDatabase(database.url);
  const { rows: kept } = await worker.query('SELECT type, id, state, rows_added FROM task ORDER BY type, id');
  assert.deepEqual(kept, [
    { type: 'download', id: 1, state: 'queued', rows_added: 0 },
    { type: 'import', id: 1, state: 'done', rows_added: 4 },
    { type: 'import', id: 2, state: 'running', rows_added: 4 },
  ]);
  // A worker of either release goes on with what the other has begun, and no id is given twice.
  await worker.query("UPDATE import SET state = 'done', finished_at = now() WHERE id = 2 AND finished_at IS NULL");
  await worker.query("UPDATE task SET state = 'running' WHERE type = 'download' AND id = 1");
  const next = [(await queueImport('queued')).rows[0]!.id, (await askForFile()).rows[0]!.id];
  const { rows: own } = await worker.query<{ id: number }>(
    `INSERT INTO task (type, kind, user_id, download_file) SELECT 'download', 'numbers', id, 'b.csv' FROM user_account RETURNING id`,
  );
  assert.deepEqual([...next, own[0]!.id], [3, 4, 5]);
  const { rows: seen } = await worker.query('SELECT id, state FROM download ORDER BY id');
  assert.deepEqual(seen, [
    { id: 1, state: 'running' },
    { id: 4, state: 'queued' },
    { id: 5, state: 'queued' },
  ]);
  // A list still takes its tasks with it.
  await owner.query('DELETE FROM number_list');
  const { rows: types } = await worker.query<{ type: string }>('SELECT DISTINCT type FROM task');
  assert.deepEqual(types, [{ type: 'download' }]);
});

test('each type of task has the rows of one table of the last release', async (t) => {
  const database = await databaseUpTo(t, FIRST_RELEASE);
  await prepareDatabase(database.url);
  const { rows } = await database.pool('owner').query<{ name: string; bound: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'task'::regclass ORDER BY array_position($1::text[], c.relname::text)`,
    [TYPES],
  );
  assert.deepEqual(
    rows,
    TYPES.map((name) => ({ name, bound: `FOR VALUES IN ('${name}')` })),
  );
});
