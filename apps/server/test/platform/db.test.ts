import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import fc from 'fast-check';
import { sql } from 'kysely';
import type pg from 'pg';
import { createDatabase, createPool, parseBigint, parseTimestamp } from '../../src/platform/database/db.ts';
import { inTransaction } from '../../src/platform/database/in-transaction.ts';
import { testDatabase } from '../template-database.ts';

test('values arrive as PostgreSQL sends them', async (t) => {
  const { pool } = await testDatabase(t);
  const { rows } = await pool('owner').query(`SELECT
    9007199254740991::bigint AS largest, ARRAY[1, NULL, 3]::bigint[] AS ids,
    timestamptz '2026-02-03 04:05:06.7+08' AS at, ARRAY[timestamptz '2026-02-03 04:05:06Z'] AS times,
    date '2026-02-03' AS day, 1.50::numeric AS amount, 'infinity'::timestamptz AS never, interval '90 minutes' AS span`);
  assert.deepEqual(rows[0], {
    largest: 9007199254740991,
    ids: [1, null, 3],
    at: '2026-02-02T20:05:06.7Z',
    times: ['2026-02-03T04:05:06Z'],
    day: '2026-02-03',
    amount: '1.50',
    never: 'infinity',
    span: 'PT1H30M',
  });
});

test('a bigint that a number cannot hold is an error, never a wrong number', async (t) => {
  const { pool } = await testDatabase(t);
  await assert.rejects(pool('owner').query('SELECT 9007199254740993::bigint'), RangeError);
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => parseBigint(String(value)) === value));
});

test('every instant survives the trip through PostgreSQL to RFC 3339', () => {
  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, (date) => {
      const text = date.toISOString().replace('T', ' ').replace('Z', '+00');
      return Date.parse(parseTimestamp(text)) === date.getTime();
    }),
  );
});

for (const role of ['api', 'auth', 'worker', 'sender'] as const) {
  test(`a session of ${role} runs under its role, in UTC, with time limits`, async (t) => {
    const { pool } = await testDatabase(t);
    const { rows } = await pool(role).query(`SELECT current_user, current_setting('TimeZone') AS zone,
      current_setting('statement_timeout') AS statement, current_setting('idle_in_transaction_session_timeout') AS idle,
      (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user) AS unbound`);
    assert.equal(rows[0]?.current_user, `heliograph_${role}`);
    assert.equal(rows[0]?.zone, 'UTC');
    assert.notEqual(rows[0]?.statement, '0');
    assert.notEqual(rows[0]?.idle, '0');
    assert.equal(rows[0]?.unbound, false);
  });
}

test('a statement that comes after its transaction has ended never runs by itself', async (t) => {
  const { pool } = await testDatabase(t);
  const database = createDatabase(pool('owner'));
  await sql`CREATE TABLE kept (of text)`.execute(database);
  for (const ends of ['rolled back', 'committed']) {
    let late: Promise<unknown> = Promise.resolve();
    const transaction = database.transaction().execute(async (db) => {
      await sql`INSERT INTO kept VALUES ('within')`.execute(db);
      late = sql`SELECT pg_sleep(0.3)`.execute(db).then(() => sql`INSERT INTO kept VALUES ('late')`.execute(db));
      late.catch(() => undefined);
      if (ends === 'rolled back') throw new Error('given up');
    });
    if (ends === 'rolled back') await assert.rejects(transaction, /given up/);
    else await transaction;
    await assert.rejects(late);
    const { rows } = await sql<{ of: string }>`SELECT of FROM kept`.execute(database);
    assert.deepEqual(rows, ends === 'rolled back' ? [] : [{ of: 'within' }]);
  }
});

test('the reason for a rollback is reported, even if the session is gone', async (t) => {
  const { pool } = await testDatabase(t);
  const database = createDatabase(pool('owner'));
  const given = database.transaction().execute(async (db) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
    await pool('owner').query('SELECT pg_terminate_backend($1, 60000)', [rows[0]!.pid]);
    throw new Error('given up');
  });
  await assert.rejects(given, /given up/);
  assert.deepEqual((await sql`SELECT 1 AS one`.execute(database)).rows, [{ one: 1 }]);
});

test('a session returned in a transaction or a statement is not used again', async (t) => {
  const { pool, url } = await testDatabase(t);
  await pool('owner').query('CREATE TABLE kept (of text)');
  const one = createPool({ DATABASE_URL: url }, 'owner', { max: 1 });
  t.after(() => one.end());
  const keep = (of: string) => one.query('INSERT INTO kept VALUES ($1)', [of]);
  const left = async (work: (client: pg.PoolClient) => unknown) => {
    const client = await one.connect();
    await work(client);
    client.release();
  };
  await left((client) => client.query('BEGIN'));
  await keep('behind a transaction');
  await left(async (client) => {
    await client.query('BEGIN');
    await assert.rejects(client.query('SELECT 1 / 0'));
  });
  await keep('behind one that failed');
  await left((client) => void client.query('BEGIN').catch(() => undefined));
  await keep('behind a statement');
  // A session in order stays in the pool.
  const pid = async () => (await one.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  assert.equal(await pid(), await pid());
  const { rows } = await pool('owner').query('SELECT of FROM kept');
  assert.deepEqual(
    rows.map(({ of }) => of),
    ['behind a transaction', 'behind one that failed', 'behind a statement'],
  );
});

test('a transaction with a failed statement is not reported as committed', async (t) => {
  const { pool } = await testDatabase(t);
  await assert.rejects(
    inTransaction(pool('owner'), (client) => client.query('SELECT 1 / 0').catch(() => undefined)),
    /undone/,
  );
});

test('a pool outlives the loss of its sessions', async (t) => {
  const { pool } = await testDatabase(t);
  const { rows } = await pool('owner').query('SELECT pg_backend_pid() AS pid');
  await pool('auth').query('SELECT 1');
  await pool('owner').query(
    'SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE pid <> $1 AND usename = current_user AND datname = current_database()',
    [rows[0]?.pid],
  );
  // The pool notices the loss a moment later.
  await until('the session is gone', () => pool('auth').totalCount === 0);
  assert.equal((await pool('auth').query('SELECT 1 AS one')).rows[0]?.one, 1);
});
