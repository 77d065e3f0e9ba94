import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresAccount, postgresAccount } from './account.ts';
import { DATABASE, OWNER } from './address.ts';
import { archiveSettings } from './backup/archive-settings.ts';
import { ADMIN, binaries, CHILD_ENVIRONMENT, createCluster, keepCredentials, readCredentials } from './cluster.ts';
import { SOCKET_PATH_LIMIT } from './data-folder.ts';
import type { Log } from './log.ts';
import { stopOrphan } from './orphan.ts';
import { freePort } from './ports.ts';
import { StartError } from './start-error.ts';

const RECOVERY_LIMIT_MS = 10 * 60_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

export interface EmbeddedPostgresOptions {
  /** Folder that holds the cluster (DATA_DIR/postgres), its log, its socket and its passwords. */
  dataDir: string;
  /** Port; 0 takes a free one at the first start and keeps it. */
  port?: number;
  /** Folder of backups, in which the write-ahead log is archived; unset: no archive. */
  backupDir?: string | undefined;
  /** Server settings that differ from ours. */
  settings?: Readonly<Record<string, string | number>>;
  log: Log;
}

export interface EmbeddedPostgres {
  /** URL of the owner of the database `heliograph`, who is no superuser, just as with an operator's own PostgreSQL. */
  url: string;
  /** Password of the logins of the processes, for DATABASE_ROLE_PASSWORD. */
  rolePassword: string;
  /** URL of the superuser, for the database `postgres`. */
  adminUrl: string;
  port: number;
  /** Settles when the server is gone, for whatever reason. */
  exited: Promise<void>;
  /** Ends the sessions and writes a checkpoint; after 20 s the server is killed, and recovers at the next start. */
  stop(): Promise<void>;
  /** Stops the server immediately, as a crash would; it recovers at the next start. */
  kill(): void;
}

/**
 * Answers the server's settings. Durability stays at PostgreSQL's defaults (fsync and synchronous_commit on); the rest
 * is chosen for our load.
 */
function serverSettings(socketDir: string | undefined): Record<string, string | number> {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / MEGABYTE;
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketDir ?? '',
    unix_socket_permissions: '0700',
    max_connections: 100,
    shared_buffers: `${Math.round(Math.max(64, Math.min(512, memory / 8)))}MB`,
    // Parallel queries take their shared memory from here, because containers may have only 64 MB in /dev/shm.
    min_dynamic_shared_memory: '64MB',
    max_wal_size: '4GB',
    wal_compression: 'off',
    checkpoint_completion_target: 0.9,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Statements and details of errors contain message text and numbers; neither may reach a log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  };
}

function openLog(dataDir: string): { path: string; descriptor: number; tail(): string } {
  const path = join(dataDir, 'postgres.log');
  if (existsSync(path) && statSync(path).size > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`);
  const descriptor = openSync(path, 'a', 0o600);
  const start = statSync(path).size;
  return { path, descriptor, tail: () => readFileSync(path).subarray(start).toString() };
}

interface Launched {
  child: ChildProcess;
  exited: Promise<void>;
  /** Log of the server, if it ended before it answered. */
  failure: string | undefined;
}

async function launch(
  spawnServer: (port: number, descriptor: number) => ChildProcess,
  adminUrl: string,
  port: number,
  options: EmbeddedPostgresOptions,
): Promise<Launched> {
  const log = openLog(options.dataDir);
  const child = spawnServer(port, log.descriptor);
  closeSync(log.descriptor);
  let gone: string | undefined;
  const exited = new Promise<void>((done) => {
    child.once('error', (error) => {
      gone = error.message;
      done();
    });
    child.once('exit', () => {
      gone ??= log.tail();
      done();
    });
  });
  const started = Date.now();
  let told = false;
  while (gone === undefined) {
    const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    const refusal = await client.connect().then(
      () => undefined,
      (error: { code?: string; message: string }) => error,
    );
    await client.end().catch(() => undefined);
    if (!refusal) return { child, exited, failure: undefined };
    if (refusal.code === '28P01') {
      child.kill('SIGINT');
      await exited;
      throw new StartError(
        `The passwords in ${join(options.dataDir, 'database.json')} are not the passwords of the database. Restore the file from a copy.`,
      );
    }
    if (Date.now() - started > RECOVERY_LIMIT_MS) {
      child.kill('SIGINT');
      await exited;
      throw new StartError(`The embedded PostgreSQL did not answer within 10 minutes. Its log is ${log.path}.`);
    }
    if (!told && Date.now() - started > 3_000) {
      told = true;
      options.log.info('database is recovering after an unclean stop');
    }
    await Promise.race([sleep(25), exited]);
  }
  return { child, exited, failure: gone };
}

/** Grants the owner what a psql would be needed for otherwise. A server in recovery only reads. */
async function grantToOwner(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ monitor: boolean; deadlock: boolean }>(
    `SELECT NOT pg_has_role($1, 'pg_monitor', 'MEMBER WITH ADMIN OPTION') AS monitor,
       NOT has_parameter_privilege($1, 'deadlock_timeout', 'SET') AS deadlock
     WHERE NOT pg_is_in_recovery()`,
    [OWNER],
  );
  // With it the doctor and the metrics see other users' sessions. The owner grants it to the role of the metrics.
  if (rows[0]?.monitor) await client.query(`GRANT pg_monitor TO ${OWNER} WITH ADMIN OPTION`);
  // With it a migration gives way in a deadlock.
  if (rows[0]?.deadlock) await client.query(`GRANT SET ON PARAMETER deadlock_timeout TO ${OWNER}`);
}

async function prepareDatabase(adminUrl: string, ownerPassword: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  // If the server stops meanwhile, the statement fails with an error. An error event without a listener would end the
  // process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [OWNER]);
    if (role.rowCount === 0) {
      const password = client.escapeLiteral(ownerPassword);
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${password}`);
    }
    const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
    await grantToOwner(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function socketFolder(dataDir: string, account: PostgresAccount): string | undefined {
  const folder = join(realpathSync(dataDir), 'run');
  // PostgreSQL names its socket .s.PGSQL.<port>; on Windows and under a long path only TCP is used.
  const fits = Buffer.byteLength(folder) + '/.s.PGSQL.65535'.length <= SOCKET_PATH_LIMIT;
  if (process.platform === 'win32' || !fits) return undefined;
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o700);
  if (account.owner) chownSync(folder, account.owner.uid, account.owner.gid);
  return folder;
}

/**
 * Starts the PostgreSQL of a data folder, creating it at the first start. A server that an earlier process left behind
 * is stopped first. The caller holds the folder's lock. Throws a StartError if it cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const programs = await binaries();
  mkdirSync(dataDir, { recursive: true });
  const cluster = join(realpathSync(dataDir), 'postgres');
  const account = postgresAccount(dataDir, cluster, programs.postgres);
  // Other accounts of the machine may not look into it; the server's account may pass through to its own folders.
  chmodSync(dataDir, account.owner ? 0o711 : 0o700);
  const credentials = readCredentials(dataDir, options.port ?? 0);
  if (existsSync(cluster)) await stopOrphan(cluster, log);
  else {
    log.info('creating the embedded database');
    createCluster(dataDir, programs.initdb, account, credentials.admin_password);
  }
  const socketDir = socketFolder(dataDir, account);
  const archive = archiveSettings(options.backupDir, account);
  const settings = { ...serverSettings(socketDir), ...archive, ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const spawnServer = (port: number, descriptor: number) => {
    const { program, args, ...ids } = account.launch(programs.postgres, ['-D', cluster, '-p', String(port), ...flags]);
    // It has its own process group, or Ctrl-C in the terminal would stop the database before its users.
    const stdio = ['ignore', descriptor, descriptor] as ['ignore', number, number];
    return spawn(program, args, { ...ids, cwd: dataDir, env: CHILD_ENVIRONMENT, detached: true, stdio });
  };
  const urlOf = (user: string, password: string, database: string, port: number) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}${socketDir ? `?host=${encodeURIComponent(socketDir)}` : ''}`;

  for (let attempt = 1; ; attempt += 1) {
    const port = (await freePort(credentials.port)) ?? (options.port ? undefined : await freePort(0));
    if (port === undefined) {
      throw new StartError(
        `The port ${options.port} for the embedded PostgreSQL is in use. Set DATABASE_PORT to a free port, or to 0.`,
      );
    }
    const adminUrl = urlOf(ADMIN, credentials.admin_password, 'postgres', port);
    const { child, exited, failure } = await launch(spawnServer, adminUrl, port, options);
    if (failure !== undefined) {
      // Another program took the port meanwhile, or the last children of a killed server are still ending.
      const passing = /could not bind|could not create any TCP|pre-existing shared memory|already exists/.test(failure);
      if (passing && attempt < 10) {
        await sleep(500);
        continue;
      }
      const reason = failure.match(/FATAL: {2}(.*)/)?.[1] ?? (failure.trim().split('\n').at(-1) || 'it ended at once');
      throw new StartError(
        `The embedded PostgreSQL did not start: ${reason}. Its log is ${join(dataDir, 'postgres.log')}.`,
      );
    }
    const atExit = () => child.kill('SIGINT');
    process.once('exit', atExit);
    void exited.then(() => process.off('exit', atExit));
    if (port !== credentials.port || credentials.port === 0) keepCredentials(dataDir, { ...credentials, port });
    const stop = () =>
      stopServer(child, exited, () => spawnSync(programs.pg_ctl, ['stop', '-m', 'fast', '-D', cluster]));
    try {
      await prepareDatabase(adminUrl, credentials.owner_password);
    } catch (error) {
      // It may be ending by itself, such as a recovery that cannot reach its end. No server may keep running after a
      // refusal.
      await stop();
      throw error;
    }
    return {
      url: urlOf(OWNER, credentials.owner_password, DATABASE, port),
      rolePassword: credentials.role_password,
      adminUrl,
      port,
      exited,
      stop,
      kill: () => child.kill('SIGQUIT'),
    };
  }
}

/**
 * Stops a server by a fast shutdown (20 s), then an immediate one (8 s), then a kill. PostgreSQL itself kills its
 * remaining processes 5 s after an immediate shutdown. If it were killed before that, they would continue to work in
 * its folder.
 */
async function stopServer(child: ChildProcess, exited: Promise<void>, stopOnWindows: () => void): Promise<void> {
  if (process.platform === 'win32') stopOnWindows();
  else child.kill('SIGINT');
  const within = (ms: number) => Promise.race([exited.then(() => true), sleep(ms, false, { ref: false })]);
  if (await within(20_000)) return;
  child.kill('SIGQUIT');
  if (await within(8_000)) return;
  child.kill('SIGKILL');
  await exited;
}
