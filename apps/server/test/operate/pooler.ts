import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { poolerConfig } from '#platform/database/pooler-config';
import { ownPort } from '../own-port.ts';
import { overTcp, type Scope } from '../template-database.ts';

/** Variable that makes a test file send every API of its tests through a PgBouncer. */
export const POOLER_VARIABLE = 'HELIOGRAPH_TEST_POOLER';

/** Sessions of PostgreSQL for each role. */
const POOL_SIZE = 5;
const START_MS = 30_000;
const NOBODY = 65_534;

/** Path of PgBouncer, or undefined if it is not installed. */
export const pgbouncer = (process.env['PATH'] ?? '')
  .split(delimiter)
  .concat('/usr/sbin')
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path));

/** A running PgBouncer. */
interface Pooler {
  /** Value of POOLER_URL for it. */
  url: string;
  /** Rewrites its configuration for another server and makes it reload, as an operator does. */
  point(url: string): Promise<void>;
}

/** Starts a pooler like `runPooler`, and returns only its address. */
export const startPooler = async (
  t: Scope,
  url: string,
  change?: (ini: string) => string,
  rolePassword?: string,
): Promise<string> => (await runPooler(t, url, change, rolePassword)).url;

/**
 * Starts a PgBouncer in transaction mode over a database, with the configuration that we recommend, and ends it with
 * the test.
 */
export async function runPooler(
  t: Scope,
  url: string,
  change = (ini: string) => ini,
  rolePassword?: string,
): Promise<Pooler> {
  if (!pgbouncer) throw new Error('PgBouncer is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-pooler-'));
  const port = await ownPort();
  const configure = (server: string) =>
    poolerConfig(
      { DATABASE_URL: overTcp(server), DATABASE_ROLE_PASSWORD: rolePassword },
      { port, folder, poolSize: POOL_SIZE },
    );
  const { ini, users } = configure(url);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, change(ini));
  writeFileSync(join(folder, 'userlist.txt'), users, { mode: 0o600 });
  // PgBouncer refuses to run as root.
  const root = process.getuid?.() === 0;
  chmodSync(folder, 0o755);
  if (root) chownSync(join(folder, 'userlist.txt'), NOBODY, NOBODY);
  let output = '';
  const child = spawn(pgbouncer, [file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(root && { uid: NOBODY, gid: NOBODY }),
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const gone = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  const login = new URL(url);
  const base = `postgres://${login.username}:${login.password}@127.0.0.1:${port}`;
  const pooled = base + login.pathname;
  const point = async (server: string) => {
    writeFileSync(file, change(configure(server).ini));
    const console = new pg.Client({ connectionString: `${base}/pgbouncer` });
    await console.connect();
    try {
      await console.query('RELOAD');
    } finally {
      await console.end();
    }
  };
  for (const deadline = performance.now() + START_MS; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: `${pooled}_api` });
    client.on('error', () => undefined);
    const refusal = await client.connect().then(
      () => undefined,
      (error: Error) => error,
    );
    await client.end().catch(() => undefined);
    if (!refusal) return { url: pooled, point };
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`PgBouncer does not start: ${refusal.message}\n${output}\n${readFileSync(file, 'utf8')}`);
  }
}
