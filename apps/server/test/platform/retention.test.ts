import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock';
import { readConnectedConfig } from '#platform/config/config';
import { filePath, keepDraft, newDraft, newFile } from '#platform/files/files';
import { retireJobs } from '#platform/jobs/jobs';
import { type Retention, removeOld } from '#platform/jobs/retention';
import { RETENTION } from '../../src/processes/retention.ts';
import { temporaryFolder } from '../contacts/table-file.ts';
import { makeList, makeTenant } from '../contacts/tenant.ts';
import { testDatabase } from '../template-database.ts';

const home = await testDatabase({ after });
const owner = home.pool('owner');
const database = home.db('worker');
const worker = { database, config: readConnectedConfig({ DATABASE_URL: home.url }), clock: systemClock };
const { signal } = new AbortController();
const count = async (table: string) =>
  (await owner.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;

test('the rules remove events and log entries that are too old or too many, in batches', async () => {
  await owner.query(`
    INSERT INTO event (corporation_id, type, created_at)
      SELECT 1, 'balance.low', now() - interval '8 days' FROM generate_series(1, 25000);
    INSERT INTO event (corporation_id, type) SELECT 1, 'balance.low' FROM generate_series(1, 10);
    INSERT INTO application_log (logged_at, level, source, message) SELECT now() - interval '15 days', 'info', 'api', 'old' FROM generate_series(1, 12000);
    INSERT INTO application_log (logged_at, level, source, message) SELECT now(), 'info', 'api', 'new' FROM generate_series(1, 10)`);
  await removeOld(worker, RETENTION, signal);
  assert.deepEqual([await count('event'), await count('application_log')], [10, 10]);
  await owner.query(`INSERT INTO application_log (id, logged_at, level, source, message) OVERRIDING SYSTEM VALUE
    SELECT max(id) + 999995, now(), 'info', 'api', 'last' FROM application_log`);
  await removeOld(worker, RETENTION, signal);
  assert.equal(await count('application_log'), 6);
});

test('an upload that ended a month ago goes with the report of its refused rows', async (t) => {
  const own = { ...worker, config: readConnectedConfig({ DATABASE_URL: home.url, DATA_DIR: temporaryFolder(t) }) };
  const { user_id } = await makeTenant(home.db('owner'));
  const reports = await Promise.all(
    [31, 29].map(async (days) => {
      const path = newFile('rejects', 'csv');
      writeFileSync(await newDraft(own.config, path), 'x');
      await keepDraft(own.config, path);
      await owner.query(
        `INSERT INTO bulk_upload (user_id, kind, parameters, file_name, file_path, file_sha256, bytes_total, error_path, finished_at)
         VALUES ($1, 'things', '{}', 'x.csv', 'uploads/x', '', 1, $2, now() - make_interval(days => $3))`,
        [user_id, path, days],
      );
      return filePath(own.config, path);
    }),
  );
  await removeOld(own, RETENTION, signal);
  assert.deepEqual(
    reports.map((path) => existsSync(path)),
    [false, true],
  );
  assert.equal(await count('bulk_upload'), 1);
});

test('a list change that ended a month ago goes, and no upload with the same id', async () => {
  const tenant = await makeTenant(home.db('owner'));
  const list = await makeList(home.db('owner'), tenant);
  await owner.query(
    `INSERT INTO list_job (id, corporation_id, number_list_id, user_id, kind, parameters, state, finished_at) OVERRIDING SYSTEM VALUE
       VALUES (7000, $1, $2, $3, 'deduplicate', '{}', 'done', now() - interval '31 days')`,
    [tenant.corporation_id, list, tenant.user_id],
  );
  await owner.query(
    `INSERT INTO bulk_upload (id, user_id, kind, parameters, file_name, file_path, file_sha256, bytes_total, error_path) OVERRIDING SYSTEM VALUE
     VALUES (7000, $1, 'things', '{}', 'x.csv', 'uploads/x', '', 1, 'rejects/x')`,
    [tenant.user_id],
  );
  await removeOld(worker, RETENTION, signal);
  const { rows } = await owner.query('SELECT type FROM task WHERE id = 7000');
  assert.deepEqual(rows, [{ type: 'bulk_upload' }]);
});

test('a rule that fails does not keep the others from being followed', async () => {
  await owner.query(`INSERT INTO event (corporation_id, type, created_at) VALUES (1, 'balance.low', '2026-01-01')`);
  const faulty: Retention = { table: 'event', days: 7, since: 'created_at', when: sql`1 / 0 = 1`, rows: 10 };
  const before = await count('event');
  await assert.rejects(removeOld(worker, [faulty, ...RETENTION], signal), AggregateError);
  assert.equal(await count('event'), before - 1);
});

test('jobs of an earlier release leave the clock and the queue', async () => {
  await owner.query(`
    INSERT INTO jobs.schedule (name, cron) VALUES ('remove-old', '17 * * * *'), ('remove-old-files', '1 3 * * *');
    INSERT INTO jobs.job (name) VALUES ('remove-old-files'), ('remove-old')`);
  await retireJobs(database, ['remove-old-files', 'a name that no release had']);
  for (const table of ['schedule', 'job'])
    assert.deepEqual((await owner.query(`SELECT name FROM jobs.${table}`)).rows, [{ name: 'remove-old' }], table);
});
