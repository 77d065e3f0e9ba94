import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import { type Config, systemVariables } from '../config/config.ts';
import type { Logger } from '../log.ts';

/** Maximum time a process may take to stop, in ms. Its own steps must add up to less; a supervisor waits longer. */
export const PROCESS_STOP_MS = 15_000;
/** Time that `npm start` waits for a process before it kills it, in ms. */
export const SUPERVISOR_STOP_MS = PROCESS_STOP_MS + 3_000;
/**
 * Time in ms within which a second signal counts as the same one: Ctrl-C in a terminal reaches us twice, from the
 * terminal and from npm.
 */
const SAME_SIGNAL_MS = 500;

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

/** Answers the address at which people reach the console. */
export function publicUrl(config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>, port = config.PORT): string {
  if (config.PUBLIC_URL) return config.PUBLIC_URL;
  const everywhere = config.HOST === '0.0.0.0' || config.HOST === '::';
  const host = everywhere ? 'localhost' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return `http://${host}:${port}`;
}
