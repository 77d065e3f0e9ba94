import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import { isRefused, isTransient, readAgain } from '#platform/database/transient-error';
import { processIdOf } from '#platform/driver/internals';
import { listenOn } from '../own-port.ts';
import { testDatabase } from '../template-database.ts';

/** Returns the error of a statement that fails. */
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error,
  );

test('a statement that the database refuses fails for good', async (t) => {
  const pool = (await testDatabase(t)).pool('owner');
  for (const statement of ['SELECT 1 / 0', 'SELECT nothing FROM nowhere', "SELECT 'x'::bigint"]) {
    const error = await errorOf(pool.query(statement));
    assert.equal(isRefused(error), true, statement);
    assert.equal(isTransient(error), false, statement);
  }
});

test('an ended session, a cancelled transaction or a missing host can be retried', async (t) => {
  const database = await testDatabase(t);
  const pool = database.pool('owner');
  const ended = await pool.connect();
  ended.on('error', () => undefined);
  const errors = [
    await errorOf(ended.query('SELECT pg_terminate_backend(pg_backend_pid())')),
    await errorOf(pool.query('SET statement_timeout = 10; SELECT pg_sleep(10)')),
    await errorOf(pool.query('DO $$ BEGIN SET TRANSACTION READ ONLY; CREATE TABLE x (); END $$')),
  ];
  ended.release(true);
  const server = createServer((socket) => socket.destroy());
  const port = await listenOn(server);
  const client = new pg.Client({ host: '127.0.0.1', port });
  client.on('error', () => undefined);
  errors.push(await errorOf(client.connect()));
  server.close();
  errors.push(await errorOf(new pg.Client({ host: '127.0.0.1', port }).connect()));
  for (const error of errors) {
    assert.equal(isRefused(error), false, String(error));
    assert.equal(isTransient(error), true, String(error));
  }
});

test('a socket that breaks during a write is not a refusal by the database', () => {
  const error = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  assert.equal(isRefused(error), false);
  assert.equal(isTransient(error), true);
});

test('a read is repeated once after its session is lost, and nothing else is', async (t) => {
  const pool = (await testDatabase(t)).pool('owner');
  const losing = async () => {
    tries++;
    const client = await pool.connect();
    try {
      if (tries <= losses) await pool.query('SELECT pg_terminate_backend($1, 60000)', [processIdOf(client)]);
      return (await client.query('SELECT 7 AS seven')).rows[0].seven;
    } finally {
      client.release(true);
    }
  };
  let [tries, losses] = [0, 1];
  assert.equal(await readAgain(losing), 7);
  assert.equal(tries, 2);
  [tries, losses] = [0, 2];
  assert.ok(isTransient(await errorOf(readAgain(losing))));
  assert.equal(tries, 2);
  tries = 0;
  const wrong = () => {
    tries++;
    return pool.query('SELECT 1 / 0');
  };
  await errorOf(readAgain(wrong));
  assert.equal(tries, 1);
});
