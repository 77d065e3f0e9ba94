import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { embeddedAddress } from '@heliograph/installation/address';
import pg from 'pg';
import { ownPort } from '../own-port.ts';
import { dataFolder, READY, start, stopAfter } from './npm-start.ts';

/** Reads a file of /proc; empty for a process that has just ended. */
function aboutProcess(path: string): string {
  try {
    return readFileSync(join('/proc', path), 'utf8');
  } catch {
    return '';
  }
}

/** Returns the ids of the processes that a process started, and of those that they started. */
function descendants(pid: number): number[] {
  const children = aboutProcess(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

const commandOf = (pid: number): string => aboutProcess(`${pid}/cmdline`).replaceAll('\0', ' ');

function isRunning(pid: number): boolean {
  const status = aboutProcess(`${pid}/status`);
  return status !== '' && !/^State:\s+Z/m.test(status);
}

const allGone = (pids: number[]) => until('no process is left', () => !pids.some(isRunning));

// Each test has a folder and ports of its own. They wait most of their time.
describe('npm start', { concurrency: 2 }, () => {
  test('one command starts everything, and SIGTERM leaves nothing running', async (t) => {
    const folder = dataFolder(t);
    const house = await start(folder);
    stopAfter(t, house);
    const address = await house.line(READY);
    assert.equal((await fetch(new URL('/healthz', address))).status, 200);

    const admin = new pg.Client({ connectionString: embeddedAddress(folder)!.adminUrl });
    await admin.connect();
    const logins = await admin.query<{ name: string }>(
      "SELECT DISTINCT usename AS name FROM pg_stat_activity WHERE application_name LIKE 'heliograph%' ORDER BY 1",
    );
    await admin.end();
    assert.deepEqual(
      logins.rows.map(({ name }) => name),
      ['heliograph_api', 'heliograph_auth', 'heliograph_sender', 'heliograph_worker'],
      'no process signs in as the owner',
    );

    const sameFolder = await start(folder);
    assert.equal(await sameFolder.exited, 1);
    assert.match(
      sameFolder.output(),
      /^The data folder \S+ is in use by another Heliograph \(process \d+, [^\n]+\)\.\n$/,
    );

    const samePort = await start(dataFolder(t), { PORT: new URL(address).port });
    assert.equal(await samePort.exited, 1);
    assert.match(samePort.output(), /^The port \d+ on 127\.0\.0\.1 is in use[^\n]+\n$/);

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
      const isBack = async () => {
        const answer = await fetch(new URL('/healthz', address)).catch(() => undefined);
        return answer?.status === 200 && one(name) !== undefined && one(name) !== before;
      };
      await until(`${name} is back`, isBack, 180_000);
    }
    house.process.kill('SIGINT');
    assert.equal(await house.exited, 0);
  });

  test('after a kill -9 the processes stop and the next start takes over the database', async (t) => {
    const folder = dataFolder(t);
    const port = String(await ownPort());
    const first = await start(folder, { PORT: port });
    await first.line(READY);
    const pids = descendants(first.process.pid ?? 0);
    const database = pids.filter((child) => commandOf(child).includes('postgres'));
    first.process.kill('SIGKILL');
    await first.exited;
    await allGone(pids.filter((pid) => !database.includes(pid)));
    const second = await start(folder, { PORT: port });
    stopAfter(t, second);
    assert.equal(new URL(await second.line(READY)).port, port);
    assert.deepEqual(database.filter(isRunning), []);
    const last = descendants(second.process.pid ?? 0);
    second.process.kill('SIGINT');
    await sleep(700);
    second.process.kill('SIGINT');
    await second.exited;
    await allGone(last);
  });

  test('the error for a wrong host names it and the addresses of this machine', async (t) => {
    const house = await start(dataFolder(t), { HOST: '192.0.2.99' });
    assert.equal(await house.exited, 1);
    assert.match(
      house.output(),
      /^HOST is "192\.0\.2\.99", which is not an address of this machine\. Set HOST to one of [^\n]*127\.0\.0\.1[^\n]*\n$/,
    );
  });

  test('the demo is not opened to other machines unless a setting allows it', async (t) => {
    const house = await start(dataFolder(t), { HOST: '0.0.0.0', SEED_DEMO: 'true' });
    stopAfter(t, house);
    assert.equal(await house.exited, 2);
    assert.match(
      house.output(),
      /^HOST is "0\.0\.0\.0", and this start would add the demo[^\n]*DEMO_IN_PUBLIC=true[^\n]*\n$/m,
    );
  });

  test('a bad setting stops the start with one line and exit code 2', async (t) => {
    const house = await start(dataFolder(t), { PORT: 'eighty' });
    assert.equal(await house.exited, 2);
    assert.match(house.output(), /^The setting PORT is "eighty": [^\n]+\n$/);
  });
});
