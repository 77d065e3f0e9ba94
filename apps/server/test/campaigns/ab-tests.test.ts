import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeList } from '../contacts/tenant.ts';
import { abTestStage, B } from './ab-test-stage.ts';
import { msisdn, numbers } from './cast.ts';

const cast = await abTestStage({ after });
const { stage, setUp, call, read, begin, end, passUntilDecision, sentTo, campaignOf } = cast;
const { owner, tenant, clock } = stage;

test('samples and rest reach each recipient once, and the winner is sent to the rest', async () => {
  const started = await begin();
  assert.deepEqual(
    started.variants.map(({ campaign_state }) => campaign_state),
    ['running', 'running'],
  );
  await end(started, [10, 70]);
  await passUntilDecision();
  const done = await read(started.id);
  assert.deepEqual([done.state, done.winner, done.decided_by], ['finished', 2, 'certainty']);
  await stage.prepare(done.rest_campaign_id!);
  const all = [];
  for (const id of [...done.variants.map(({ campaign_id }) => campaign_id!), done.rest_campaign_id!])
    all.push(...(await sentTo(id)));
  assert.deepEqual(all.sort(), numbers(400).split(','));
  const rest = await campaignOf(done.rest_campaign_id!);
  assert.equal((rest.content as { content: string }).content, B.content);
  assert.equal(rest.total_count, done.variants[1]!.rest!.total_count);
  assert.ok(done.variants[1]!.figures!.best > 0.99);
});

test('a list that changes in between gives nobody a second message', async () => {
  const list = await makeList(owner, tenant);
  const add = (from: number, to: number) =>
    owner
      .insertInto('number_list_number')
      .values(Array.from({ length: to - from }, (_, i) => ({ number_list_id: list, number: msisdn(from + i) })))
      .execute();
  await add(1_000, 1_200);
  const started = await begin(setUp({ share_percent: 50 }, { list_ids: [list] }));
  await owner.deleteFrom('number_list_number').where('number', '=', msisdn(1_000)).execute();
  await add(1_200, 1_300);
  await end(started, [1, 1]);
  await passUntilDecision();
  const waiting = await read(started.id);
  assert.deepEqual([waiting.state, waiting.waits_for], ['waiting', 'rest_dearer']);
  const { status } = await call('boss', `/${started.id}/choose`, { variant: 1, max_cost: waiting.rest_cost! });
  assert.equal(status, 200);
  await passUntilDecision();
  const done = await read(started.id);
  assert.deepEqual([done.state, done.winner, done.decided_by], ['finished', 1, 'person']);
  await stage.prepare(done.rest_campaign_id!);
  const all = [];
  for (const id of [...done.variants.map(({ campaign_id }) => campaign_id!), done.rest_campaign_id!])
    all.push(...(await sentTo(id)));
  assert.equal(new Set(all).size, all.length);
});

test('without certainty the rule of the set-up decides', async () => {
  const outcome = async (more: object) => {
    const started = await begin(setUp(more));
    await end(started, [30, 30]);
    await passUntilDecision();
    const { state, waits_for, winner, decided_by } = await read(started.id);
    return [state, waits_for, winner, decided_by];
  };
  assert.deepEqual(await outcome({ certainty_percent: 99, fallback: 'first' }), ['finished', null, 1, 'fallback']);
  assert.deepEqual(await outcome({ certainty_percent: 99, fallback: 'by_hand' }), ['waiting', 'uncertain', null, null]);
  assert.deepEqual(await outcome({ decides: 'by_hand' }), ['waiting', 'decision', null, null]);
});

test('nothing is decided before the time, nor while a sample is under way', async () => {
  const started = await begin();
  const [first] = started.variants;
  await end(started, [10, 70]);
  await owner.updateTable('campaign').set({ state: 'paused' }).where('id', '=', first!.campaign_id!).execute();
  clock.pass(5 * 60);
  await stage.look();
  assert.equal((await read(started.id)).state, 'running');
  await owner.updateTable('campaign').set({ state: 'completed' }).where('id', '=', first!.campaign_id!).execute();
  await passUntilDecision();
  assert.equal((await read(started.id)).state, 'finished');
  const early = await begin();
  await end(early, [10, 70]);
  clock.pass(3 * 60);
  await stage.look();
  assert.equal((await read(early.id)).state, 'running');
});

test('a sample that never starts makes the test wait for a person', async () => {
  const started = await begin();
  await owner
    .updateTable('campaign')
    .set({ state: 'failed', started_at: null })
    .where('id', '=', started.variants[1]!.campaign_id!)
    .execute();
  clock.pass(2);
  await stage.look();
  const { state, waits_for, abilities } = await read(started.id);
  assert.deepEqual([state, waits_for, abilities.choose], ['waiting', 'sample_failed', true]);
});

test('a rest that the account cannot pay waits, and is made after a new choice', async () => {
  const started = await begin(setUp({ fallback: 'first', certainty_percent: 99 }));
  await end(started, [30, 30]);
  await cast.setAccount({ credit_balance: 0 });
  await passUntilDecision();
  const waiting = await read(started.id);
  assert.deepEqual(
    [waiting.state, waiting.waits_for, waiting.rest_campaign_id],
    ['waiting', 'insufficient_credit', null],
  );
  await cast.setAccount({ credit_balance: 1_000_000_000 });
  await call('boss', `/${started.id}/choose`, { variant: 2, max_cost: waiting.max_rest_cost! });
  await passUntilDecision();
  assert.deepEqual([(await read(started.id)).state, (await read(started.id)).winner], ['finished', 2]);
});
