import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A process that a test starts in order to kill it. */
export interface Victim {
  readonly pid: number;
  /** First message to its parent; the process sends it when it is ready. */
  readonly ready: unknown;
  /** Resolves when the process has ended: to the signal that ended it, or null if it ended by itself. */
  readonly gone: Promise<NodeJS.Signals | null>;
  readonly alive: boolean;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGSTOP: the process keeps its connections but does nothing more. */
  freeze(): void;
  /** Sends SIGCONT: the process continues. */
  thaw(): void;
  /** Sends SIGTERM and waits until the process has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a file with Node and waits for its first message: then it is ready. If the process ends before that, `ready`
 * is undefined and `alive` is false. A failpoint often causes this.
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
