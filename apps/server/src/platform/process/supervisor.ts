import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import { environmentWith } from '../config/config.ts';
import type { Logger } from '../log.ts';
import { SUPERVISOR_STOP_MS } from './shutdown.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Time in ms after which a process has recovered: its next pause is the first one again. */
const HEALTHY_MS = 60_000;
const START_LIMIT_MS = 60_000;

/** A child process that is started again when it dies. */
export interface Supervised {
  name: string;
  /** Address of the child, once it is ready; rejects with a StartError if it ends before that. */
  ready: Promise<string | undefined>;
  /** Asks the child to stop, and kills it after SUPERVISOR_STOP_MS. */
  stop(): Promise<void>;
  kill(): void;
}

interface Child {
  process: ChildProcess;
  ready: Promise<string | undefined>;
  exited: Promise<string>;
}

/** Options of a supervised process. */
interface SupervisedOptions {
  /** Node's own options. */
  nodeOptions?: readonly string[];
  /** Called with each message that the process sends. */
  onMessage?: (message: unknown) => void;
}

function startChild(
  file: string,
  settings: Readonly<Record<string, string>>,
  { nodeOptions = [], onMessage }: SupervisedOptions,
): Child {
  const child = spawn(process.execPath, [...nodeOptions, file], {
    env: environmentWith(settings),
    // It has its own process group: Ctrl-C reaches only us, and we decide the order of stopping.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ready = new Promise<string | undefined>((told) => {
    child.on('message', (message: { ready?: boolean; url?: string }) => {
      if (message.ready) told(message.url);
      onMessage?.(message);
    });
  });
  const exited = new Promise<string>((ended) => {
    child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`));
    child.once('error', (error) => ended(error.message));
  });
  return { process: child, ready, exited };
}

async function firstAnswer(name: string, child: Child): Promise<string | undefined> {
  const answer = await Promise.race([
    child.ready.then((url) => ({ url })),
    child.exited,
    sleep(START_LIMIT_MS, 'no answer within a minute', { ref: false }),
  ]);
  if (typeof answer === 'object') return answer.url;
  child.process.kill('SIGKILL');
  throw new StartError(`The ${name} did not start (${answer}).`);
}

/**
 * Runs `file` as its own process until it ends, and answers the message that it sent. Rejects with a StartError if it
 * sent none.
 */
export function runOnce<Message>(
  name: string,
  file: string,
  settings: Readonly<Record<string, string>>,
): { answer: Promise<Message>; kill(): void } {
  const child = spawn(process.execPath, [file], {
    env: environmentWith(settings),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const answer = new Promise<Message>((told, failed) => {
    let message: Message | undefined;
    child.once('message', (sent) => {
      message = sent as Message;
    });
    child.once('error', failed);
    child.once('exit', (code, signal) => {
      if (message !== undefined) told(message);
      else failed(new StartError(`The ${name} failed (${signal ?? `exit code ${code}`}).`));
    });
  });
  return { answer, kill: () => void child.kill('SIGKILL') };
}

/**
 * Starts `file` as its own process. If it dies after it was ready it is started again, after a pause that grows from
 * 0.5 to 30 s.
 */
export function supervise(
  name: string,
  file: string,
  settings: Readonly<Record<string, string>>,
  log: Logger,
  options: SupervisedOptions = {},
): Supervised {
  let child = startChild(file, settings, options);
  let stopping = false;
  const ready = firstAnswer(name, child);

  const keep = async () => {
    let pause = FIRST_PAUSE_MS;
    for (;;) {
      const started = performance.now();
      const reason = await child.exited;
      if (stopping) return;
      if (performance.now() - started > HEALTHY_MS) pause = FIRST_PAUSE_MS;
      log.error({ process: name, reason, pause }, 'process died; restarting');
      await sleep(pause);
      if (stopping) return;
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      child = startChild(file, settings, options);
    }
  };
  ready.then(keep, () => undefined);

  return {
    name,
    ready,
    async stop() {
      stopping = true;
      child.process.kill('SIGTERM');
      const killer = setTimeout(() => child.process.kill('SIGKILL'), SUPERVISOR_STOP_MS);
      await child.exited;
      clearTimeout(killer);
    },
    kill() {
      stopping = true;
      child.process.kill('SIGKILL');
    },
  };
}
