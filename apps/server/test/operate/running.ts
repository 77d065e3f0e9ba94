import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../template-database.ts';

/** Key that all processes of one installation share. */
export const SECRET_KEY = randomBytes(32).toString('base64');
const PROCESSES = join(import.meta.dirname, '../../src/processes');

export type ProcessName = 'api' | 'worker' | 'sender' | 'smpp-server';

/** A process of ours that has reported that it is ready. */
export interface RunningProcess {
  child: ChildProcess;
  /** Address where it serves people or programs; undefined if it serves neither. */
  url: string | undefined;
  /** Requests a path from its operations port. */
  ask(path: string): Promise<{ status: number; body: string }>;
  /** Returns its log until now. */
  output(): string;
  exited: Promise<number | string>;
}

/** Starts a process as an operator does, on free ports over `url`, and stops it with the test. */
export async function startProcess(
  t: Scope,
  name: ProcessName,
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-operate-'));
  const child = spawn(process.execPath, [join(PROCESSES, `${name}.ts`)], {
    env: {
      ...process.env,
      npm_lifecycle_event: undefined,
      DATABASE_URL: url,
      DATA_DIR: folder,
      // A folder that a test names may hold the key of its installation.
      ...(settings['DATA_DIR'] === undefined && { SECRET_KEY }),
      PORT: '0',
      SMPP_SERVER_PORT: '0',
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | string>((ended) => {
    child.once('close', (code, signal) => ended(code ?? signal ?? 'gone'));
  });
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const told = await Promise.race([
    new Promise<{ url?: string; operations?: number }>((ready) => {
      child.on('message', (message: { ready?: boolean; url?: string; operations?: number }) => {
        if (message.ready) ready(message);
      });
    }),
    exited.then((code) => {
      throw new Error(`${name} ended (${code}):\n${output}`);
    }),
  ]);
  return {
    child,
    url: told.url,
    output: () => output,
    exited,
    async ask(path) {
      const response = await fetch(`http://127.0.0.1:${told.operations}${path}`);
      return { status: response.status, body: await response.text() };
    },
  };
}
