import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { sql } from 'kysely';
import { importNumbersJob } from '#modules/contacts';
import { readConnectedConfig } from '#platform/config/config';
import { startFanOut } from '#platform/fan-out/tell';
import { lastingFailure } from '#platform/jobs/failure';
import { enqueue, startEnqueuing, startJobs } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { testDatabase } from '../template-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'heliograph-jobs-'));
const home = await testDatabase({ after });
after(() => rmSync(folder, { recursive: true, force: true }));
const config = readConnectedConfig({ DATABASE_URL: home.url, DATA_DIR: folder });
const log = createLogger({ LOG_LEVEL: 'fatal' }, 'test');
const fanOut = await startFanOut(config, 'worker', log);
const enqueuing = await startEnqueuing(home.pool('worker'), log);
after(async () => {
  await enqueuing.stop();
  await fanOut.stop();
});

const worker = (letEndMs?: number) => startJobs(home.pool('worker'), fanOut, log, { letEndMs });
const put = (import_id: number, tenant?: number) =>
  enqueue(home.db('worker'), importNumbersJob, { import_id }, tenant === undefined ? {} : { tenant });
const jobOf = async (import_id: number) =>
  (
    await home
      .pool('owner')
      .query("SELECT state, retry_count, retry_limit FROM jobs.job WHERE data ->> 'import_id' = $1", [import_id])
  ).rows[0];

test('a job that a stopping worker gives back is soon done by another worker', async () => {
  const seen: string[] = [];
  const first = await worker(0);
  await first.work(importNumbersJob, async (_data, signal) => {
    seen.push('begun');
    await once(signal, 'abort');
    // Time for the rollback of the transaction.
    await sleep(50);
    seen.push('given back');
    signal.throwIfAborted();
  });
  await put(1);
  await until('it is begun', () => seen.length === 1);
  await home.pool('owner').query('UPDATE jobs.job SET retry_limit = 0');
  await first.stop();
  assert.deepEqual(seen, ['begun', 'given back']);
  const second = await worker();
  await second.work(importNumbersJob, async () => void seen.push('done'));
  await until('another has done it', async () => (await jobOf(1)).state === 'completed');
  await second.stop();
  assert.deepEqual(seen, ['begun', 'given back', 'done']);
});

test('a job that ends while its worker stops is not repeated', async () => {
  const ends = Promise.withResolvers<void>();
  let begun = 0;
  const first = await worker();
  await first.work(importNumbersJob, async () => {
    begun++;
    await ends.promise;
  });
  await put(2);
  await until('it is begun', () => begun === 1);
  const stopped = first.stop();
  ends.resolve();
  await stopped;
  assert.deepEqual([(await jobOf(2)).state, begun], ['completed', 1]);
});

const sleeping = async () =>
  (
    await home
      .pool('owner')
      .query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(3600)' AND state = 'active'",
      )
  ).rowCount ?? 0;

test('work that is no longer needed ends its statement and is not tried again', async () => {
  const jobs = await worker();
  let wanted = true;
  let begun = 0;
  await jobs.work(
    importNumbersJob,
    async () => {
      begun++;
      await home
        .db('worker')
        .transaction()
        .execute((db) => sql`SELECT pg_sleep(3600)`.execute(db));
    },
    { wanted: async () => wanted },
  );
  await put(3);
  await until('its statement runs', async () => (await sleeping()) === 1);
  wanted = false;
  await until('its statement is ended', async () => (await sleeping()) === 0);
  await until('the job is over', async () => (await jobOf(3)).state === 'completed');
  assert.equal(begun, 1);
  // A late cancel has no effect, because the session is not used again.
  await Promise.all(Array.from({ length: 10 }, () => home.pool('worker').query('SELECT 1')));
  await jobs.stop();
});

test('a statement that takes longer than its job allows is ended, and fails for good', async () => {
  const jobs = await worker();
  const failures: (string | undefined)[] = [];
  await jobs.work({ ...importNumbersJob, statementSeconds: 0.1 }, async (_data, signal) => {
    const failed = await sql`SELECT pg_sleep(3600)`.execute(home.db('worker')).catch((error: unknown) => error);
    failures.push(lastingFailure(failed, signal));
  });
  await put(4);
  await until('the job is over', async () => (await jobOf(4)).state === 'completed');
  assert.deepEqual([failures, await sleeping()], [['took_too_long'], 0]);
  await jobs.stop();
});

test("a tenant with many long jobs does not delay another tenant's job", async () => {
  const jobs = await worker();
  const ends = Promise.withResolvers<void>();
  const begun: number[] = [];
  await jobs.work(
    importNumbersJob,
    async ({ import_id }) => {
      begun.push(import_id);
      if (import_id < 100) await ends.promise;
    },
    { inTurns: true },
  );
  for (let id = 10; id < 20; id++) await put(id, 1);
  await put(100, 2);
  await until('the other tenant had its turn', async () => (await jobOf(100)).state === 'completed');
  assert.ok(begun.filter((id) => id < 100).length <= 2, `${begun}`);
  ends.resolve();
  await until('all are done', async () => begun.length === 11);
  await jobs.stop();
});

test('an attempt that has lost its lock commits nothing and leaves the next one alone', async () => {
  const owner = home.pool('owner');
  await owner.query('CREATE TABLE attempt_log (attempt integer)');
  await owner.query('GRANT INSERT ON attempt_log TO heliograph_worker');
  const workers = [await worker(), await worker()];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const signals: AbortSignal[] = [];
  const ends: string[] = [];
  const work = async (_data: unknown, signal: AbortSignal) => {
    const attempt = signals.push(signal);
    // Ignores its signal, like a frozen process.
    await gates[attempt - 1]!.promise;
    const written = home
      .db('worker')
      .transaction()
      .execute((db) => sql`INSERT INTO attempt_log VALUES (${attempt})`.execute(db));
    await written.then(
      () => ends.push(`${attempt} stands`),
      () => ends.push(`${attempt} is refused`),
    );
    await written;
  };
  for (const each of workers) await each.work(importNumbersJob, work);
  await put(5);
  const running = async () =>
    (await owner.query<{ pid: number }>("SELECT output ->> 'held_by' AS pid FROM jobs.job WHERE state = 'active'"))
      .rows;
  await until('the first attempt has begun', () => signals.length === 1);
  const [first] = await running();
  await owner.query('SELECT pg_terminate_backend($1)', [first!.pid]);
  await until('the first attempt is told', () => signals[0]!.aborted);
  await until('another attempt has begun', () => signals.length === 2);
  gates[0]!.resolve();
  await until('the first attempt has ended', () => ends.length === 1);
  await sleep(100);
  assert.deepEqual([(await running()).length, signals[1]!.aborted], [1, false], 'the second goes on');
  gates[1]!.resolve();
  await until('the job is over', async () => (await jobOf(5)).state === 'completed');
  assert.deepEqual(ends, ['1 is refused', '2 stands']);
  assert.equal((await owner.query('SELECT FROM attempt_log')).rowCount, 1);
  for (const each of workers) await each.stop();
});

test('a silent worker is cut off from its job when the queue gives the job away', async () => {
  await put(6);
  const frozen = await home.pool('worker').connect();
  frozen.on('error', () => undefined);
  const cutOff = new Promise((ended) => frozen.once('end', ended));
  await frozen.query(
    "SELECT pg_advisory_lock(hashtextextended(id::text, 57)) FROM jobs.job WHERE data ->> 'import_id' = '6'",
  );
  const jobs = await worker();
  await jobs.work(importNumbersJob, async () => undefined);
  await cutOff;
  frozen.release(true);
  await until('the job is over', async () => (await jobOf(6)).state === 'completed');
  await jobs.stop();
});
