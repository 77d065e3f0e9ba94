import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, statfsSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockPath } from '@heliograph/installation/data-folder';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { createDatabase, createPool, type Database, type DatabaseRole } from '../src/platform/database/db.ts';

/** Variable in which `npm test` gives each test file the cluster that it has started for all of them. */
export const CLUSTER_VARIABLE = 'HELIOGRAPH_TEST_CLUSTER';

/** Owner of resources that end with a test or a file: the test's context, or `{ after }` of node:test. */
export interface Scope {
  after(action: () => void | Promise<void>): void;
}

/** Returns a scope that ends its resources in reverse order, when the given scope ends. */
export function lastFirst(t: Scope): { after(end: () => unknown): void } {
  const ends: (() => unknown)[] = [];
  t.after(async () => {
    for (const end of ends) await end();
  });
  return { after: (end) => void ends.unshift(end) };
}

/** Variable that names the data folder of the demo, if the test cluster has a template of it. */
export const DEMO_VARIABLE = 'HELIOGRAPH_TEST_DEMO';

/** Password of the process logins in test clusters. */
export const ROLE_PASSWORD = 'role-password-of-tests';

export const TEMPLATE = 'heliograph_template';
export const DEMO_TEMPLATE = 'heliograph_demo';

/** Addresses of a test cluster: for its superuser, and for the owner of the databases. */
export interface TestCluster {
  adminUrl: string;
  ownerUrl: string;
}

/** A migrated database of one test, and its connections. */
export interface TestDatabase {
  /** The owner's connection URL, which a process under test gets as DATABASE_URL. */
  url: string;
  /** Returns the pool of a role; it ends with the test. */
  pool(role: DatabaseRole): pg.Pool;
  /** Returns Kysely over that pool. */
  db(role: DatabaseRole): Kysely<Database>;
  /** Returns the id in the first row of a query of the owner. */
  one<T = number>(text: string, values?: unknown[]): Promise<T>;
  /** Returns the id of the record with a name. */
  idOf(table: string, name: string): Promise<number>;
  /** Returns the id of a demo login. */
  personOf(login: string): Promise<number>;
}

/** Returns the URL of a database of a cluster. */
export function urlOf(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

/** Returns the URL for a program of another user, who may not reach the socket's folder. */
export function overTcp(url: string): string {
  const plain = new URL(url);
  plain.searchParams.delete('host');
  return plain.href;
}

/** Runs work with a connection of the superuser. */
export async function asAdmin<T>(cluster: TestCluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const MEMORY_DISK = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns the place of test clusters: in memory if there is room, else in the temporary folder. A new database is about
 * 2,000 files; on a slow disk they take 700 ms instead of 25.
 */
export function testClusterHome(): string {
  if (existsSync(MEMORY_DISK)) {
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY_DISK;
  }
  return realpathSync(tmpdir());
}

/** Asks the keeper of the shared cluster where it is; undefined if there is no keeper yet. */
function askKeeper(path: string): Promise<TestCluster | undefined> {
  return new Promise((answer) => {
    const socket = connect(path);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (!text.endsWith('\n')) return;
      // The connection stays open while this process runs. It tells the keeper that the cluster is in use.
      socket.unref();
      answer(JSON.parse(text));
    });
    socket.on('error', () => answer(undefined));
    socket.on('close', () => answer(undefined));
  });
}

async function joinSharedCluster(): Promise<TestCluster> {
  // Only here, because it loads the whole server, which most test files do without.
  const { sharedClusterFolder } = await import('./test-cluster.ts');
  const folder = sharedClusterFolder();
  mkdirSync(folder, { recursive: true });
  const path = lockPath(folder);
  let keeper: ReturnType<typeof spawn> | undefined;
  let complaint = '';
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const cluster = await askKeeper(path);
    if (cluster) {
      keeper?.stderr?.destroy();
      keeper?.unref();
      return cluster;
    }
    if (!keeper) {
      // If two keepers start at the same time, the second finds the folder taken and leaves.
      const file = join(import.meta.dirname, 'template-database-keeper.ts');
      keeper = spawn(process.execPath, [file], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
      keeper.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        complaint += chunk;
      });
    }
    if (keeper.exitCode !== null && keeper.exitCode !== 0) break;
    await sleep(50);
  }
  throw new Error(`The test database did not start. ${complaint.trim()}`);
}

let cluster: Promise<TestCluster> | undefined;

function testCluster(): Promise<TestCluster> {
  const given = process.env[CLUSTER_VARIABLE];
  cluster ??= given ? Promise.resolve(JSON.parse(given) as TestCluster) : joinSharedCluster();
  return cluster;
}

async function makeDatabase(t: Scope, template: string): Promise<TestDatabase> {
  const home = await testCluster();
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await asAdmin(home, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY OWNER heliograph`),
  );
  const url = urlOf(home.ownerUrl, name);
  // The test's own queries wait as long as a busy machine needs to accept a connection.
  const database = openDatabase(url, { max: 5, connectionTimeoutMillis: 60_000 });
  t.after(async () => {
    await database.end();
    await asAdmin(home, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  });
  return database;
}

/** Opens a prepared database; `end` closes its connections. */
export function openDatabase(url: string, limits: pg.PoolConfig = { max: 4 }): TestDatabase & { end(): Promise<void> } {
  const pools = new Map<DatabaseRole, pg.Pool>();
  const pool = (role: DatabaseRole): pg.Pool => {
    const present = pools.get(role) ?? createPool({ DATABASE_URL: url }, role, limits);
    pools.set(role, present);
    return present;
  };
  const one = async <T = number>(text: string, values: unknown[] = []) =>
    (await pool('owner').query<{ id: T }>(text, values)).rows[0]!.id;
  return {
    url,
    pool,
    db: (role) => createDatabase(pool(role)),
    one,
    idOf: (table, name) => one(`SELECT id FROM ${table} WHERE name = $1`, [name]),
    personOf: (login) => one('SELECT id FROM user_account WHERE email = $1', [`${login}@heliograph.test`]),
    async end() {
      await Promise.all([...pools.values()].map((each) => (each.ending ? undefined : each.end())));
    },
  };
}

/**
 * Makes a migrated database for one test, and drops it afterwards. For a whole file pass `{ after }` of node:test. A
 * test file that runs alone starts a cluster, which later runs can use for 15 minutes.
 */
export const testDatabase = (t: Scope): Promise<TestDatabase> => makeDatabase(t, TEMPLATE);

/** Makes a database as `testDatabase` does, with the demo in it. It needs the template that `addDemoTemplate` makes. */
export const demoDatabase = (t: Scope): Promise<TestDatabase> => makeDatabase(t, DEMO_TEMPLATE);

/** Makes a database as `testDatabase` does, without a single table: for tests of the migrations themselves. */
export const emptyDatabase = (t: Scope): Promise<TestDatabase> => makeDatabase(t, 'template0');
