import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { getCampaignTest } from '@heliograph/contract/campaigns/campaign-test';
import type { z } from 'zod';
import { makeList } from '../contacts/tenant.ts';
import { msisdn, numbers, type Answer as OfCampaign } from './cast.ts';
import { scheduleStage } from './schedule-stage.ts';

type Detail = z.output<typeof getCampaignTest.reply>['data'];
type Answer = { data: Detail; code: string; errors?: Record<string, string[]> };

const cast = await scheduleStage({ after });
const { stage, campaignOf } = cast;
const { owner, tenant, clock } = stage;
const PATH = '/api/v1/campaign-tests';

const A = { content: 'Hello from A' };
const B = { content: 'Hello from B, with a longer text' };
const setUp = (more: object = {}, common: object = { custom_numbers: numbers(400) }, variants: object[] = [A, B]) => ({
  name: 'Greeting',
  metric: 'delivered',
  share_percent: 40,
  decide_after_hours: 4,
  certainty_percent: 90,
  decides: 'automatic',
  fallback: 'best',
  common,
  variants: variants.map((each) => ({ sender_id: tenant.sender_id, start: null, ...each })),
  ...more,
});
const call = (token: string, action: string, body: object) =>
  stage.call<Answer>(token, 'POST', `${PATH}${action}`, body);
const read = async (id: number, token = 'boss') => (await stage.call<Answer>(token, 'GET', `${PATH}/${id}`)).body.data;

/** Counts the quotes that wait, as the worker would. */
async function countAll(): Promise<void> {
  for (const { id } of await owner.selectFrom('quote').select('id').where('state', '=', 'counting').execute())
    await stage.count(id);
}

/** Prices a test. */
async function price(body: object, token = 'boss'): Promise<Detail> {
  const made = await call(token, '', body);
  assert.equal(made.status, 202, JSON.stringify(made.body));
  await countAll();
  return read(made.body.data.id, token);
}

/** Prices a test, starts it, and lets the samples run. */
async function begin(body: object = setUp(), token = 'boss'): Promise<Detail> {
  const priced = await price(body, token);
  const started = await call(token, `/${priced.id}/start`, { confirmed_cost: priced.cost!.total });
  assert.equal(started.status, 200, JSON.stringify(started.body));
  for (const { campaign_id } of started.body.data.variants) await stage.prepare(campaign_id!);
  return read(priced.id, token);
}

/** Ends the samples with so many delivered messages each. */
async function end({ variants }: Detail, delivered: readonly number[]): Promise<void> {
  for (const [at, { campaign_id }] of variants.entries()) {
    await owner.updateTable('campaign').set({ state: 'completed' }).where('id', '=', campaign_id!).execute();
    await owner
      .updateTable('campaign_counter')
      .set({ delivered: delivered[at]! })
      .where('campaign_id', '=', campaign_id!)
      .execute();
  }
}

async function passUntilDecision(): Promise<void> {
  clock.pass(5 * 60);
  await stage.look();
  await countAll();
  clock.pass(1);
  await stage.look();
}

const sentTo = async (id: number) =>
  (await owner.selectFrom('message').select('msisdn').where('campaign_id', '=', id).execute()).map(
    (message) => message.msisdn,
  );

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

test('a start needs the whole price, happens once, and is the maker’s own', async () => {
  const priced = await price(setUp());
  const { samples, rest, total } = priced.cost!;
  assert.equal(Number(total), Number(samples) + Number(rest));
  const start = async (confirmed_cost: string, token = 'boss') =>
    (await call(token, `/${priced.id}/start`, { confirmed_cost })).body.code;
  assert.equal(await start(samples), 'cost_not_confirmed');
  assert.equal(await start(total, 'stranger'), 'not_found');
  assert.equal(await start(total), undefined);
  assert.equal(await start(total), 'invalid_transition');
  const quotes = await owner
    .selectFrom('campaign_test_variant')
    .select('sample_quote_id')
    .where('test_id', '=', priced.id)
    .execute();
  const made = await owner
    .selectFrom('campaign')
    .select('id')
    .where(
      'quote_id',
      'in',
      quotes.map(({ sample_quote_id }) => sample_quote_id),
    )
    .execute();
  assert.equal(made.length, 2);
  assert.equal((await stage.call<Answer>('stranger', 'GET', `${PATH}/${priced.id}`)).status, 404);
});

test('a person who may not run campaigns asks for an approval of each part', async () => {
  await owner
    .insertInto('user_supervisor')
    .values({ user_id: cast.asker.user_id, supervisor_id: tenant.user_id })
    .execute();
  const priced = await price(setUp({ certainty_percent: 50 }), 'asker');
  assert.equal(priced.needs_approval, true);
  const { body } = await call('asker', `/${priced.id}/start`, { confirmed_cost: priced.cost!.total });
  const ids = body.data.variants.map(({ campaign_id }) => campaign_id!);
  for (const id of ids) {
    assert.equal((await campaignOf(id)).state, 'pending');
    assert.equal((await cast.approve(id)).status, 200);
    await stage.prepare(id);
  }
  await end(body.data, [10, 70]);
  await passUntilDecision();
  const done = await read(priced.id, 'asker');
  assert.deepEqual([done.state, done.rest_campaign_state], ['finished', 'pending']);
});

test('the recipients and the text of a sample cannot change', async () => {
  const started = await begin(setUp({}, { custom_numbers: numbers(40) }, [{ ...A, start: '2031-05-06T10:00' }, B]));
  const id = started.variants[0]!.campaign_id!;
  const { fingerprint } = await campaignOf(id);
  const quote = await stage.quote({ custom_numbers: numbers(5) });
  const edit = (change: object) =>
    stage.call<OfCampaign>('boss', 'PATCH', `/api/v1/campaigns/${id}`, { fingerprint, ...change });
  assert.equal((await edit({ quote_id: quote.id })).body.code, 'campaign_in_test');
  const schedule = { start: '2031-05-06T10:00', repeat: { every: 'daily', until: '2031-05-08' } };
  assert.equal((await edit({ schedule })).body.code, 'campaign_in_test');
  assert.equal((await edit({ name: 'Other name' })).status, 200);
});

test('a stop sends no rest and cancels samples that wait', async () => {
  const started = await begin(setUp({}, { custom_numbers: numbers(40) }, [{ ...A, start: '2031-05-06T10:00' }, B]));
  assert.deepEqual(
    started.variants.map(({ campaign_state }) => campaign_state),
    ['scheduled', 'running'],
  );
  const { body } = await call('boss', `/${started.id}/stop`, {});
  assert.deepEqual(
    [body.data.state, ...body.data.variants.map(({ campaign_state }) => campaign_state)],
    ['stopped', 'stopped', 'stopped'],
  );
  assert.equal((await call('boss', `/${started.id}/choose`, { variant: 1, max_cost: '1000' })).status, 409);
  assert.deepEqual(await cast.contradictions(), []);
});

test('the rest starts at the time of day of the chosen variant', async () => {
  const variants = [
    { ...A, start: '2031-05-05T09:00' },
    { ...A, start: '2031-05-05T18:30' },
  ];
  const started = await begin(setUp({ fallback: 'best' }, { custom_numbers: numbers(60) }, variants));
  clock.pass(12 * 60);
  await stage.look();
  await end(started, [1, 12]);
  await passUntilDecision();
  const done = await read(started.id);
  assert.deepEqual([done.state, done.winner], ['finished', 2]);
  const { starts_at } = await campaignOf(done.rest_campaign_id!);
  assert.equal(new Date(starts_at!).toISOString(), '2031-05-06T10:30:00.000Z');
});

test('clicks are counted by recipient, and need a web address in each text', async () => {
  const link = { content: 'See https://example.com/a' };
  const refused = await call('boss', '', setUp({ metric: 'clicked' }));
  assert.deepEqual(Object.keys(refused.body.errors ?? {}), ['variants.0.content']);
  const started = await begin(setUp({ metric: 'clicked' }, undefined, [link, { content: 'Or https://example.com/b' }]));
  const [, second] = started.variants;
  const links = await owner
    .selectFrom('short_link')
    .select(['code', 'msisdn'])
    .where('campaign_id', '=', second!.campaign_id!)
    .limit(3)
    .execute();
  assert.equal(links.length, 3);
  const headers = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile' };
  for (const { code } of [...links, links[0]!])
    await stage.server.inject({ method: 'GET', url: `/s/${code}`, headers });
  let successes = 0;
  // Visits are written after the answer.
  for (let tries = 0; tries < 100 && successes < 3; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    ({ successes } = (await read(started.id)).variants[1]!.figures!);
  }
  const [one, two] = (await read(started.id)).variants;
  assert.deepEqual([one!.figures!.successes, two!.figures!.successes], [0, 3]);
  assert.equal(two!.figures!.recipients, second!.sample.total_count);
});

test('wrong variants are refused with the field that is wrong', async () => {
  const fieldOf = async (body: object) => Object.keys((await call('boss', '', body)).body.errors ?? {}).join();
  assert.equal(await fieldOf(setUp({}, undefined, [A, A])), 'variants.1.content');
  assert.equal(await fieldOf(setUp({}, undefined, [A])), 'variants');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { content: ' ' }])), 'variants.1.content');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { ...B, sender_id: 999_999 }])), 'variants.1.sender_id');
  assert.equal(await fieldOf(setUp({}, undefined, [A, { ...B, start: '2030-01-01T10:00' }])), 'variants.1.start');
  assert.equal(await fieldOf(setUp({}, { list_ids: [999_999] })), 'common.list_ids');
  assert.equal((await call('reader', '', setUp())).status, 403);
});
