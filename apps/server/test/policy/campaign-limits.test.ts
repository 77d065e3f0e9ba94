import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { makeCast, numbers } from '../campaigns/cast.ts';
import { PRICE } from '../campaigns/stage.ts';

const { stage, asker, create, campaignOf, change, approve } = await makeCast({ after });
const { owner, tenant } = stage;

beforeEach(async () => {
  await owner.deleteFrom('sending_limit').execute();
});

const limit = (kind: string, amounts: { messages?: number; spend?: number }, period = 'day') =>
  owner
    .insertInto('sending_limit')
    .values({ corporation_id: tenant.corporation_id, name: `By ${kind}`, kind, period, ...amounts })
    .returning('id')
    .executeTakeFirstOrThrow();
const used = async () => {
  const rows = await owner.selectFrom('sending_limit_use').select('used').orderBy('subject').execute();
  return rows.map((row) => row.used);
};

test('a campaign above a limit is refused, and its quote says why before', async () => {
  await limit('corporation', { messages: 5 });
  const first = await stage.quote({ custom_numbers: numbers(3) });
  assert.equal(first.refusal, null);
  assert.equal((await create(first)).status, 201);
  const second = await stage.quote({ custom_numbers: numbers(3) });
  assert.equal(second.refusal, 'sending_limit_reached');
  assert.deepEqual(second.limit_refusal, { name: 'By corporation', limit: '5', needed: '3', left: '2' });
  const { status, body } = await create(second);
  assert.deepEqual([status, (body as unknown as { code: string }).code], [409, 'sending_limit_reached']);
  assert.deepEqual(await used(), [3]);
});

test('concurrent campaigns cost no more than the limit of their user', async () => {
  await limit('user', { spend: 10 * PRICE }, 'month');
  const quotes = [];
  for (let n = 0; n < 8; n++) quotes.push(await stage.quote({ custom_numbers: numbers(3) }));
  const statuses = (await Promise.all(quotes.map((each) => create(each)))).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [201, 201, 201, 409, 409, 409, 409, 409]);
  assert.deepEqual(await used(), [9 * PRICE]);
});

test('a campaign that never starts gives back what was counted, a started one does not', async () => {
  await limit('corporation', { messages: 5 });
  await limit('recipient', { messages: 1 }, 'week');
  const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const later = await create(await stage.quote({ custom_numbers: numbers(3) }), 'boss', { schedule: { start } });
  assert.equal(later.status, 201);
  await stage.prepare(later.body.data.id);
  assert.equal((await campaignOf(later.body.data.id)).state, 'scheduled');
  assert.deepEqual(await used(), [3, 1, 1, 1]);
  assert.equal((await change(later.body.data.id, 'stop-scheduled')).status, 200);
  assert.deepEqual(await used(), [0, 0, 0, 0]);

  const started = await create(await stage.quote({ custom_numbers: numbers(2) }));
  await stage.prepare(started.body.data.id);
  assert.equal((await change(started.body.data.id, 'stop')).status, 200);
  assert.deepEqual(
    (await used()).filter((n) => n > 0),
    [2, 1, 1],
  );
});

test('numbers at their limit and messages above the price are left out', async () => {
  await limit('recipient', { messages: 1 });
  const first = await create(await stage.quote({ custom_numbers: numbers(2) }));
  await stage.prepare(first.body.data.id);
  const second = await stage.quote({ custom_numbers: numbers(5) });
  assert.deepEqual([second.total_count, second.rejected], [3, { recipient_limit: 2 }]);
  await limit('message', { spend: PRICE - 1 });
  const third = await stage.quote({ custom_numbers: numbers(3) });
  assert.deepEqual([third.total_count, third.refusal], [0, 'audience_empty']);
});

test('of campaigns to one number, only as many are sent as its limit allows', async () => {
  await limit('recipient', { messages: 2 });
  const made = [];
  for (let n = 0; n < 5; n++) made.push((await create(await stage.quote({ custom_numbers: numbers(1) }))).body.data.id);
  await Promise.all(made.map((id) => stage.prepare(id)));
  const states = await Promise.all(made.map(async (id) => (await campaignOf(id)).state));
  assert.deepEqual(states.sort(), ['rejected', 'rejected', 'rejected', 'running', 'running']);
  assert.deepEqual(await used(), [2]);
});

test('a limit of the author holds when another person approves the campaign', async () => {
  await owner
    .insertInto('sending_limit')
    .values({ corporation_id: tenant.corporation_id, name: 'Asker', kind: 'user', user_id: asker.user_id, messages: 2 })
    .execute();
  await owner
    .insertInto('user_supervisor')
    .values({ user_id: asker.user_id, supervisor_id: tenant.user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { body } = await create(await stage.quote({ custom_numbers: numbers(3) }, 'asker'), 'asker');
  assert.equal((await campaignOf(body.data.id)).state, 'pending');
  assert.equal((await approve(body.data.id, 'boss')).body.code, 'sending_limit_reached');
});
