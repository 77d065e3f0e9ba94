import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { until } from '@heliograph/fault-kit';
import { postgresAccount } from '@heliograph/installation/account';
import { ADMIN, binaries, createCluster } from '@heliograph/installation/cluster';
import type { Scope } from '../template-database.ts';
import { ROOT } from './guide-text.ts';
import { pgbouncer } from './pooler.ts';

/** Password that stands for "…" in the guides. */
export const PASSWORD = 'guide';
const PATIENCE_MS = 60_000;
const NOBODY = 65_534;

const hasPsql = (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'psql')));
/** Reason why the guides' commands cannot run here, or false. If CI is set, they fail instead. */
export const withoutPsql = !hasPsql && !process.env['CI'] ? 'psql is not installed' : false;

/** Addresses of a guide, and their replacements here. */
export interface Network {
  /** Port of PostgreSQL on every machine, and of PgBouncer. */
  port: number;
  poolerPort: number;
}

/**
 * A machine of the guides, with Debian's folders below its own folder and a PostgreSQL 18 of the embedded programs.
 * Commands run in bash exactly as a guide has them. Paths and addresses are those of this test, and `systemctl`,
 * `runuser` and `sudo` work as on such a machine.
 */
export class GuideMachine {
  readonly #root: string;
  readonly address: string;
  readonly #network: Network;

  private constructor(root: string, address: string, network: Network) {
    this.#root = root;
    this.address = address;
    this.#network = network;
  }

  /** Installs PostgreSQL and starts it. The account of PostgreSQL must be able to enter `folder`. */
  static async install(t: Scope, folder: string, address: string, network: Network): Promise<GuideMachine> {
    const machine = new GuideMachine(join(folder, address), address, network);
    t.after(async () => {
      await machine.run('systemctl stop pgbouncer; systemctl stop postgresql@18-main; true');
    });
    await machine.#install();
    return machine;
  }

  /** Returns a path of this machine. */
  path(path: string): string {
    return join(this.#root, path);
  }

  /** Returns text of a guide with the paths, addresses, ports and password of this test. */
  here(text: string): string {
    const { port, poolerPort } = this.#network;
    return text
      .replaceAll(/(?<![\w./-])\/(etc|var|backup|usr|srv|safe)(?=[/\s']|$)/gm, `${this.#root}/$1`)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0.', '127.0.57.')
      .replaceAll('127.0.0.1:6432', `127.0.0.1:${poolerPort}`)
      .replaceAll(':5432', `:${port}`)
      .replaceAll("listen_addresses = '*'", `listen_addresses = '${this.address}'`)
      .replaceAll('…', PASSWORD);
  }

  /** Runs commands of a guide one by one until one fails, and returns their output. */
  async run(commands: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const script = this.here(commands);
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: ROOT,
      env: {
        ...process.env,
        PATH: `${this.path('bin')}${delimiter}${process.env['PATH']}`,
        NODE_TEST_CONTEXT: undefined,
        LOG_LEVEL: 'warn',
        PGHOST: this.path('run'),
        PGPORT: String(this.#network.port),
        PGUSER: ADMIN,
        PGDATABASE: 'postgres',
        PGCONNECT_TIMEOUT: '10',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [status] = await once(child, 'close');
    if (status !== 0) throw new Error(`${script}\nended with ${status}:\n${output}`);
    return output;
  }

  /** Repeats a command until its output is as the guide expects. */
  async until(command: string, says: RegExp, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    let output = '';
    const look = async () => {
      output = await this.run(command, environment).catch(String);
      return says.test(output);
    };
    await until(`${command} says ${says}`, look, PATIENCE_MS, 100).catch((error) => {
      throw new Error(`${error.message}, but: ${output}`);
    });
    return output;
  }

  /** Appends text to a file, which it creates if needed. */
  write(path: string, text: string): void {
    appendFileSync(this.path(path), this.here(text));
  }

  async #install(): Promise<void> {
    const [etc, lib] = ['etc/postgresql/18/main', 'var/lib/postgresql/18'];
    for (const folder of [`${etc}/conf.d`, 'etc/pgbouncer', lib, 'var/log/postgresql', 'run', 'bin'])
      mkdirSync(this.path(folder), { recursive: true });
    const programs = await binaries();
    const account = postgresAccount(this.#root, this.path(`${lib}/main`), programs.postgres);
    const ids = account.owner ?? { uid: process.getuid!(), gid: process.getgid!() };
    createCluster(this.path(lib), programs.initdb, account, PASSWORD);
    renameSync(this.path(`${lib}/postgres`), this.path(`${lib}/main`));
    for (const folder of [lib, 'var/log/postgresql', 'run', 'etc/pgbouncer'])
      chownSync(this.path(folder), ids.uid, ids.gid);
    // Debian keeps these files outside of the data.
    writeFileSync(this.path(`${etc}/start.conf`), 'auto\n');
    writeFileSync(
      this.path(`${etc}/pg_hba.conf`),
      'local all all trust\nlocal replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\nhost replication all 127.0.0.1/32 scram-sha-256\n',
    );
    writeFileSync(
      this.path(`${etc}/postgresql.conf`),
      `data_directory = '${this.path(`${lib}/main`)}'
hba_file = '${this.path(`${etc}/pg_hba.conf`)}'
unix_socket_directories = '${this.path('run')}'
port = ${this.#network.port}
listen_addresses = '${this.address}'
fsync = off
shared_buffers = 32MB
include_dir = 'conf.d'\n`,
    );
    this.#installCommands(ids, programs.pg_ctl);
    await this.run('systemctl start postgresql@18-main');
  }

  #installCommands({ uid, gid }: { uid: number; gid: number }, pg_ctl: string): void {
    const isRoot = process.getuid?.() === 0;
    const as = (id: number, group: number) => (isRoot ? `setpriv --reuid=${id} --regid=${group} --clear-groups` : '');
    const [etc, data] = [this.path('etc/postgresql/18/main'), this.path('var/lib/postgresql/18/main')];
    const log = this.path('var/log/postgresql/postgresql-18-main.log');
    const bouncer = this.path('etc/pgbouncer');
    const node = (name: string) => `"${process.execPath}" "${join(import.meta.dirname, name)}" "$@"`;
    const own = isRoot ? `chown -R ${uid}:${gid}` : 'true';
    const commands: Record<string, string> = {
      systemctl: `case "$*" in
  'start postgresql@18-main')
    [ "$(cat ${etc}/start.conf)" != disabled ] || exit 1
    ${as(uid, gid)} ${pg_ctl} start -s -w -t 60 -D ${data} -l ${log} -o "-c config_file=${etc}/postgresql.conf" || { tail ${log}; exit 1; } ;;
  'stop postgresql@18-main') [ ! -f ${data}/postmaster.pid ] || ${as(uid, gid)} ${pg_ctl} stop -s -w -m fast -D ${data} ;;
  'restart postgresql@18-main') systemctl stop postgresql@18-main; systemctl start postgresql@18-main ;;
  'stop pgbouncer') [ ! -f ${bouncer}/pid ] || kill "$(cat ${bouncer}/pid)" || true; rm -f ${bouncer}/pid ;;
  'restart pgbouncer')
    systemctl stop pgbouncer
    sed -i 's/^listen_port = .*/listen_port = ${this.#network.poolerPort}/' ${bouncer}/pgbouncer.ini
    ${as(uid === NOBODY ? NOBODY : uid, gid)} ${pgbouncer ?? 'pgbouncer'} ${bouncer}/pgbouncer.ini > ${bouncer}.log 2>&1 & echo $! > ${bouncer}/pid
    for _ in $(seq 100); do (: < /dev/tcp/127.0.0.1/${this.#network.poolerPort}) 2>/dev/null && exit 0; sleep 0.1; done
    cat ${bouncer}.log; exit 1 ;;
  *) echo "systemctl cannot do $*"; exit 1 ;;
esac`,
      runuser: '[ "$1 $2 $3" = "-u postgres --" ] || exit 1; shift 3; exec "$@"',
      sudo: '[ "$1 $2" = "-u postgres" ] || exit 1; shift 2; exec "$@"',
      // The account may have another name here.
      chown: isRoot ? `args=("$@"); exec /bin/chown "\${args[@]/postgres:postgres/${uid}:${gid}}"` : 'true',
      install: `for last; do true; done; args=("$@")
for i in "\${!args[@]}"; do case "\${args[i]}" in -o | -g) unset "args[i]" "args[i+1]" ;; esac; done
/usr/bin/install "\${args[@]}"; for arg in "$@"; do case "$arg" in /*) ${own} "$arg" ;; esac; done`,
      pg_basebackup: `${node('base-backup.ts')}\nwhile [ "$1" != -D ]; do shift; done; ${own} "$2"`,
      heliograph: `cd ${ROOT}; command=$1; shift; exec "${process.execPath}" apps/server/src/processes/$command.ts "$@"`,
    };
    for (const [name, text] of Object.entries(commands)) {
      writeFileSync(this.path(`bin/${name}`), `#!/bin/bash\nset -e\n${text}\n`, { mode: 0o755 });
    }
    const verify = this.path('usr/lib/postgresql/18/bin');
    mkdirSync(verify, { recursive: true });
    writeFileSync(join(verify, 'pg_verifybackup'), `#!/bin/bash\n${node('verify-backup.ts')}\n`, { mode: 0o755 });
  }
}
