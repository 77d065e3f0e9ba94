import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type pg from 'pg';
import { blacklistNumberKind } from '#modules/contacts';
import { createDatabase, createPool } from '#platform/database/db';
import { keepDraft, newDraft, newFile } from '#platform/files/files';
import type { Jobs } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { createLogger } from '#platform/log';
import { bulkUploadJobs } from '#platform/tasks/read-bulk-upload';
import { applyCard } from '../../src/modules/billing/apply-card.ts';
import { checkCard } from '../../src/modules/billing/check-card.ts';
import { countQuote } from '../../src/modules/campaigns/count-quote.ts';
import { prepareCampaign } from '../../src/modules/campaigns/prepare-campaign.ts';
import { importNumbers } from '../../src/modules/contacts/import-numbers.ts';
import { runListJob } from '../../src/modules/contacts/run-list-job.ts';
import { type Body, makeMoneyStage } from '../billing/stage.ts';
import { makeList } from '../contacts/tenant.ts';

/** Number of rows in a large file. A join that goes through one table for each row of another handles its square. */
const ROWS = 3_000;
/** Maximum rows that a job's statements may handle for each row of its file and each row stored before. */
const MOST_PER_ROW = 15;

const stage = await makeMoneyStage({ after });
const { owner, home, config, clock, plan_id, tenant } = stage;
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const signal = new AbortController().signal;
type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'clock' | 'log'>;

// Statistics stay as in a new database: only the jobs themselves update them.
await home.pool('owner').query(`DO $$ DECLARE t regclass; BEGIN
  FOR t IN SELECT c.oid FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND c.relname !~ '_[0-9]{8}$'
  LOOP EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', t); END LOOP; END $$`);

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** Counts the rows that all nodes of a plan have handled. */
function rowsOf(plan: Plan): number {
  const each = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  return each * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);
}

/** Runs each statement of a session once more in advance and undoes it, to see the rows that its plan handles. */
function lookAtPlans(client: pg.PoolClient, handled: (rows: number) => void): void {
  const query = client.query.bind(client) as (...values: unknown[]) => Promise<{ rows: unknown[] }>;
  let before: Promise<unknown> = Promise.resolve();
  const look = async (text: string, values: unknown) => {
    const inside = client.getTransactionStatus() === 'T';
    await query(inside ? 'SAVEPOINT looked' : 'BEGIN');
    try {
      const { rows } = await query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values);
      handled(rowsOf((rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }])[0]['QUERY PLAN'][0].Plan));
    } finally {
      await query(inside ? 'ROLLBACK TO looked' : 'ROLLBACK');
    }
  };
  const looked = (statement: unknown, values: unknown, done: unknown) => {
    if (typeof statement !== 'string' || typeof done === 'function') return query(statement, values, done);
    const result = before.then(async () => {
      if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(statement)) await look(statement, values);
      return query(statement, values);
    });
    before = result.catch(() => undefined);
    return result;
  };
  client.query = looked as typeof client.query;
}

/** Runs work over its own sessions, and returns how many rows its statements handle. */
async function rowsHandled(work: (worker: Worker) => Promise<void>): Promise<number> {
  let sum = 0;
  const add = (rows: number) => {
    sum += rows;
  };
  const pool = createPool({ DATABASE_URL: home.url }, 'worker');
  pool.on('connect', (client) => lookAtPlans(client, add));
  const database = createDatabase(pool);
  await work({ pool, database, config, clock, log });
  await database.destroy();
  return sum;
}

const places = (from: number, count = ROWS) => Array.from({ length: count }, (_, i) => from + i);
const numberAt = (place: number) => `63917${String(place).padStart(7, '0')}`;

async function storedFile(content: string): Promise<{ file_path: string; file_sha256: string }> {
  const file_path = newFile('uploads', 'bin');
  writeFileSync(await newDraft(config, file_path), content);
  await keepDraft(config, file_path);
  return { file_path, file_sha256: createHash('sha256').update(content).digest('hex') };
}

test('the tenth large rate card in a row handles no more rows than its share', async () => {
  let stored = 0;
  for (let nth = 0; nth < 10; nth++) {
    // Each zone gets new prefixes in turn. The sixth and later cards change stored ones.
    const zone = nth % 2 ? 'API' : 'WEB';
    const rows = places(1000 + (nth % 5) * ROWS).map(
      (prefix) => `${zone},${prefix},0.${100 + nth},2026-01-0${(nth % 3) + 1}`,
    );
    const sent = await stage.upload<Body>(
      'admin',
      `/api/v1/price-plans/${plan_id}/card-uploads`,
      'card.csv',
      ['zone,prefix,charge,starts_on', ...rows].join('\n'),
    );
    const { id } = sent.body.data;
    stored += ROWS;
    const handled = await rowsHandled(async (worker) => {
      await checkCard(worker, id, signal);
      await stage.admin('POST', `card-uploads/${id}/apply`, { mode: 'merge' });
      await applyCard(worker, id, signal);
    });
    const { state } = await owner
      .selectFrom('task')
      .select('state')
      .where('type', '=', 'card_upload')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    assert.equal(state, 'applied');
    // The statistics that autovacuum collects between two cards: all pages of the table, and no row in them.
    await home.pool('owner').query('ANALYZE card_upload_row');
    assert.ok(handled < MOST_PER_ROW * (stored + ROWS), `card ${nth + 1} handled ${handled} rows`);
  }
});

async function importOf(list: number, from: number): Promise<number> {
  const content = ['number,name', ...places(from).map((place) => `${numberAt(place)},Ada`)].join('\n');
  const { id } = await owner
    .insertInto('task')
    .values({
      type: 'import',
      kind: 'number_list',
      corporation_id: tenant.corporation_id,
      number_list_id: list,
      user_id: tenant.user_id,
      file_name: 'numbers.csv',
      ...(await storedFile(content)),
      bytes_total: content.length,
      error_path: newFile('rejects', 'csv'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const lists: number[] = [];

test('the tenth large import and the tenth large list change do only their share', async () => {
  for (let nth = 0; nth < 10; nth++) {
    const [list, other] = [
      await makeList(owner, tenant, `Lot ${nth}`),
      await makeList(owner, tenant, `Other ${nth}`),
    ] as const;
    lists.push(list);
    const id = await importOf(list, nth * (ROWS / 2));
    const jobs: number[] = [];
    for (const [kind, parameters] of [
      ['copy', { target_list_id: other, list_ids: [], delete_lists: false, selection: { filter: {} } }],
      ['deduplicate', { target_list_id: null, list_ids: lists.slice(0, -1), delete_lists: false, selection: null }],
      ['merge', { target_list_id: null, list_ids: [other], delete_lists: false, selection: null }],
    ] as const) {
      const row = await owner
        .insertInto('task')
        .values({
          type: 'list_job',
          corporation_id: tenant.corporation_id,
          number_list_id: list,
          user_id: tenant.user_id,
          kind,
          parameters: JSON.stringify(parameters),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      jobs.push(row.id);
    }
    const handled = await rowsHandled(async (worker) => {
      await importNumbers(worker, id, signal);
      for (const job of jobs) await runListJob(worker, job, signal);
    });
    const ended = await owner.selectFrom('task').select('state').where('id', 'in', jobs).execute();
    assert.deepEqual(
      ended.map(({ state }) => state),
      ['done', 'done', 'done'],
    );
    assert.ok(handled < MOST_PER_ROW * ROWS * 2 * (nth + 1), `round ${nth + 1} handled ${handled} rows`);
  }
});

test('the tenth large blacklist and the campaign after it do only their share', async () => {
  let run: ((data: { bulk_upload_id: number }, signal: AbortSignal) => Promise<void>) | undefined;
  for (let nth = 0; nth < 10; nth++) {
    const content = ['number', ...places(nth * ROWS + 1_000_000).map(numberAt)].join('\n');
    const upload = await owner
      .insertInto('task')
      .values({
        type: 'bulk_upload',
        user_id: tenant.user_id,
        corporation_id: tenant.corporation_id,
        kind: blacklistNumberKind.name,
        parameters: JSON.stringify({ sender_id_id: null, channel: 'all' }),
        file_name: 'numbers.csv',
        ...(await storedFile(content)),
        bytes_total: content.length,
        error_path: newFile('rejects', 'csv'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const handled = await rowsHandled(async (worker) => {
      const jobs = {
        async work(_job: unknown, handler: typeof run) {
          run = handler;
        },
      } as unknown as Jobs;
      await bulkUploadJobs({ ...worker, jobs } as WorkerContext, [blacklistNumberKind]);
      await run!({ bulk_upload_id: upload.id }, signal);
      const asked = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns/quotes', {
        sender_id: tenant.sender_id,
        content: 'Hello',
        list_ids: [lists[nth]],
      });
      assert.equal(asked.status, 202, JSON.stringify(asked.body));
      await countQuote(worker, asked.body.data.id, signal);
      const made = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
        quote_id: asked.body.data.id,
        name: `Campaign ${nth}`,
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      await prepareCampaign(worker, made.body.data.id, signal);
    });
    const { state } = await owner
      .selectFrom('task')
      .select('state')
      .where('id', '=', upload.id)
      .executeTakeFirstOrThrow();
    assert.equal(state, 'done');
    assert.ok(handled < MOST_PER_ROW * ROWS * 2 * (nth + 1), `round ${nth + 1} handled ${handled} rows`);
  }
});
