import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { msisdn, numbers } from './cast.ts';
import { DAY, scheduleStage } from './schedule-stage.ts';
import { PRICE } from './stage.ts';

const { stage, zone, chunksOf, refusal, stateOf, ...cast } = await scheduleStage({ after });
const { campaignOf, account, contradictions, create, change, begin } = cast;
const { owner, tenant, clock } = stage;

test('a scheduled campaign is prepared now, and starts once in local time', async () => {
  const before = await account();
  const waiting = await begin({ custom_numbers: numbers(5), sms_validity: 2 }, { start: `${DAY}T10:30` });
  assert.deepEqual([waiting.state, waiting.starts_at], ['scheduled', `${DAY}T02:30:00Z`]);
  assert.equal(before.credit_balance - (await account()).credit_balance, 5 * PRICE);
  clock.pass(149);
  await stage.look();
  assert.equal(await stateOf(waiting.id), 'scheduled');
  clock.pass(1);
  // Several workers look at the same moment.
  await Promise.all([stage.look(), stage.look(), stage.look()]);
  const running = await campaignOf(waiting.id);
  assert.deepEqual([running.state, running.expires_at], ['running', `${DAY}T04:30:00Z`]);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM campaign_transition
    WHERE campaign_id = ${waiting.id} AND to_state = 'running'`.execute(owner);
  assert.equal(rows[0]?.count, 1);
});

test('an impossible schedule is refused on its field', async () => {
  assert.equal(await refusal({ start: `${DAY}T07:00` }), 'schedule.start');
  assert.equal(await refusal({ start: `${DAY}T09:00`, end: `${DAY}T09:00` }), 'schedule.end');
  assert.equal(await refusal({ end: `${DAY}T07:30` }), 'schedule.end');
  assert.equal(await refusal({ start: '2031-02-30T09:00' }), 'schedule.start');
  assert.equal(await refusal({ start: '9999-01-01T09:00' }), 'schedule.start', 'its reserve would never come back');
  assert.equal(await refusal({ end: '9999-01-01T09:00' }), 'schedule.end');
  assert.equal(await refusal({ spread_minutes: 721 }), 'schedule.spread_minutes');
  assert.equal(await refusal({ repeat: { every: 'daily', until: '2031-06-01' } }), 'schedule.start');
  const repeat = { every: 'daily', until: '2031-05-04' };
  assert.equal(await refusal({ start: `${DAY}T09:00`, repeat }), 'schedule.repeat.until');
  await zone('Europe/Berlin');
  // Clocks go from 02:00 to 03:00 that night, and come back to 02:00 in October.
  assert.equal(await refusal({ start: '2032-03-28T02:30' }), 'schedule.start');
  const twice = await begin({ custom_numbers: numbers(1) }, { start: '2031-10-26T02:30', end: '2031-10-26T03:30' });
  assert.deepEqual([twice.starts_at, twice.ends_at], ['2031-10-26T00:30:00Z', '2031-10-26T02:30:00Z']);
  await change(twice.id, 'stop-scheduled');
});

test('messages unsent at the end time are cancelled and their reserve released', async () => {
  const before = await account();
  const waiting = await begin({ custom_numbers: numbers(3) }, { start: `${DAY}T09:00`, end: `${DAY}T12:00` });
  const running = await begin({ custom_numbers: numbers(4) }, { end: `${DAY}T12:00` });
  const paused = await begin({ custom_numbers: numbers(5) }, { end: `${DAY}T12:00` });
  await change(paused.id, 'pause');
  clock.pass(240);
  await stage.look();
  assert.deepEqual(await Promise.all([waiting, running, paused].map(({ id }) => stateOf(id))), [
    'stopped',
    'completed',
    'completed',
  ]);
  assert.deepEqual(await account(), before);
  assert.deepEqual(await contradictions(), []);
  const late = await create(await stage.quote({ custom_numbers: numbers(1) }), 'boss', {
    schedule: { end: `${DAY}T12:30` },
  });
  clock.pass(40);
  await stage.prepare(late.body.data.id);
  const { state, error_code } = await campaignOf(late.body.data.id);
  assert.deepEqual([state, error_code], ['rejected', 'schedule_over']);
});

test('a canary goes first; the rest follows if it succeeds, otherwise a person decides', async () => {
  const canary = { percent: 10, watch_minutes: 15, max_failed_percent: 20, max_opt_out_percent: 10 };
  const count = (id: number, set: object) =>
    owner.updateTable('campaign_counter').set(set).where('campaign_id', '=', id).execute();
  const good = await begin({ custom_numbers: numbers(30) }, { canary });
  const chunk = (state: string, size: number, after_canary: boolean) => ({
    state,
    size,
    after_canary,
    quiet_zone: null,
  });
  assert.deepEqual(await chunksOf(good.id), [chunk('open', 3, false), chunk('held', 27, true)]);
  const bad = await begin({ custom_numbers: numbers(30) }, { canary });
  const unwanted = await begin({ custom_numbers: numbers(30) }, { canary });
  const all = [good, bad, unwanted];
  for (const { id } of all) await count(id, { processed: 3, delivered: 2 });
  await stage.look();
  for (const { id } of all) assert.equal((await campaignOf(id)).canary_state, 'watching');
  await count(bad.id, { failed: 1 });
  await stage.look();
  assert.deepEqual([await stateOf(bad.id), (await campaignOf(bad.id)).pause_reason], ['paused', 'canary']);
  clock.pass(14);
  await stage.look();
  assert.equal((await campaignOf(good.id)).canary_state, 'watching');
  clock.pass(1);
  await stage.look();
  assert.deepEqual([await stateOf(good.id), (await campaignOf(good.id)).canary_state], ['running', 'passed']);
  assert.ok((await chunksOf(good.id)).every(({ state }) => state === 'open'));
  assert.equal((await change(bad.id, 'resume')).body.data.canary_state, 'passed');
  assert.ok((await chunksOf(bad.id)).every(({ state }) => state === 'open'));

  const left = await begin({ custom_numbers: numbers(30) }, { canary });
  await count(left.id, { processed: 3 });
  await stage.look();
  const opted_out_at = clock.now().toISOString();
  await owner
    .insertInto('opt_out')
    .values({ corporation_id: tenant.corporation_id, number: msisdn(1), source: 'message', opted_out_at })
    .execute();
  clock.pass(15);
  await stage.look();
  assert.deepEqual([await stateOf(left.id), (await campaignOf(left.id)).canary_state], ['paused', 'failed']);
  await owner.deleteFrom('opt_out').execute();
});

test('a repeating campaign creates each occurrence once, with its own quote', async () => {
  await zone('Europe/Berlin');
  clock.put('2031-10-24T06:00:00Z');
  const first = await begin(
    { custom_numbers: numbers(2) },
    { start: '2031-10-24T09:00', end: '2031-10-24T18:00', repeat: { every: 'daily', until: '2031-10-27' } },
  );
  const occurrences = () =>
    owner
      .selectFrom('campaign')
      .select(['id', 'occurrence', 'state', 'starts_at', 'ends_at', 'quote_id', 'error_code'])
      .where('series_id', '=', first.series_id)
      .orderBy('occurrence')
      .execute();
  const cycle = async () => {
    await Promise.all([stage.look(), stage.look()]);
    for (const { id } of await owner.selectFrom('quote').select('id').where('state', '=', 'counting').execute())
      await stage.count(id);
    await Promise.all([stage.look(), stage.look()]);
    for (const { id, state } of await occurrences()) if (state === 'preparing') await stage.prepare(id);
    await stage.look();
  };
  type Calendar = { data: { campaign_id: number | null; starts_at: string }[] };
  const calendar = await stage.call<Calendar>(
    'boss',
    'GET',
    '/api/v1/schedule-campaigns/calendar?from=2031-10-24T00:00:00Z&to=2031-10-30T00:00:00Z',
  );
  // The local time of day stays the same; in UTC it is an hour later once clocks go back.
  const starts = ['2031-10-24T07', '2031-10-25T07', '2031-10-26T08', '2031-10-27T08'].map((at) => `${at}:00:00Z`);
  assert.deepEqual(
    calendar.body.data.map(({ starts_at }) => starts_at.replace('.000', '')),
    starts,
  );
  const before = await account();
  for (const at of ['2031-10-25T06:55:00Z', '2031-10-26T07:55:00Z']) {
    clock.put(at);
    await cycle();
  }
  assert.deepEqual(
    (await occurrences()).map(({ occurrence, state, starts_at }) => [occurrence, state, starts_at]),
    [
      [1, 'stopped', starts[0]],
      [2, 'stopped', starts[1]],
      [3, 'scheduled', starts[2]],
    ],
  );
  assert.equal(before.credit_balance - (await account()).credit_balance, 0);
  // The account is suspended on the last day: the occurrence fails with its reason, and the series ends.
  await cast.setAccount({ suspended: true });
  clock.put('2031-10-27T07:55:00Z');
  await cycle();
  await cycle();
  await cast.setAccount({ suspended: false });
  const last = (await occurrences()).at(-1)!;
  assert.deepEqual([last.occurrence, last.state, last.error_code], [4, 'failed', 'billing_account_suspended']);
  const series = await owner.selectFrom('campaign_series').select('state').executeTakeFirstOrThrow();
  assert.equal(series.state, 'ended');
});

test('a new time keeps the messages of a scheduled campaign; quiet hours rewrite them', async () => {
  const { id } = await begin({ custom_numbers: numbers(4) }, { start: `${DAY}T10:00` });
  const ids = async () => (await owner.selectFrom('chunk').select('id').where('campaign_id', '=', id).execute())[0]?.id;
  const chunk = await ids();
  const { credit_balance } = await account();
  const moved = await change(id, 'reschedule', 'boss', { start: '2031-05-07T10:00', end: null, note: 'Holiday' });
  assert.deepEqual([moved.body.data.state, moved.body.data.starts_at], ['scheduled', '2031-05-07T02:00:00Z']);
  assert.equal(await ids(), chunk);
  const { fingerprint } = await campaignOf(id);
  const edited = await stage.call<{ data: { state: string } }>('boss', 'PATCH', `/api/v1/campaigns/${id}`, {
    fingerprint,
    schedule: { start: '2031-05-07T10:00', quiet: { from: '20:00', to: '07:00' } },
  });
  assert.equal(edited.body.data.state, 'preparing');
  await stage.prepare(id);
  assert.equal(await stateOf(id), 'scheduled');
  assert.notEqual(await ids(), chunk);
  assert.equal((await chunksOf(id)).length, 1);
  assert.equal((await account()).credit_balance, credit_balance);
  assert.deepEqual(await contradictions(), []);
  await change(id, 'stop-scheduled');
  assert.deepEqual(await contradictions(), []);
});
