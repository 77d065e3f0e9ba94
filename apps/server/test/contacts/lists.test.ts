import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { listJob } from '@heliograph/contract/contacts/list-job';
import type { z } from 'zod';
import { optOut } from '#modules/contacts';
import { systemClock } from '#platform/clock';
import { runListJob } from '../../src/modules/contacts/run-list-job.ts';
import { dataOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import { at, listStage, range } from './list-stage.ts';

const { api, owner, corporate, harbor, readonly, corporation_id, foreignList, one, listOf, numbersOf, countOf, page } =
  await listStage({ after });

type Job = z.output<typeof listJob>;
/** Starts a job on a list and waits for its end. */
async function done(list: number, body: object): Promise<Job> {
  const started = await corporate('POST', `/api/v1/number-lists/${list}/jobs`, body);
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const { id } = dataOf(started);
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const job = dataOf(await corporate('GET', `/api/v1/list-jobs/${id}`)) as unknown as Job;
    if (job.finished_at) return job;
    assert.ok(Date.now() < deadline, job.state);
  }
}

test('numbers are found by the start of number or name, by tag, and by opt-out', async () => {
  const list = await listOf(range(0, 60));
  await optOut(owner, { corporation_id, number: at(7), source: 'message', at: new Date(), message: 'STOP' });
  assert.equal((await page(list, 'per_page=10')).meta.total, 60);
  assert.equal((await page(list, `search=${at(1).slice(0, 11)}`)).meta.total, 10);
  assert.equal((await page(list, `search=0917 000 001`)).meta.total, 10, 'as it is dialled at home');
  assert.equal((await page(list, `search=%2B${at(12)}`)).data[0]!['number'], at(12));
  assert.equal((await page(list, `search=name 63917000005`)).meta.total, 10);
  assert.equal((await page(list, 'search=100%25')).meta.total, 0);
  assert.equal((await page(list, 'param1=Gold')).meta.total, 20);
  assert.equal((await page(list, 'param1=Gold&search=name 63917000000')).meta.total, 4);
  assert.deepEqual(
    (await page(list, 'opted_out=true')).data.map(({ number }) => number),
    [at(7)],
  );
  assert.equal((await page(list, 'sort=-number')).data[0]!['number'], at(59));
  assert.equal((await page(foreignList, '')).data.length, 0);
});

test('counts stay right after numbers are copied, moved, merged or deleted', async () => {
  const [a, b, c] = [await listOf(range(0, 30)), await listOf(range(20, 50)), await listOf([])];
  const copied = await done(a, { kind: 'copy', target_list_id: c, selection: { param1: 'Gold' } });
  assert.deepEqual([copied.state, copied.rows_total, copied.rows_done, copied.rows_changed], ['done', 10, 10, 10]);
  assert.equal(await countOf(c), 10);
  const moved = await done(a, { kind: 'move', target_list_id: c, selection: { search: at(0).slice(0, 11) } });
  assert.deepEqual([moved.rows_total, moved.rows_changed, await countOf(a), await countOf(c)], [10, 6, 20, 16]);
  const merged = await done(c, { kind: 'merge', list_ids: [a, b], delete_lists: true });
  assert.deepEqual([merged.rows_total, await countOf(c)], [50, 50]);
  assert.deepEqual(await numbersOf(c), range(0, 50).map(at));
  assert.equal((await corporate('GET', `/api/v1/number-lists/${a}`)).status, 404);
  const other = await listOf(range(40, 60));
  const cleaned = await done(c, { kind: 'deduplicate', list_ids: [other] });
  assert.deepEqual([cleaned.rows_changed, await countOf(c), await countOf(other)], [10, 40, 20]);
  const { data } = await page(c, 'per_page=5');
  const deleted = await done(c, { kind: 'delete', selection: { ids: data.map(({ id }) => id) } });
  assert.deepEqual([deleted.rows_changed, await countOf(c), (await numbersOf(c)).length], [5, 35, 35]);
  const { rows } = await owner.query(
    `SELECT description FROM activity_log WHERE name = 'number-lists' AND subject_id = $1 ORDER BY id`,
    [c],
  );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['created', 'merge', 'deduplicate', 'delete'],
  );
});

test('a list job needs the rights for its work, and stays in its corporation', async () => {
  const list = await listOf(range(0, 3));
  const ask = async (client: Client, id: number, body: object) =>
    client('POST', `/api/v1/number-lists/${id}/jobs`, body);
  assert.equal((await ask(corporate, list, { kind: 'copy', target_list_id: foreignList })).status, 422);
  assert.equal((await ask(corporate, list, { kind: 'merge', list_ids: [foreignList] })).status, 422);
  assert.equal((await ask(corporate, list, { kind: 'merge', list_ids: [list] })).status, 422);
  assert.equal((await ask(corporate, list, { kind: 'copy' })).status, 422);
  assert.equal((await ask(corporate, foreignList, { kind: 'delete' })).status, 404);
  assert.equal((await ask(harbor, list, { kind: 'delete' })).status, 404);
  assert.equal((await ask(readonly, list, { kind: 'delete' })).status, 403);
  const id = (await done(list, { kind: 'delete', selection: { search: 'nobody' } })).id;
  assert.equal((await harbor('GET', `/api/v1/list-jobs/${id}`)).status, 404);
});

test('a worker that dies changes no list, and the retry does the work once', async () => {
  const [from, to] = [await listOf(range(0, 40)), await listOf(range(30, 50))];
  const id = await one(
    `INSERT INTO list_job (corporation_id, number_list_id, user_id, kind, parameters)
     SELECT $1, $2, id, 'move', $3 FROM user_account WHERE email = 'corporate@heliograph.test' RETURNING id`,
    [corporation_id, from, JSON.stringify({ target_list_id: to, list_ids: [], delete_lists: false, selection: {} })],
  );
  const died = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const parts = { database: api.database.db('worker'), config: api.config, log: api.log };
  const dying = {
    ...parts,
    clock: {
      now: () => {
        throw died;
      },
    },
  };
  await assert.rejects(runListJob(dying, id, new AbortController().signal), died);
  assert.deepEqual([await countOf(from), await countOf(to)], [40, 20]);
  for (let i = 0; i < 2; i++) await runListJob({ ...parts, clock: systemClock }, id, new AbortController().signal);
  assert.deepEqual([await countOf(from), await countOf(to)], [0, 50]);
  assert.deepEqual(await numbersOf(to), range(0, 50).map(at));
});
