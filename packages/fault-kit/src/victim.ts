import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that is made to be killed. */
export interface Victim {
  readonly pid: number;
  /** What it told its parent when it was ready. */
  readonly ready: unknown;
  /** Resolves when it is gone, with the signal that ended it, or null where it ended by itself. */
  readonly gone: Promise<NodeJS.Signals | null>;
  readonly alive: boolean;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: it keeps its connections and does nothing any more. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
  /** SIGTERM, and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a file with Node and waits for its first message, which says that it is ready. Where it ends before that,
 * `ready` is undefined and `alive` false: with a failpoint that is nothing unusual.
 */
export async function startVictim(
  file: string,
  options: {
    environment?: Record<string, string>;
    nodeOptions?: readonly string[];
    stderr?: 'inherit' | 'ignore';
  } = {},
): Promise<Victim> {
  const child: ChildProcess = spawn(process.execPath, [...(options.nodeOptions ?? []), file], {
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'ignore', options.stderr ?? 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const alive = (): boolean => child.exitCode === null && child.signalCode === null;
  const ready = await Promise.race([once(child, 'message').then(([message]) => message), gone.then(() => undefined)]);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (alive()) child.kill(signal);
    await gone;
  };
  return {
    pid: child.pid ?? 0,
    ready,
    gone,
    get alive() {
      return alive();
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
}
