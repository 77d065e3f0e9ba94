import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import type pg from 'pg';
import { createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { type Check, checks } from '#platform/operate/checks';
import { metrics } from '#platform/operate/metrics';
import { startOperationsServer } from '#platform/operate/operations-server';
import { Readiness } from '#platform/operate/readiness';
import { ownPort } from '../own-port.ts';
import { type TestDatabase, testDatabase } from '../template-database.ts';
import { type ProcessName, type RunningProcess, startProcess } from './running.ts';

interface Report {
  status: string;
  checks: Check[];
}

const database: TestDatabase = await testDatabase({ after });
const wrongOf = ({ checks }: Report) => checks.filter(({ ok }) => !ok).map(({ name }) => name);
const readyz = async (running: RunningProcess) => {
  const { status, body } = await running.ask('/readyz');
  return { status, report: JSON.parse(body) as Report };
};

/** Checks that each process must report; it may report others too. */
const NEEDS: Readonly<Record<ProcessName, readonly string[]>> = {
  api: ['process', 'database', 'migrations', 'data_folder'],
  worker: ['process', 'database', 'migrations', 'data_folder', 'campaign_clock'],
  sender: ['process', 'database', 'migrations', 'lanes', 'outcomes'],
  'smpp-server': ['process', 'database', 'migrations', 'binds'],
};

describe('processes', { concurrency: true }, () => {
  for (const name of Object.keys(NEEDS) as ProcessName[]) {
    test(`the ${name} reports that it is alive, its checks, and its stop in advance`, async (t) => {
      const running = await startProcess(t, name, database.url, { STOP_NOTICE_SECONDS: '60' });
      assert.deepEqual(JSON.parse((await running.ask('/healthz')).body), { status: 'ok' });
      const { status, report } = await readyz(running);
      assert.equal(status, 200, JSON.stringify(report));
      const named = report.checks.map((check) => check.name);
      assert.deepEqual(
        NEEDS[name].filter((need) => !named.includes(need)),
        [],
      );
      assert.match((await running.ask('/metrics')).body, /^process_cpu_seconds_total\{process="[a-z-]+"\} /m);
      assert.equal((await running.ask('/')).status, 404);

      running.child.kill('SIGTERM');
      const stopping = await until('503', async () => {
        const answer = await readyz(running);
        return answer.status === 503 ? answer.report : undefined;
      });
      assert.deepEqual(wrongOf(stopping), ['process']);
      assert.equal((await running.ask('/healthz')).status, 200);
      if (name === 'api') {
        // The API still answers callers here, and a load balancer at the API's port sees the same.
        assert.equal((await fetch(new URL('/healthz', running.url))).status, 200);
        const seen = await fetch(new URL('/readyz', running.url));
        assert.equal(seen.status, 503);
        const told = (await seen.json()) as Report;
        assert.deepEqual(told.checks[0], { name: 'process', ok: false });
        assert.equal(
          (await fetch(new URL('/metrics', running.url))).headers.get('content-type')?.includes('0.0.4'),
          false,
        );
      }
    });
  }
});

test('a missing migration and an unreachable database are named with the remedy', async (t) => {
  const lacking = await testDatabase(t);
  const config = { DATA_DIR: '/dev/null/nowhere' };
  const owner = lacking.pool('owner');
  await owner.query('DELETE FROM schema_migrations WHERE version = 3');
  // A later program was here, as an old program sees it in a rolling upgrade.
  await owner.query(`INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, '9999_later.sql', '')`);
  const found = await checks({ database: owner, config });
  const said = Object.fromEntries(found.map((check) => [check.name, check]));
  assert.equal(said['database']?.ok, true);
  assert.deepEqual(said['migrations'], {
    name: 'migrations',
    ok: false,
    detail: 'The database lacks 0003_reports.sql.',
    action: 'Run `npm run migrate`.',
  });
  assert.equal(said['data_folder']?.ok, false);

  const nowhere = createPool({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, 'owner', { max: 1 });
  t.after(() => nowhere.end());
  const unreachable = await checks({ database: nowhere, config });
  assert.deepEqual(
    unreachable.map(({ name, ok }) => [name, ok]),
    [
      ['database', false],
      ['migrations', false],
      ['data_folder', false],
    ],
  );
  for (const { detail, action } of unreachable) assert.ok(detail.length > 10 && action && action.length > 10);
});

test('a database that accepts no writes makes a process unready', async (t) => {
  const reading = await testDatabase(t);
  const client = await reading.pool('owner').connect();
  try {
    await client.query('SET default_transaction_read_only = on');
    const found = await checks({ database: client as unknown as pg.Pool, config: { DATA_DIR: '/tmp' } });
    assert.equal(found[0]?.detail, 'The database takes no writes.');
  } finally {
    client.release(true);
  }
});

test('each kind of process has its own port, and a taken port stops no process', async (t) => {
  const first = await ownPort();
  const config = { OPERATIONS_HOST: '127.0.0.1', OPERATIONS_PORT: first };
  const told: string[] = [];
  const log = createLogger(
    { LOG_LEVEL: 'info' },
    'test',
    new PassThrough().on('data', (line) => told.push(String(line))),
  );
  const start = async (name: string) => {
    const started = await startOperationsServer({
      name,
      config,
      readiness: new Readiness(),
      metrics,
      log,
      againMs: 20,
    });
    t.after(() => started?.stop());
    return started;
  };
  const [api, worker] = [await start('api'), await start('worker')];
  assert.deepEqual([api?.port, worker?.port], [first, first + 1]);
  assert.equal(await start('carrier simulator'), undefined);
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  t.after(() => void process.off('warning', warned));
  const second = await start('api');
  assert.equal(second?.port, undefined);
  assert.match(told.join(''), /choose another port, such as OPERATIONS_PORT=/);
  // More attempts than the number of listeners that Node takes for a leak.
  await sleep(20 * 30);
  assert.deepEqual(warnings, []);
  await api?.stop();
  await until('the port is taken over', async () => second?.port);
  assert.equal((await fetch(`http://127.0.0.1:${first}/healthz`)).status, 200);
});

test('a check that never answers counts as failed, and many callers share one check', async () => {
  const readiness = new Readiness('starting');
  let looks = 0;
  readiness.add({ name: 'hangs', look: () => new Promise(() => looks++) });
  const [first, second] = await Promise.all([readiness.report(), readiness.report()]);
  assert.equal(looks, 1);
  assert.deepEqual(first, second);
  assert.deepEqual(
    first.checks.map(({ name, ok }) => [name, ok]),
    [
      ['process', false],
      ['hangs', false],
    ],
  );
});
