import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@heliograph/installation/postgres';
import type pg from 'pg';
import { createPool, type DatabaseRole } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { Stage, until } from '../delivery/stage.ts';
import { openDatabase, testClusterHome } from '../template-database.ts';

export const silent = createLogger({ LOG_LEVEL: 'silent' }, 'test');

/** Settings of servers here, which need not wait for disks. */
const IN_A_HURRY = { fsync: 'off', synchronous_commit: 'off', shared_buffers: '32MB', max_wal_size: '512MB' };

/** Makes a new folder, to be removed with the tests. */
export const newFolder = (): string => mkdtempSync(join(testClusterHome(), 'heliograph-backup-'));

/** An embedded installation in a folder, with its database as tests use one. */
export class Installation {
  readonly dataDir: string;
  readonly backupDir: string | undefined;
  #server: EmbeddedPostgres | undefined;
  #database: ReturnType<typeof openDatabase> | undefined;

  constructor(dataDir: string, backupDir?: string) {
    this.dataDir = dataDir;
    this.backupDir = backupDir;
  }

  async start(): Promise<void> {
    const { dataDir, backupDir } = this;
    this.#server = await startEmbeddedPostgres({ dataDir, backupDir, log: silent, settings: IN_A_HURRY });
  }

  get url(): string {
    return this.#server!.url;
  }

  pool(role: DatabaseRole): pg.Pool {
    this.#database ??= openDatabase(this.url);
    return this.#database.pool(role);
  }

  async prepare(): Promise<void> {
    await prepareDatabase(this.url);
  }

  /** Makes a stage with tenants and links for the installation. */
  stage(closing: (() => Promise<unknown>)[] = []): Stage {
    this.#database ??= openDatabase(this.url);
    return new Stage(this.#database, closing);
  }

  /** Ends the current segment of the log, and waits until it is in the archive. */
  async archiveNow(): Promise<string> {
    const admin = createPool({ DATABASE_URL: this.#server!.adminUrl }, 'owner', { max: 1 });
    try {
      const { rows } = await admin.query<{ name: string }>(
        `SELECT pg_walfile_name(pg_switch_wal()) AS name FROM pg_logical_emit_message(true, 'test', 'a segment with something in it')`,
      );
      const { name } = rows[0]!;
      await until(`${name} is archived`, () => existsSync(join(this.backupDir!, 'wal', name)));
      return name;
    } finally {
      await admin.end();
    }
  }

  async stop(): Promise<void> {
    await this.#endPools();
    await this.#server?.stop();
    this.#server = undefined;
  }

  /** Loses the machine: kills the server and deletes the whole folder. */
  async lose(): Promise<void> {
    process.kill(Number.parseInt(readFileSync(join(this.dataDir, 'postgres/postmaster.pid'), 'utf8'), 10), 'SIGKILL');
    await this.#server!.exited;
    await this.#endPools();
    this.#server = undefined;
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async #endPools(): Promise<void> {
    await this.#database?.end();
    this.#database = undefined;
  }
}
