import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { callbackKind } from '#modules/callbacks';
import { routingCallKind } from '#modules/inbox';
import { systemClock } from '#platform/clock';
import { createClient } from '#platform/database/db';
import { MIGRATIONS, migrate } from '#platform/database/migrate';
import { requireMigrations } from '#platform/database/require-migrations';
import { createLogger } from '#platform/log';
import { takeDue } from '../../src/modules/http-deliveries/take-due.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { until } from '../delivery/stage.ts';
import { emptyDatabase, testDatabase } from '../template-database.ts';
import { missedBy } from './catalog.ts';
import { databaseUpTo, FIRST_RELEASE, released, releasedDatabase, temporaryFolder } from './released-database.ts';
import { ReleasedProgram } from './released-program.ts';

const silent = createLogger({ LOG_LEVEL: 'silent' }, 'test');

/**
 * Returns the parts that newer migrations declare as removable, because no program since the release before the last
 * uses them.
 */
function contracted(): string[] {
  const newer = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql') && name > released.last_migration);
  return newer.flatMap((name) => {
    const sql = readFileSync(join(MIGRATIONS, name), 'utf8');
    return [...sql.matchAll(/^-- contract: (.+)$/gm)].map((found) => found[1]!.trim());
  });
}

test('the last release’s program finds all it needs in the newest database', async (t) => {
  const before = await releasedDatabase(t);
  const after = await testDatabase(t);
  const missed = await missedBy(before.pool('owner'), after.pool('owner'));
  assert.deepEqual(
    missed.filter((line) => !contracted().includes(line)),
    [],
    'Expand first, contract a release later (docs/operate/upgrade.md); what may go says so by a line "-- contract: …"',
  );
});

test('each change that would break the previous program is found', async (t) => {
  const [before, after] = [await emptyDatabase(t), await emptyDatabase(t)];
  const tables = `CREATE TYPE hue AS ENUM ('red', 'blue'); CREATE FUNCTION glow(integer) RETURNS integer LANGUAGE sql RETURN $1;
    CREATE TABLE lamp (id bigint PRIMARY KEY, lit boolean, name text, hue hue); CREATE VIEW lit AS SELECT id FROM lamp;
    GRANT SELECT ON lamp TO heliograph_api;`;
  await before.pool('owner').query(tables);
  const newer = (sql: string) =>
    after.pool('owner').query(`DROP VIEW IF EXISTS lit; DROP TABLE IF EXISTS lamp; DROP TYPE IF EXISTS hue;
    DROP FUNCTION IF EXISTS glow; ${tables} ${sql}`);
  const cases: [string, string[]][] = [
    [
      "ALTER TABLE lamp ADD size integer; ALTER TABLE lamp ADD room text NOT NULL DEFAULT ''; CREATE TABLE other (id bigint PRIMARY KEY)",
      [],
    ],
    ['ALTER TABLE lamp DROP name', ['gone: column lamp.name text']],
    ['ALTER TABLE lamp RENAME name TO title', ['gone: column lamp.name text']],
    ['ALTER TABLE lamp ALTER name TYPE varchar(9)', ['gone: column lamp.name text']],
    ['ALTER TABLE lamp ADD room text NOT NULL', ['demanded: value lamp.room']],
    ['ALTER TABLE lamp ALTER name SET NOT NULL', ['demanded: value lamp.name']],
    [
      "ALTER TABLE lamp ADD CONSTRAINT named CHECK (name <> '')",
      ["demanded: constraint lamp.named CHECK ((name <> ''::text))"],
    ],
    ['CREATE UNIQUE INDEX one_name ON lamp (name)', ['demanded: unique index lamp.one_name']],
    ['REVOKE SELECT ON lamp FROM heliograph_api', ['gone: grant SELECT ON lamp TO heliograph_api']],
    ["ALTER TYPE hue RENAME VALUE 'red' TO 'rose'", ['gone: label hue.red']],
    ['DROP FUNCTION glow', ['gone: function glow(integer) integer']],
    ['DROP VIEW lit', ['gone: column lit.id bigint', 'gone: view lit']],
  ];
  for (const [sql, expected] of cases) {
    await newer(sql);
    const found = await missedBy(before.pool('owner'), after.pool('owner'));
    // Since version 18, a column that must not be null has a named constraint.
    assert.deepEqual(
      found.filter((line) => !/NOT NULL/.test(line)),
      expected,
      sql,
    );
  }
});

test('no statement of the released program fails during an upgrade', async (t) => {
  const database = await releasedDatabase(t);
  const program = new ReleasedProgram(database);
  await program.fill();
  const running = program.run(t);
  await until('the program works', () => running.faults.length > 0 || running.rounds > 20, 240_000);
  const applied = await prepareDatabase(database.url);
  assert.deepEqual(
    applied,
    readdirSync(MIGRATIONS)
      .filter((name) => name.endsWith('.sql') && name > released.last_migration)
      .sort(),
  );
  const atUpgrade = running.rounds;
  await until('the program goes on', () => running.faults.length > 0 || running.rounds > atUpgrade + 20, 240_000);
  assert.deepEqual(await running.stop(), []);
  assert.deepEqual(await program.contradictions(), []);
});

test('calls under way are neither lost nor sent by programs of both releases', async (t) => {
  const database = await databaseUpTo(t, FIRST_RELEASE);
  const owner = database.pool('owner');
  await owner.query(`
    WITH c AS (INSERT INTO corporation (name) VALUES ('C') RETURNING id),
    e AS (INSERT INTO callback_endpoint (corporation_id, url) SELECT id, 'https://a.test/' FROM c RETURNING *),
    k AS (INSERT INTO callback (corporation_id, callback_endpoint_id, event_id, type, body)
      SELECT corporation_id, id, n, 'balance.low', '{}' FROM e, generate_series(1, 4) n),
    r AS (INSERT INTO routing (corporation_id, number, action, url) SELECT id, '3939', 'url', 'https://b.test/' FROM c RETURNING *),
    i AS (INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at)
      SELECT id, 1, n, '639171112233', '3939', 'hello', 1, 1, 'url', now() FROM c, generate_series(1, 2) n RETURNING *),
    l AS (INSERT INTO routing_call (corporation_id, routing_id, inbox_message_id, tries, next_at)
      SELECT r.corporation_id, r.id, i.id, 1, now() FROM r, i RETURNING *)
    INSERT INTO routing_attempt (corporation_id, routing_call_id, status, fault, duration_ms, answer)
      SELECT corporation_id, id, 503, 'http_status', 7, 'busy' FROM l`);
  const worker = database.pool('worker');
  const old = {
    take: (most: number) =>
      worker.query<{ id: number }>(
        `UPDATE callback c SET next_at = now() + interval '60 s' FROM (
           SELECT id FROM callback WHERE state = 'waiting' AND next_at <= now() ORDER BY next_at LIMIT $1 FOR UPDATE SKIP LOCKED
         ) due WHERE c.id = due.id RETURNING c.id`,
        [most],
      ),
    record: (id: number) =>
      worker.query(
        `WITH attempt AS (
           INSERT INTO routing_attempt (corporation_id, routing_call_id, status, fault, duration_ms, answer, created_at)
           SELECT corporation_id, id, 200, NULL, 9, 'ok', now() FROM routing_call WHERE id = $1
         )
         UPDATE routing_call SET tries = 2, state = 'done', next_at = NULL, done_at = now()
         WHERE id = $1 AND tries = 1 AND state = 'waiting'`,
        [id],
      ),
  };
  const before = (await old.take(1)).rows.map(({ id }) => id);
  await prepareDatabase(database.url);
  const now = (await old.take(1)).rows.map(({ id }) => id);
  const { rows: calls } = await worker.query<{ id: number }>('SELECT id FROM routing_call ORDER BY id');
  await old.record(calls[0]!.id);
  const config = readConnectedConfig({ DATABASE_URL: database.url, DATA_DIR: temporaryFolder(t), NODE_ENV: 'test' });
  const context = { database: database.db('worker'), config, clock: systemClock, log: silent };
  const taken = await takeDue(context.database, callbackKind(context), new Map());
  assert.deepEqual([...before, ...now, ...taken.map(({ id }) => id)].sort(), [1, 2, 3, 4]);
  const [call, ...others] = await takeDue(context.database, routingCallKind(context), new Map());
  assert.deepEqual([call?.id, call?.tries, call?.message, others.length], [calls[1]!.id, 1, 'hello', 0]);
  const { rows: attempts } = await owner.query(
    `SELECT a.status, a.ms, a.answer FROM http_delivery d, jsonb_to_recordset(d.attempts) AS a(status int, ms int, answer text)
     WHERE kind = 'routing_call' ORDER BY d.id, a.status DESC`,
  );
  const busy = { status: 503, ms: 7, answer: 'busy' };
  assert.deepEqual(attempts, [busy, { status: 200, ms: 9, answer: 'ok' }, busy]);
  // A program of either release may add calls; no id is given twice.
  const { rows: added } = await worker.query<{ id: number }>(
    `INSERT INTO routing_call (corporation_id, routing_id, inbox_message_id, next_at)
     SELECT corporation_id, routing_id, inbox_message_id, now() FROM http_delivery WHERE kind = 'routing_call' RETURNING id`,
  );
  assert.deepEqual(
    added.map(({ id }) => id),
    [5, 6],
  );
});

test('records with the same name by the new rule are kept, the later with a number', async (t) => {
  const database = await databaseUpTo(t, FIRST_RELEASE);
  const owner = database.pool('owner');
  await owner.query(
    `INSERT INTO corporation (name) VALUES ('Acme'), ('ACME (2)'), ('ACME'), ('Ａｃｍｅ '), ('Zoe\u0301'), ('Zoé')`,
  );
  await owner.query(
    `INSERT INTO connection_type (name) VALUES ('Portal'), (repeat('x', 60)), ('portal'), (repeat('X', 60))`,
  );
  await owner.query(`INSERT INTO blacklist_text (text) VALUES ('free'), ('ｆｒｅｅ')`);
  await owner.query(
    `INSERT INTO alias (corporation_id, word, aliases) SELECT id, 'Sale', '{offer}' FROM corporation WHERE name = 'Acme'`,
  );
  await owner.query(`INSERT INTO alias (corporation_id, word, aliases)
    SELECT id, 'Ｓａｌｅ', '{ｏｆｆｅｒ,deal}' FROM corporation WHERE name = 'Acme'`);
  await prepareDatabase(database.url);
  const namesOf = async (table: string, column = 'name', where = 'true') =>
    (await owner.query<{ name: string }>(`SELECT ${column} AS name FROM ${table} WHERE ${where} ORDER BY id`)).rows.map(
      ({ name }) => name,
    );
  const corporations = await namesOf('corporation', 'name', "name ~* '^([aａ]|zo)'");
  assert.deepEqual(corporations, ['Acme', 'ACME (2)', 'ACME (2) (3)', 'Ａｃｍｅ (3)', 'Zoe\u0301', 'Zoé (2)']);
  const types = await namesOf('connection_type', 'name', "name ~* '^(portal|x)'");
  assert.deepEqual(types, ['Portal', 'x'.repeat(60), 'portal (2)', `${'X'.repeat(56)} (2)`]);
  assert.deepEqual(await namesOf('blacklist_text', 'text'), ['free', 'ｆｒｅｅ (2)']);
  assert.deepEqual(await namesOf('alias', 'word'), ['Sale', 'Ｓａｌｅ-2']);
  const { rows } = await owner.query('SELECT word FROM alias_word ORDER BY alias_id, word');
  assert.deepEqual(
    rows.map(({ word }) => word),
    ['offer', 'sale', 'deal', 'sale-2'],
  );
  const renamed = await namesOf(
    'activity_log',
    "properties #>> '{after,name}'",
    "description = 'renamed' AND properties #>> '{after,name}' IS NOT NULL",
  );
  const [first, ...others] = renamed;
  assert.equal(first, 'ACME (2)', 'what was taken too, and renamed once more');
  assert.deepEqual(others, ['Ａｃｍｅ (3)', 'Zoé (2)', 'ACME (2) (3)', 'portal (2)', `${'X'.repeat(56)} (2)`]);
});

test('a migration that waits for a table lets traffic on it pass', async (t) => {
  const { url, pool } = await emptyDatabase(t);
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, '0001_lamp.sql'), 'CREATE TABLE lamp (id bigint PRIMARY KEY, lit boolean);');
  await migrate({ url, folder });
  writeFileSync(join(folder, '0002_colour.sql'), 'ALTER TABLE lamp ADD colour text;');

  const reader = createClient({ DATABASE_URL: url }, 'owner');
  await reader.connect();
  await reader.query('BEGIN; SELECT FROM lamp');
  let done = false;
  const migrating = migrate({ url, folder }).finally(() => {
    done = true;
  });
  const owner = pool('owner');
  const waiting = async () =>
    (await owner.query("SELECT FROM pg_locks WHERE relation = 'lamp'::regclass AND NOT granted")).rowCount! > 0;
  await until('the migration waits for the table', waiting);
  // If the migration kept waiting in the queue, this would be answered only after the long transaction.
  await owner.query("SET statement_timeout = '20s'");
  await owner.query('INSERT INTO lamp VALUES (1, true)');
  assert.equal(done, false);
  await reader.query('COMMIT');
  await reader.end();
  assert.deepEqual(await migrating, ['0002_colour.sql']);
});

test('a program newer than the database does not start, and an older one continues', async (t) => {
  const database = await databaseUpTo(t, FIRST_RELEASE);
  const owner = database.pool('owner');
  await assert.rejects(requireMigrations(owner, silent, 0), {
    name: 'StartError',
    message: /^The database is older than this version of Heliograph: it lacks 0028_\S+.*npm run migrate/,
  });
  const waiting = requireMigrations(owner, silent, 60_000);
  await migrate({ url: database.url });
  await waiting;
  await owner.query("INSERT INTO schema_migrations VALUES (9999, '9999_of_a_later_release.sql', '')");
  await requireMigrations(owner, silent, 0);
  const empty = await emptyDatabase(t);
  await assert.rejects(requireMigrations(empty.pool('owner'), silent, 0), /it lacks 0001_foundation\.sql and \d+ more/);
});
