import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import { type Config, type ConnectedConfig, readConnectedConfig, systemVariables } from '../config/config.ts';
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

/** Maximum time a process may take to stop, in ms. Its own steps must add up to less; a supervisor waits longer. */
export const PROCESS_STOP_MS = 15_000;
/** Time that `npm start` waits for a process before it kills it, in ms. */
export const SUPERVISOR_STOP_MS = PROCESS_STOP_MS + 3_000;
/**
 * Time in ms within which a second signal counts as the same one: Ctrl-C in a terminal reaches us twice, from the
 * terminal and from npm.
 */
const SAME_SIGNAL_MS = 500;

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

export interface StopStep {
  name: string;
  /** Maximum time of the step in ms; then the next step begins anyway. */
  within: number;
  stop(): Promise<unknown>;
}

/**
 * Takes the steps one after another; those of a list run at the same time. Each has its time limit; a step that fails
 * or hangs is logged and skipped.
 */
export async function stopInOrder(steps: readonly (StopStep | readonly StopStep[])[], log: Logger): Promise<void> {
  for (const step of steps) await Promise.all(('name' in step ? [step] : step).map((each) => takeStep(each, log)));
}

async function takeStep({ name, within, stop }: StopStep, log: Logger): Promise<void> {
  const late = Symbol();
  try {
    const result = await Promise.race([stop(), sleep(within, late, { ref: false })]);
    if (result === late) log.warn({ step: name, within }, 'step takes too long to stop; continuing without it');
  } catch (error) {
    log.error({ err: error, step: name }, 'step failed to stop');
  }
}

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP, or when the process that started this one (`npm start`, npm) is
 * gone. Calls `kill` at a second signal.
 */
export function onStopSignal(stop: () => void, kill: () => void): void {
  let first: number | undefined;
  const signalled = () => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      stop();
    } else if (now - first > SAME_SIGNAL_MS) kill();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, signalled);
  if (process.send) process.once('disconnect', signalled);
  if (Object.keys(systemVariables('npm_lifecycle_event')).length > 0 && !process.send) watchParent(signalled);
}

/** A killed npm sends no signal: its child only finds that it has another parent. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, 500);
  watch.unref();
}

/** Prints the one line of a StartError, or logs any other error, and ends the process with its code. */
export function failStart(error: unknown, log?: Logger): never {
  if (error instanceof StartError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
  if (log) log.fatal({ err: error }, 'start failed');
  else process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
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
    process.send?.({ ready: true, url, operations: operations?.port });
    log.debug({ url }, 'started');
  });
}

/** Answers the address at which people reach the console. */
export function publicUrl(config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>, port = config.PORT): string {
  if (config.PUBLIC_URL) return config.PUBLIC_URL;
  const everywhere = config.HOST === '0.0.0.0' || config.HOST === '::';
  const host = everywhere ? 'localhost' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return `http://${host}:${port}`;
}
