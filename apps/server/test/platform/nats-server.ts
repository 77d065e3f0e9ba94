import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { until } from '@heliograph/fault-kit';
import { ownPort } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

// Runs nats-server from Debian in its own process.

const START_MS = 60_000;

const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'nats-server'))
  .find((path) => existsSync(path));

/** Reason why tests that need NATS are skipped, or false. If CI is set, they fail instead. */
export const withoutNats =
  program || process.env.CI
    ? false
    : 'NOT RUN: nats-server is not installed (apt-get install nats-server), so nothing of it was tested';

/** A NATS server on its own port. */
export interface NatsServer {
  port: number;
  url: string;
  /** Kills it immediately, as a crash would, or pauses or continues it. */
  kill(signal?: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts it again on its port. */
  start(): Promise<void>;
}

function listens(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      answer(true);
    });
    socket.once('error', () => answer(false));
    socket.once('close', () => answer(false));
  });
}

/** Starts a server, with more arguments if a test needs them. It ends with the test. */
export async function startNats(
  t: Scope,
  options: { arguments?: readonly string[]; started?: boolean } = {},
): Promise<NatsServer> {
  const port = await ownPort();
  let child: ChildProcess | undefined;
  const kill: NatsServer['kill'] = async (signal = 'SIGKILL') => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child!.once('exit', resolve));
    child.kill(signal);
    if (signal === 'SIGKILL') await gone;
  };
  const start = async () => {
    if (!program) throw new Error('nats-server is not installed (apt-get install nats-server)');
    child = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...(options.arguments ?? [])], { stdio: 'ignore' });
    const hasEnded = () => {
      if (child!.exitCode !== null) throw new Error('nats-server did not start');
    };
    await until('nats-server answers', () => listens(port).finally(hasEnded), START_MS, 10);
  };
  t.after(() => kill());
  if (options.started !== false) await start();
  return { port, url: `nats://127.0.0.1:${port}`, kill, start };
}
