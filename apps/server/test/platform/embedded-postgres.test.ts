import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@heliograph/installation/postgres';
import pg from 'pg';
import { createLogger } from '../../src/platform/log.ts';
import { listenOn } from '../own-port.ts';
import { testClusterHome } from '../template-database.ts';

const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-postgres-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function withServer(dataDir: string, work: (server: EmbeddedPostgres) => Promise<void>, port = 0): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, port, log });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

test('a database is durable by default, and its data survives a restart', async (t) => {
  const folder = dataFolder(t);
  let port = 0;
  await withServer(folder, async (server) => {
    port = server.port;
    await query(server.url, 'CREATE TABLE lamp AS SELECT 1 AS lit');
    const [row] = await query(
      server.url,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_user AS name,
        current_setting('listen_addresses') AS listen, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super`,
    );
    assert.deepEqual(row, { fsync: 'on', commit: 'on', name: 'heliograph', listen: '127.0.0.1', super: false });
  });
  await withServer(folder, async (server) => {
    assert.equal(server.port, port);
    assert.deepEqual(await query(server.url, 'SELECT lit FROM lamp'), [{ lit: 1 }]);
  });
  assert.equal(statSync(join(folder, 'database.json')).mode & 0o777, 0o600);
});

test('other accounts of the machine cannot see the folder or the socket', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = dataFolder(t);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  chmodSync(folder, 0o755);
  await withServer(folder, async ({ port }) => {
    assert.equal(modeOf(folder) & 0o066, 0);
    assert.equal(modeOf(join(folder, 'run')), 0o700);
    assert.equal(modeOf(join(folder, 'run', `.s.PGSQL.${port}`)), 0o700);
  });
});

test('nobody connects without the password', async (t) => {
  await withServer(dataFolder(t), async ({ adminUrl }) => {
    for (const password of ['', 'postgres']) {
      const url = new URL(adminUrl);
      url.password = password;
      await assert.rejects(query(url.href, 'SELECT 1'));
      url.search = '';
      await assert.rejects(query(url.href, 'SELECT 1'));
    }
  });
});

test('a killed server and a stale pid file do not stop the next start', async (t) => {
  const folder = dataFolder(t);
  const server = await startEmbeddedPostgres({ dataDir: folder, log });
  const pidFile = join(folder, 'postgres/postmaster.pid');
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  process.kill(pid, 'SIGKILL');
  await server.exited;
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(pid), String(process.pid)));
  await withServer(folder, async ({ url }) => {
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  });
});

test('a server that an earlier process left running is stopped, and its data reused', async (t) => {
  const folder = dataFolder(t);
  const left = await startEmbeddedPostgres({ dataDir: folder, log });
  await query(left.url, 'CREATE TABLE lamp AS SELECT 7 AS lit');
  await withServer(folder, async ({ url }) => {
    await left.exited;
    assert.deepEqual(await query(url, 'SELECT lit FROM lamp'), [{ lit: 7 }]);
  });
});

test('a chosen port that is taken is reported in one line', async (t) => {
  const port = await listenOn(createServer(), t);
  await assert.rejects(startEmbeddedPostgres({ dataDir: dataFolder(t), port, log }), {
    name: 'StartError',
    message: new RegExp(`^The port ${port} for the embedded PostgreSQL is in use\\. [^\\n]+$`),
  });
});

test('an interrupted creation starts again, and lost passwords are reported', async (t) => {
  const folder = dataFolder(t);
  mkdirSync(join(folder, 'postgres.new'));
  writeFileSync(join(folder, 'postgres.new/PG_VERSION'), '18\n');
  await withServer(folder, async ({ url }) => {
    assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
  });
  rmSync(join(folder, 'database.json'));
  await assert.rejects(startEmbeddedPostgres({ dataDir: folder, log }), {
    name: 'StartError',
    message: /^The passwords of the database are missing: restore [^\n]+$/,
  });
});

// A normal user's database runs as that user. Only root must give its server another account.
if (process.getuid?.() === 0) {
  test('root can create a database below a folder that only root may enter', async (t) => {
    const folder = dataFolder(t);
    chmodSync(folder, 0o700);
    await withServer(join(folder, 'data'), async ({ url }) => {
      assert.deepEqual(await query(url, 'SELECT 1 AS one'), [{ one: 1 }]);
    });
  });
}
