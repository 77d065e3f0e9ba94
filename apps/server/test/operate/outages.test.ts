import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Problem } from '@heliograph/contract/kernel/errors';
import { OUTAGES, type Outage } from '@heliograph/contract/kernel/outages';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { until } from '@heliograph/fault-kit';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { STATUS } from '@heliograph/smpp';
import pg from 'pg';
import { hashPassword } from '#modules/identity';
import { createLogger } from '#platform/log';
import { ApiError, Heliograph } from '../../../../packages/client/src/index.ts';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { apiStage } from '../api/stage.ts';
import { bind, PASSWORD } from '../smpp-server/stage.ts';
import { openDatabase, ROLE_PASSWORD, testClusterHome } from '../template-database.ts';
import { startProcess } from './running.ts';

// A separate database fails in each way, and every caller is told the cause and when to try again.

const folder = mkdtempSync(join(testClusterHome(), 'heliograph-outages-'));
const server = await startEmbeddedPostgres({
  dataDir: folder,
  log: createLogger({ LOG_LEVEL: 'silent' }, 'test database'),
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '64MB' },
});
after(async () => {
  await server.stop();
  spawnSync('umount', [disk]);
  rmSync(folder, { recursive: true, force: true });
});
const disk = join(folder, 'small-disk');
/** Mounts a disk of a few megabytes, or answers false if this account may not. */
function mountSmallDisk(): boolean {
  mkdirSync(disk);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', disk]);
  if (status !== 0) return false;
  const { uid, gid } = statSync(join(folder, 'postgres'));
  chownSync(disk, uid, gid);
  return true;
}

await prepareDatabase(server.url, ROLE_PASSWORD);
const database = openDatabase(server.url, {});
after(() => database.end());
const stage = await apiStage({ after }, {}, database);
const { api, acme } = stage;
const owner = api.database.pool('owner');
await owner.query(
  `WITH person AS (
     UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE name = 'SMPP')
     WHERE id = $3 RETURNING id, corporation_id
   ) INSERT INTO smpp_system_id (system_id, corporation_id, user_id, password_hash) SELECT $1, corporation_id, id, $2 FROM person`,
  ['harbor', await hashPassword(PASSWORD), acme.user_id],
);
const { key } = await stage.makeKey({ mode: 'live' });
const smpp = await startProcess({ after }, 'smpp-server', server.url, { LOG_LEVEL: 'silent' });
const port = Number(new URL(smpp.url!).port);
const esme = await bind({ port }, 'harbor');
const person = await api.as('corporate');
const program = new Heliograph({ url: api.url, key, retries: 0 });

/** Runs a statement as the superuser, in the database of the installation. */
async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.adminUrl.replace('/postgres?', '/heliograph?') });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

let made = 0;
const LISTS = '/api/v1/number-lists';
const { department_id } = await stage.one<{ department_id: number }>(
  'SELECT id AS department_id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1',
  [acme.corporation_id],
);
const makeList = () => {
  const name = `List ${++made}`.padEnd(60, '.');
  return person('POST', LISTS, { name, corporation_id: acme.corporation_id, department_id });
};
const send = (): Promise<unknown> =>
  program
    .send({ from: acme.sender, to: stage.number(++made), text: `${made} `.padEnd(300, 'é') })
    .catch((error) => error);
const submit = async () =>
  (await esme.submit({ source_addr: acme.sender, destination_addr: stage.number(++made) })).status;

/** Repeats `act` until its outcome is no success. On a full disk, rows that fit into existing pages still succeed. */
async function firstRefusal<T>(act: () => Promise<T>, isDone: (outcome: T) => boolean): Promise<T> {
  for (;;) {
    const outcome = await act();
    if (!isDone(outcome)) return outcome;
  }
}

/** Asserts that every caller is told this cause and when to try again: over both APIs, SMPP and the client library. */
async function assertTold(cause: Outage): Promise<void> {
  const seconds = OUTAGES[cause];
  const { status, headers, body } = await firstRefusal(makeList, (answer) => answer.status === 201);
  const { code, reason, message } = body as Problem;
  assert.deepEqual([status, code, reason, headers.get('retry-after')], [503, 'unavailable', cause, `${seconds}`]);
  assert.match(message, new RegExp(` Try again in ${seconds} s\\.$`));
  const error = await firstRefusal(send, (outcome) => !(outcome instanceof Error));
  assert.ok(error instanceof ApiError, String(error));
  assert.deepEqual([error.code, error.reason, error.retryAfterMs], ['unavailable', cause, seconds * 1_000]);
  assert.equal(await firstRefusal(submit, (outcome) => outcome === STATUS.ROK), STATUS.RMSGQFUL, 'programs send again');
}

/** Asserts that every caller is served again, by the same processes and over the same bind. */
async function assertServed(): Promise<void> {
  const list = await repeat(makeList, ({ status }) => status !== 503);
  assert.equal(list.status, 201, JSON.stringify(list.body));
  const sent = await repeat(send, (outcome) => !(outcome instanceof Error));
  assert.ok(!(sent instanceof Error));
  assert.equal(await repeat(submit, (status) => status !== STATUS.RMSGQFUL), STATUS.ROK);
}

/** Repeats an action until its outcome is as awaited; returns that outcome. */
async function repeat<T>(act: () => Promise<T>, isDone: (outcome: T) => boolean): Promise<T> {
  const { outcome } = await until(`${act.name} ends as awaited`, async () => {
    const outcome = await act();
    return isDone(outcome) && { outcome };
  });
  return outcome;
}

test('a full disk of the database is named to every caller, and room ends it', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree('message') WHERE isleaf
     UNION ALL SELECT relid::regclass::text FROM pg_partition_tree('chunk') WHERE isleaf`,
  );
  const tables = ['number_list', ...rows.map(({ name }) => name)];
  const isReal = mountSmallDisk();
  if (isReal) {
    await asAdmin(`CREATE TABLESPACE small LOCATION '${disk}'`);
    await asAdmin(...tables.map((table) => `ALTER TABLE ${table} SET TABLESPACE small`));
    await asAdmin('CREATE TABLE filler (bytes text) TABLESPACE small');
    const fill = `INSERT INTO filler SELECT repeat('x', 1900) FROM generate_series(1, 500)`;
    await assert.rejects(asAdmin(...Array<string>(100).fill(fill)), { code: '53100' });
    await assert.rejects(asAdmin(...Array<string>(1_000).fill("INSERT INTO filler VALUES (repeat('x', 1900))")), {
      code: '53100',
    });
  } else {
    // The error that PostgreSQL gives on a full disk, for accounts that cannot make one.
    await asAdmin(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    for (const table of ['number_list', 'message'])
      await asAdmin(`CREATE TRIGGER no_room BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION no_room()`);
  }
  await assertTold('database_full');
  await asAdmin(...(isReal ? ['DROP TABLE filler'] : ['DROP FUNCTION no_room CASCADE']));
  await assertServed();
});

test('a database that accepts no changes is named to every caller, and recovers', async () => {
  await asAdmin('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
  await repeat(makeList, ({ status }) => status !== 201);
  await assertTold('database_read_only');
  await asAdmin('SET default_transaction_read_only = off', 'ALTER SYSTEM RESET default_transaction_read_only');
  await asAdmin('SELECT pg_reload_conf()');
  await assertServed();
});

test('a database without a free connection is named to every caller, and recovers', async () => {
  const end = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename LIKE 'heliograph%'`;
  const limit = (count: number) =>
    ['', '_api', '_auth', '_intake', '_worker'].map((name) => `ALTER ROLE heliograph${name} CONNECTION LIMIT ${count}`);
  // No connection is left: the limit is 0, and open sessions are ended.
  await asAdmin(...limit(0), end);
  await repeat(makeList, ({ body }) => (body as Problem).reason === 'database_connections');
  await repeat(submit, (status) => status === STATUS.RMSGQFUL);
  await assertTold('database_connections');
  await asAdmin(...limit(-1));
  await assertServed();
});

test('a stopped database is named to every caller, in four languages', async () => {
  await server.stop();
  await repeat(makeList, ({ body }) => (body as Problem).reason === 'database_unreachable');
  await repeat(submit, (status) => status === STATUS.RMSGQFUL);
  await assertTold('database_unreachable');
  const sentences = await Promise.all(
    LOCALES.map(async (locale) => {
      const { body } = await person('GET', LISTS, undefined, { cookie: `locale=${locale}` });
      return (body as Problem).message;
    }),
  );
  assert.equal(new Set(sentences).size, LOCALES.length, sentences.join('\n'));
  await assert.rejects(bind({ port }, 'harbor'), { status: STATUS.RSYSERR });
});
