import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, type ConnectedConfig, readConnectedConfig } from '../config/config.ts';
import { createPool, type DatabaseRole, ownRole } from '../database/db.ts';
import { requireMigrations } from '../database/require-migrations.ts';
import { repeat } from '../jobs/repeat.ts';
import { createLogger, type Logger } from '../log.ts';
import { CHECK_MS, commitsCheck, databaseCheck, migrationsCheck } from '../operate/checks.ts';
import { CommitWatch } from '../operate/commit-watch.ts';
import { keyCheck } from '../operate/key-check.ts';
import { collectRuntime, measureDisk, metrics } from '../operate/metrics.ts';
import { type OperationsServer, startOperationsServer } from '../operate/operations-server.ts';
import { measureReadiness, Readiness } from '../operate/readiness.ts';
import { startTracing } from '../operate/tracing.ts';
import { logBadSettings } from '../operator/settings.ts';
import { releaseMemory } from './release-memory.ts';
import { failStart, onStopSignal, PROCESS_STOP_MS, stopInOrder } from './shutdown.ts';

/**
 * Database role with which each process checks its readiness; processes that are not listed here use that of workers.
 */
const ROLES: Readonly<Record<string, DatabaseRole>> = { api: 'api', sender: 'sender' };

/** Interval in ms at which the key is compared with that of the installation, which `adopt-key` may have changed. */
const KEY_LOOK_MS = 30_000;

/** Maximum time in ms that a collector may take with the last traces. */
const TRACES_STOP_MS = 1_500;

/** A part of a process that has been started. */
export interface Running {
  /** Address at which it is reached, if any; reported to the parent process. */
  url?: string;
  stop(): Promise<void>;
}

export interface ProcessContext {
  config: ConnectedConfig;
  log: Logger;
  /** Checks to which the process adds what it needs for its work; `/readyz` reports them. */
  readiness?: Readiness;
  /** Whether the key of this process was that of the installation at the last look; unset: it is. */
  keyFits?: () => boolean;
  /** Whether the database confirms no changes now; unset: never. */
  stalled?: () => boolean;
}

/**
 * Runs a command that does its work and ends: reads settings, opens the log, and prints one line if the work fails.
 * `addressOf` answers the address of the database while DATABASE_URL is unset.
 */
export async function runCommand(
  name: string,
  work: (context: ProcessContext) => Promise<void>,
  addressOf?: (config: Config) => string | undefined,
): Promise<void> {
  let log: Logger | undefined;
  try {
    const config = readConnectedConfig(undefined, addressOf);
    log = createLogger(config, name);
    logBadSettings(log);
    await work({ config, log });
  } catch (error) {
    failStart(error, log);
  }
}

/**
 * Runs a process until it is stopped. Sends its parent `{ ready: true, url }` once it is started. Exit code 0 after an
 * orderly stop, 1 if that took too long or the process broke.
 */
export async function runProcess(name: string, start: (context: ProcessContext) => Promise<Running>): Promise<void> {
  await runCommand(name, async ({ config, log }) => {
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'unexpected error; process exits');
      process.exit(1);
    });
    const readiness = new Readiness('starting');
    const database = createPool(config, ownRole(config, ROLES[name] ?? 'worker'), {
      max: 1,
      query_timeout: CHECK_MS,
      connectionTimeoutMillis: CHECK_MS,
    });
    const commits = new CommitWatch(database);
    readiness.add(databaseCheck({ database }), commitsCheck({ database }, commits), migrationsCheck({ database }));
    collectRuntime(name);
    measureDisk(config);
    measureReadiness(readiness);
    let operations: OperationsServer | undefined;
    let tracing: Awaited<ReturnType<typeof startTracing>>;
    const begin = async () => {
      operations = await startOperationsServer({ name, config, readiness, metrics, log });
      tracing = await startTracing(config, name);
      await requireMigrations(database, log);
      // The API can read only what its callers may see: it cannot try its key on the sealed values.
      const key = keyCheck({ database, config, log, records: name !== 'api' });
      readiness.add(key);
      // If the database does not answer now, its own check reports that.
      await Promise.resolve(key.look()).catch(() => undefined);
      repeat(
        KEY_LOOK_MS,
        async () => void (await key.look()),
        () => undefined,
      );
      commits.start();
      return start({ config, log, readiness, keyFits: key.fits, stalled: () => commits.stalled });
    };
    const starting = begin();
    let stopping = false;
    const stop = async () => {
      stopping = true;
      readiness.stopping();
      if (config.STOP_NOTICE_SECONDS > 0) {
        log.info({ seconds: config.STOP_NOTICE_SECONDS }, 'stopping soon; /readyz already reports it');
        await sleep(config.STOP_NOTICE_SECONDS * 1_000);
      }
      setTimeout(() => {
        log.error('stopping took too long');
        process.exit(1);
      }, PROCESS_STOP_MS).unref();
      const running = await starting.catch(() => undefined);
      await running?.stop();
      await stopInOrder([{ name: 'traces', within: TRACES_STOP_MS, stop: async () => tracing?.stop() }], log);
      process.exit(0);
    };
    onStopSignal(
      () => void stop(),
      () => process.exit(1),
    );
    const { url } = await starting.catch((error) => {
      // It was stopped while it started: a failed connection is then no news.
      if (stopping) process.exit(0);
      throw error;
    });
    readiness.started();
    releaseMemory();
    process.send?.({ ready: true, url, operations: operations?.port });
    log.debug({ url }, 'started');
  });
}
