import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { listens } from '../own-port.ts';

// Kannel from Debian, a gateway by other authors, as separate processes: bearerbox speaks SMPP, smsbox takes messages
// by HTTP.

const START_MS = 60_000;
const STOP_MS = 5_000;

/** A group of Kannel's configuration: its name and its settings. */
export type KannelGroup = readonly [name: string, settings: Readonly<Record<string, string | number | boolean>>];

/** Finds the path of a Kannel program, or answers undefined if it is not installed. */
export function kannelProgram(name: 'bearerbox' | 'smsbox', folders: readonly string[] = []): string | undefined {
  return [...folders, ...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** A running program of Kannel. */
export interface KannelProcess {
  pid: number;
  /** Rejects when it ends by itself. */
  failed: Promise<never>;
  stop(): Promise<void>;
}

function configuration(groups: readonly KannelGroup[]): string {
  return groups
    .map(([name, settings]) => {
      const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}`);
      return `group = ${name}\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** Writes the configuration into `folder`, starts a program and waits until it listens on `port`. */
export async function startKannel(options: {
  program: string;
  folder: string;
  groups: readonly KannelGroup[];
  port: number;
  environment?: Readonly<Record<string, string>>;
}): Promise<KannelProcess> {
  const { program, folder, groups, port, environment } = options;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${port}.conf`);
  writeFileSync(file, configuration(groups), { mode: 0o600 });
  const child: ChildProcess = spawn(program, ['-v', '4', file], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C must reach only the test, which then stops Kannel.
    detached: true,
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => {
    said = `${said}${text}`.slice(-2_000);
  });
  let gone = false;
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
    child.once('exit', () => resolve());
  }).then(() => {
    gone = true;
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let stopping = false;
  const failed = exited.then(() => {
    process.off('exit', end);
    if (stopping) return new Promise<never>(() => undefined);
    throw new Error(`${program} ended: ${said.trim() || 'it said nothing'}`);
  });
  failed.catch(() => undefined);
  const stop = async () => {
    stopping = true;
    if (gone) return;
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(STOP_MS, undefined, { ref: false })]);
    child.kill('SIGKILL');
    await exited;
  };
  await until(`${program} listens`, () => Promise.race([listens(port), failed]), START_MS).catch(async (error) => {
    await stop();
    throw new Error(`${error.message}: ${said.trim()}`);
  });
  return { pid: child.pid!, failed, stop };
}
