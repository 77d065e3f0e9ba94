import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '@heliograph/fault-kit';
import { type PostgresAccount, postgresAccount } from '@heliograph/installation/account';
import { ADMIN, binaries, CHILD_ENVIRONMENT, createCluster } from '@heliograph/installation/cluster';
import pg from 'pg';
import { ownPort } from '../own-port.ts';
import { type Scope, testClusterHome } from '../template-database.ts';

const PASSWORD = 'cluster';
const OWNER = 'heliograph';
const SLOT = 'standby';

/** A server of the cluster: its folder, its port, and whether it is running. */
export class ClusterNode {
  readonly folder: string;
  readonly port: number;
  #server: ChildProcess | undefined;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    mkdirSync(folder);
  }

  /** PostgreSQL's own files. */
  get data(): string {
    return join(this.folder, 'postgres');
  }

  get alive(): boolean {
    return this.#server !== undefined && this.#server.exitCode === null && this.#server.signalCode === null;
  }

  /** Connects as the superuser and runs `work`. */
  async asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: ADMIN,
      password: PASSWORD,
      database: 'postgres',
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Starts the server and waits until it answers. */
  async start(account: PostgresAccount, postgres: string): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 150,
      shared_buffers: '64MB',
      max_wal_size: '1GB',
      // A killed server loses nothing that it has passed to the system, so it need not wait for the disk.
      fsync: 'off',
      synchronous_commit: 'on',
      jit: 'off',
      wal_receiver_status_interval: '1s',
      wal_retrieve_retry_interval: '200ms',
      log_min_error_statement: 'panic',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { program, args, ...ids } = account.launch(postgres, ['-D', this.data, '-p', String(this.port), ...flags]);
    const log = openSync(join(this.folder, 'postgres.log'), 'a');
    const server = spawn(program, args, {
      ...ids,
      env: CHILD_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#server = server;
    await until(`the server on port ${this.port} answers`, async () => {
      assert.ok(
        this.alive,
        `the server ended:\n${readFileSync(join(this.folder, 'postgres.log'), 'utf8').slice(-2_000)}`,
      );
      return this.asAdmin(async () => true).catch(() => false);
    });
  }

  /** Lists the server and the processes it has started; they form no process group. */
  #processes(): number[] {
    const parent = this.#server?.pid;
    if (!this.alive || parent === undefined) return [];
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]) === parent;
        } catch {
          return false;
        }
      });
    return [parent, ...children.map(Number)];
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself in the meantime.
      }
    }
  }

  /** Kills the whole server immediately, as a power cut would. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!this.alive || !server) return;
    const gone = once(server, 'exit');
    this.#signal('SIGKILL');
    await gone;
  }

  /** Freezes the whole server; its connections stay open. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }
}

/**
 * A PostgreSQL primary with one synchronous standby on loopback ports, made of the embedded binaries. The database is
 * `heliograph`, empty at first. `url` names both hosts and stays the same when the primary changes.
 */
export class Cluster {
  primary: ClusterNode;
  standby: ClusterNode;
  readonly #folder: string;
  readonly #account: PostgresAccount;
  readonly #programs: Awaited<ReturnType<typeof binaries>>;

  private constructor(
    folder: string,
    nodes: [ClusterNode, ClusterNode],
    programs: Awaited<ReturnType<typeof binaries>>,
  ) {
    this.#folder = folder;
    [this.primary, this.standby] = nodes;
    this.#programs = programs;
    this.#account = postgresAccount(this.primary.folder, this.primary.data, programs.postgres);
  }

  /** Starts both servers; `prepare` fills the database before it is copied to the standby. */
  static async start(t: Scope, prepare?: (url: string) => Promise<unknown>): Promise<Cluster> {
    const folder = mkdtempSync(join(testClusterHome(), 'heliograph-cluster-'));
    // The account of PostgreSQL must be able to enter the folder.
    spawnSync('chmod', ['755', folder]);
    const ports = [await ownPort(), await ownPort()];
    const nodes = ports.map((port, place) => new ClusterNode(join(folder, 'ab'[place] as string), port));
    const cluster = new Cluster(folder, nodes as [ClusterNode, ClusterNode], await binaries());
    t.after(() => cluster.#close());
    const { primary } = cluster;
    createCluster(primary.folder, cluster.#programs.initdb, cluster.#account, PASSWORD);
    await cluster.#startNode(primary);
    await primary.asAdmin(async (client) => {
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD '${PASSWORD}'`);
      await client.query(`CREATE DATABASE ${OWNER} OWNER ${OWNER}`);
    });
    await prepare?.(cluster.urlOf(primary));
    await cluster.#makeStandby();
    return cluster;
  }

  /** Value of DATABASE_URL for a process: both hosts, in an order that does not depend on the current primary. */
  get url(): string {
    const hosts = [this.primary, this.standby].sort((a, b) => a.port - b.port).map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://${OWNER}:${PASSWORD}@${hosts.join(',')}/${OWNER}?target_session_attrs=read-write`;
  }

  /** Returns the address of the database on one server only. */
  urlOf(node: ClusterNode): string {
    return `postgres://${OWNER}:${PASSWORD}@127.0.0.1:${node.port}/${OWNER}`;
  }

  #startNode(node: ClusterNode): Promise<void> {
    return node.start(this.#account, this.#programs.postgres);
  }

  /** Kills a server as a power cut would: the primary, unless another one is named. */
  async kill(node = this.primary): Promise<void> {
    await node.kill();
  }

  /** Starts the standby again after it was killed. It continues from its data. */
  restartStandby(): Promise<void> {
    return this.#startNode(this.standby);
  }

  /**
   * Makes the standby the primary, in whatever state the old one is. It then waits for no standby until one has joined
   * again. Returns the time it took, in ms.
   */
  async promote(): Promise<number> {
    const started = performance.now();
    await this.standby.asAdmin(async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = ''");
      await client.query('SELECT pg_reload_conf()');
      const { rows } = await client.query('SELECT pg_promote(true, 30) AS done');
      assert.ok(rows[0].done, 'the standby is promoted');
    });
    [this.primary, this.standby] = [this.standby, this.primary];
    return performance.now() - started;
  }

  /** Makes the old primary a standby of the new one, from a fresh copy. First ends it if it still runs. */
  async rejoinOldPrimaryAsStandby(): Promise<void> {
    await this.standby.kill();
    rmSync(this.standby.data, { recursive: true, force: true });
    await this.#makeStandby();
  }

  /**
   * Makes a base backup of the primary with PostgreSQL's low-level calls, then streams until the standby is
   * synchronous.
   */
  async #makeStandby(): Promise<void> {
    const { primary, standby } = this;
    mkdirSync(standby.data, { mode: 0o700 });
    await primary.asAdmin(async (client) => {
      await client.query(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE NOT active`);
      await client.query(`SELECT pg_create_physical_replication_slot('${SLOT}', true)`);
      await client.query(`SELECT pg_backup_start('standby', true)`);
      // Files may change and disappear while they are copied; replaying the log makes them consistent.
      const skipped = ['pg_wal/*', 'pg_replslot/*', 'pg_stat_tmp/*', 'pg_notify/*', 'postmaster.pid', 'postmaster.opts']
        .map((path) => `--exclude='./${path}'`)
        .join(' ');
      const copy = `tar -C "$0" ${skipped} --warning=none --ignore-failed-read -cf - . | tar -C "$1" -xpf -`;
      const { status, stderr } = spawnSync('/bin/sh', ['-c', copy, primary.data, standby.data], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)');
      writeFileSync(join(standby.data, 'backup_label'), rows[0].labelfile);
    });
    writeFileSync(join(standby.data, 'standby.signal'), '');
    appendFileSync(
      join(standby.data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${ADMIN} password=${PASSWORD} application_name=${SLOT}'
primary_slot_name = '${SLOT}'\n`,
    );
    const { owner } = this.#account;
    if (owner)
      for (const name of ['', 'backup_label', 'standby.signal'])
        chownSync(join(standby.data, name), owner.uid, owner.gid);
    await this.#startNode(standby);
    await primary.asAdmin(async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${SLOT}'`);
      await client.query('SELECT pg_reload_conf()');
      await until('the standby is synchronous', async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
        );
        return rows.length === 1;
      });
    });
  }

  async #close(): Promise<void> {
    await this.primary.kill();
    await this.standby.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
