import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPort } from '../own-port.ts';
import { testClusterHome } from '../template-database.ts';

const ALL = join(import.meta.dirname, '../../src/processes/all.ts');

interface House {
  process: ChildProcess;
  output(): string;
  exited: Promise<number | string>;
  /** Waits for a line that matches, and answers its first group. */
  line(pattern: RegExp): Promise<string>;
}

async function start(dataDir: string, settings: Record<string, string> = {}): Promise<House> {
  const environment = { ...process.env, DATABASE_URL: '', npm_lifecycle_event: undefined };
  const child = spawn(process.execPath, [ALL], {
    env: {
      ...environment,
      DATA_DIR: dataDir,
      PORT: String(await ownPort()),
      SIMULATOR_SMPP_PORT: String(await ownPort()),
      SIMULATOR_HTTP_PORT: String(await ownPort()),
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

/** Stops what a test that failed has left running. */
function stopAfter(t: TestContext, house: House): void {
  t.after(async () => {
    house.process.kill('SIGTERM');
    await Promise.race([house.exited, sleep(30_000, undefined, { ref: false })]);
    house.process.kill('SIGKILL');
  });
}

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(testClusterHome(), 'heliograph-test-all-'));
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A file of /proc; empty for a process that has just gone. */
function aboutProcess(path: string): string {
  try {
    return readFileSync(join('/proc', path), 'utf8');
  } catch {
    return '';
  }
}

/** The processes that a process started, and theirs, by their numbers. */
function descendants(pid: number): number[] {
  const children = aboutProcess(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

const commandOf = (pid: number): string => aboutProcess(`${pid}/cmdline`).replaceAll('\0', ' ');

function isRunning(pid: number): boolean {
  const status = aboutProcess(`${pid}/status`);
  return status !== '' && !/^State:\s+Z/m.test(status);
}

async function allGone(pids: number[], withinMs: number): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(50)) if (!pids.some(isRunning)) return true;
  return false;
}

const READY = /is ready: +(\S+)/;

// Each in a folder and on ports of its own; they wait most of their time.
describe('npm start', { concurrency: 2 }, () => {
  test('one command starts everything; a second one beside it is refused in one line; SIGTERM leaves nothing running', async (t) => {
    const folder = dataFolder(t);
    const house = await start(folder);
    stopAfter(t, house);
    const address = await house.line(READY);
    assert.equal((await fetch(new URL('/healthz', address))).status, 200);

    const sameFolder = await start(folder);
    assert.equal(await sameFolder.exited, 1);
    assert.match(
      sameFolder.output(),
      /^The data folder \S+ is in use by another Heliograph \(process \d+, [^\n]+\)\.\n$/,
    );

    const samePort = await start(dataFolder(t), { PORT: new URL(address).port });
    assert.equal(await samePort.exited, 1);
    assert.match(samePort.output(), /^The port \d+ on 127\.0\.0\.1 is taken[^\n]+\n$/);

    const pids = descendants(house.process.pid ?? 0);
    assert.ok(pids.length >= 5, `${pids.length} processes`);
    house.process.kill('SIGTERM');
    assert.equal(await house.exited, 0);
    assert.deepEqual(pids.filter(isRunning), []);
  });

  test('a process or a database that dies is started again', async (t) => {
    const house = await start(dataFolder(t), { PORT: '0' });
    stopAfter(t, house);
    const address = await house.line(READY);
    const pid = house.process.pid ?? 0;
    const one = (text: string) => descendants(pid).find((child) => commandOf(child).includes(text));
    for (const name of ['api.ts', 'postgres -D']) {
      const before = one(name);
      assert.ok(before);
      process.kill(before, 'SIGKILL');
      let healthy = false;
      for (const end = Date.now() + 180_000; !healthy && Date.now() < end; await sleep(100)) {
        const answer = await fetch(new URL('/healthz', address)).catch(() => undefined);
        healthy = answer?.status === 200 && one(name) !== undefined && one(name) !== before;
      }
      assert.ok(healthy, `${name} came back`);
    }
    house.process.kill('SIGINT');
    assert.equal(await house.exited, 0);
  });

  test('after a kill -9 the processes stop by themselves and the next start takes over the database', async (t) => {
    const folder = dataFolder(t);
    const port = String(await ownPort());
    const first = await start(folder, { PORT: port });
    await first.line(READY);
    const pids = descendants(first.process.pid ?? 0);
    const database = pids.filter((child) => commandOf(child).includes('postgres'));
    first.process.kill('SIGKILL');
    await first.exited;
    assert.ok(
      await allGone(
        pids.filter((pid) => !database.includes(pid)),
        120_000,
      ),
      'the processes stopped',
    );
    const second = await start(folder, { PORT: port });
    stopAfter(t, second);
    assert.equal(new URL(await second.line(READY)).port, port);
    assert.deepEqual(database.filter(isRunning), []);
    const last = descendants(second.process.pid ?? 0);
    second.process.kill('SIGINT');
    await sleep(700);
    second.process.kill('SIGINT');
    await second.exited;
    assert.ok(await allGone(last, 120_000), 'all has stopped before its folder is removed');
  });

  test('a bad setting stops the start with one line and exit code 2', async (t) => {
    const house = await start(dataFolder(t), { PORT: 'eighty' });
    assert.equal(await house.exited, 2);
    assert.match(house.output(), /^The setting PORT is "eighty": [^\n]+\n$/);
  });
});
