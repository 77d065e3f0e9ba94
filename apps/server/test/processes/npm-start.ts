import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPort } from '../own-port.ts';
import { type Scope, testClusterHome } from '../template-database.ts';

const ALL = join(import.meta.dirname, '../../src/processes/all.ts');

/** Pattern of the line that names the address of the console. */
export const READY = /is ready: +(\S+)/;

/** A run of `npm start`. */
export interface Started {
  process: ChildProcess;
  output(): string;
  exited: Promise<number | string>;
  /** Waits for a line that matches, and returns its first group. */
  line(pattern: RegExp): Promise<string>;
}

/** Starts the program of `npm start` without the demo, in a data folder and on ports of its own. */
export async function start(dataDir: string, settings: Record<string, string> = {}, program = ALL): Promise<Started> {
  const environment = { ...process.env, DATABASE_URL: '', npm_lifecycle_event: undefined };
  const child = spawn(process.execPath, [program], {
    env: {
      ...environment,
      DATA_DIR: dataDir,
      PORT: String(await ownPort()),
      SIMULATOR_SMPP_PORT: String(await ownPort()),
      SIMULATOR_HTTP_PORT: String(await ownPort()),
      PAYMENT_SIMULATOR_PORT: '0',
      SMPP_SERVER_PORT: String(await ownPort()),
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'warn',
      SEED_DEMO: 'false',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  let ended: number | string | undefined;
  const exited = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => {
      ended = code ?? signal ?? 'gone';
      done(ended);
    });
  });
  const line = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(output)?.[1];
      if (found !== undefined) return found;
      if (ended !== undefined) throw new Error(`it ended (${ended}) without ${pattern}:\n${output}`);
      await sleep(50);
    }
  };
  return { process: child, output: () => output, exited, line };
}

/** Stops the processes that a failed test has left running. */
export function stopAfter(t: Scope, house: Started): void {
  t.after(async () => {
    house.process.kill('SIGTERM');
    await Promise.race([house.exited, sleep(30_000, undefined, { ref: false })]);
    house.process.kill('SIGKILL');
  });
}

/** Makes a data folder that is removed with the test. */
export function dataFolder(t: Scope): string {
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-all-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
