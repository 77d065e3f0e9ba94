import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { numbers } from './cast.ts';
import { DAY, scheduleStage } from './schedule-stage.ts';
import { callerOf, PRICE } from './stage.ts';

const { stage, blackout, chunksOf, refusal, stateOf, ...cast } = await scheduleStage({ after });
const { campaignOf, account, contradictions, create, change, begin } = cast;
const { owner, tenant, callers, clock } = stage;

test('no campaign begins in a blackout time, unless a person with the right starts it', async () => {
  await blackout('21:00', '09:00');
  const { body } = await create(await stage.quote({ custom_numbers: numbers(1) }));
  assert.deepEqual(
    [body.code, (body as unknown as { message: string }).message],
    ['blackout_time', 'Sorry, you are not authorized to run schedule campaigns during this time period.'],
  );
  const quoted = await stage.call<{ data: { blackout_until: string | null } }>(
    'boss',
    'GET',
    `/api/v1/campaigns/quotes/${(await stage.quote({ custom_numbers: numbers(1) })).id}`,
  );
  assert.equal(quoted.body.data.blackout_until, `${DAY}T01:00:00.000Z`, 'told before it is sent');
  assert.equal(await refusal({ start: `${DAY}T21:00` }), 'blackout_time');
  assert.equal(await refusal({ start: '2031-05-06T08:59' }), 'blackout_time');
  callers.set('skipper', callerOf(tenant, 'department_admin', { skip_blackout: true }));
  const lifted = await begin({ custom_numbers: numbers(1) }, {}, 'skipper');
  await stage.look();
  assert.equal(await stateOf(lifted.id), 'running');
  const fine = await begin({ custom_numbers: numbers(1) }, { start: `${DAY}T09:00` });
  assert.equal(fine.state, 'scheduled');
  const moved = await change(fine.id, 'reschedule', 'boss', { start: `${DAY}T22:00`, end: null });
  assert.equal(moved.body.code, 'blackout_time');
  await change(fine.id, 'stop-scheduled');
});

test('a running campaign pauses for a blackout time and resumes on its own', async () => {
  await blackout('12:00', '14:00');
  const { id } = await begin({ custom_numbers: numbers(3), sms_validity: 5 });
  const byHand = await begin({ custom_numbers: numbers(3) });
  await change(byHand.id, 'pause');
  clock.pass(4 * 60);
  await Promise.all([stage.look(), stage.look()]);
  const paused = await campaignOf(id);
  assert.deepEqual(
    [paused.state, paused.pause_reason, paused.resumes_at, paused.expires_at],
    ['paused', 'blackout', `${DAY}T06:00:00Z`, `${DAY}T07:00:00Z`],
  );
  assert.equal((await change(id, 'resume')).body.code, 'blackout_time');
  clock.pass(120);
  await Promise.all([stage.look(), stage.look()]);
  const resumed = await campaignOf(id);
  assert.deepEqual([resumed.state, resumed.pause_reason, resumed.resumes_at], ['running', null, null]);
  assert.equal(resumed.expires_at, `${DAY}T07:00:00Z`);
  assert.equal(await stateOf(byHand.id), 'paused');
  const page = await stage.call<{ data: { timeline: { reason: string | null }[] } }>(
    'boss',
    'GET',
    `/api/v1/campaigns/${id}`,
  );
  assert.deepEqual(
    page.body.data.timeline.slice(-2).map(({ reason }) => reason),
    ['blackout', 'blackout_over'],
  );
});

test('campaigns of a disabled department pause, and resume when it is enabled', async () => {
  const running = await begin({ custom_numbers: numbers(2), sms_validity: 5 });
  const waiting = await begin({ custom_numbers: numbers(2) }, { start: `${DAY}T09:00` });
  const switchTo = (enabled: boolean) =>
    owner.updateTable('department').set({ enabled }).where('id', '=', tenant.department_id).execute();
  await switchTo(false);
  clock.pass(60);
  await Promise.all([stage.look(), stage.look()]);
  for (const { id } of [running, waiting]) {
    const { state, pause_reason } = await campaignOf(id);
    assert.deepEqual([state, pause_reason], ['paused', 'switched_off']);
    assert.equal((await change(id, 'resume')).body.code, 'switched_off');
  }
  await change(waiting.id, 'stop');
  await switchTo(true);
  await stage.look();
  const resumed = await campaignOf(running.id);
  assert.deepEqual([resumed.state, resumed.pause_reason, resumed.expires_at], ['running', null, `${DAY}T05:00:00Z`]);
  assert.deepEqual(await contradictions(), []);
});

test('campaigns of an account on hold pause, none begins, and they resume when it ends', async () => {
  const running = await begin({ custom_numbers: numbers(2), sms_validity: 5 });
  const hold = (to: 'none' | 'bulk') =>
    owner.updateTable('billing_account').set({ hold: to }).where('id', '=', tenant.billing_account_id).execute();
  await hold('bulk');
  await Promise.all([stage.look(), stage.look()]);
  const paused = await campaignOf(running.id);
  assert.deepEqual([paused.state, paused.pause_reason], ['paused', 'unpaid']);
  assert.equal((await change(running.id, 'resume')).body.code, 'billing_account_held');
  const before = await account();
  assert.equal((await create(await stage.quote({ custom_numbers: numbers(1) }))).body.code, 'billing_account_held');
  assert.deepEqual(await account(), before, 'nothing is reserved');
  await hold('none');
  await stage.look();
  assert.deepEqual(
    [(await campaignOf(running.id)).state, (await campaignOf(running.id)).pause_reason],
    ['running', null],
  );
  assert.deepEqual(await contradictions(), []);
});

test('a repetition of a disabled department makes no campaign', async () => {
  const start = `${DAY}T11:00`;
  const { id } = await begin(
    { custom_numbers: numbers(1) },
    { start, repeat: { every: 'daily', until: '2031-05-08' } },
  );
  const { series_id } = await campaignOf(id);
  await change(id, 'stop-scheduled');
  await owner.updateTable('department').set({ enabled: false }).where('id', '=', tenant.department_id).execute();
  // The second campaign is due now.
  await owner
    .updateTable('campaign_series')
    .set({ next_at: clock.now().toISOString() })
    .where('id', '=', series_id)
    .execute();
  for (let looks = 0; looks < 3; looks++) await stage.look();
  const made = owner.selectFrom('campaign').select('id').where('series_id', '=', series_id);
  assert.deepEqual(await made.execute(), [{ id }]);
  const series = await owner.selectFrom('campaign_series').selectAll().where('id', '=', series_id).executeTakeFirst();
  assert.deepEqual([series?.state, series?.next_quote_id, series?.next_occurrence], ['active', null, 3]);
  await owner.updateTable('department').set({ enabled: true }).where('id', '=', tenant.department_id).execute();
  await owner
    .updateTable('campaign_series')
    .set({ state: 'ended', next_at: null })
    .where('id', '=', series_id)
    .execute();
});

test('a new or removed blackout time applies immediately to scheduled campaigns', async () => {
  const { id } = await begin({ custom_numbers: numbers(1) }, { start: `${DAY}T10:00` });
  await blackout('09:30', '11:00');
  clock.pass(120);
  await stage.look();
  assert.deepEqual([await stateOf(id), (await campaignOf(id)).pause_reason], ['paused', 'blackout']);
  await owner.updateTable('blackout_time').set({ enabled: false }).execute();
  await stage.look();
  assert.equal(await stateOf(id), 'running');
});

test('messages are held during quiet hours in the time zone of each number', async () => {
  const abroad = '4915112345678'; // Berlin, six hours behind
  await owner
    .insertInto('global_configuration')
    .values({ key: 'number_start_with_any_msisdn', name: 'Any', value: 'true', description: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'true' }))
    .execute();
  const { id } = await begin(
    { custom_numbers: `${numbers(3)},${abroad}`, sms_validity: 2 },
    { quiet: { from: '21:00', to: '08:00' } },
  );
  type Page = { data: { releases: { zone: string; messages: number; release_at: string | null }[] } };
  const page = async () => (await stage.call<Page>('boss', 'GET', `/api/v1/campaigns/${id}`)).body.data.releases;
  const chunk = (state: string, size: number, quiet_zone: string) => ({ state, size, quiet_zone, after_canary: false });
  assert.deepEqual(await chunksOf(id), [chunk('open', 3, 'Asia/Manila'), chunk('held', 1, 'Europe/Berlin')]);
  assert.deepEqual(await page(), [
    { zone: 'Asia/Manila', messages: 3, release_at: null },
    { zone: 'Europe/Berlin', messages: 1, release_at: `${DAY}T06:00:00.000Z` },
  ]);
  clock.pass(359);
  await stage.look();
  assert.equal((await chunksOf(id))[1]?.state, 'held');
  clock.pass(1);
  await stage.look();
  assert.equal((await chunksOf(id))[1]?.state, 'open');
  const { expires_at } = await owner
    .selectFrom('chunk')
    .select('expires_at')
    .where('campaign_id', '=', id)
    .where('quiet_zone', '=', 'Europe/Berlin')
    .executeTakeFirstOrThrow();
  assert.equal(expires_at, `${DAY}T08:00:00Z`);
  // Quiet hours begin in Manila.
  clock.pass(7 * 60);
  await stage.look();
  assert.deepEqual(
    (await chunksOf(id)).map(({ state }) => state),
    ['held', 'open'],
  );
  const before = await account();
  await change(id, 'stop');
  assert.equal((await account()).credit_balance - before.credit_balance, 4 * PRICE);
  assert.deepEqual(await contradictions(), []);
});

test('a campaign starts paused while its sender ID may not be used', async () => {
  const setState = (state: string) =>
    owner.updateTable('sender_id').set({ state }).where('id', '=', tenant.sender_id).execute();
  const scheduled = await begin({ custom_numbers: numbers(2) }, { start: `${DAY}T09:00` });
  const quote = await stage.quote({ custom_numbers: numbers(2) });
  await setState('suspended');
  const late = (await create(quote)).body.data.id;
  await stage.prepare(late);
  const { state, error_code } = await campaignOf(late);
  assert.deepEqual([state, error_code], ['rejected', 'sender_not_allowed']);
  clock.pass(61);
  await stage.look();
  const paused = await campaignOf(scheduled.id);
  assert.deepEqual([paused.state, paused.pause_reason], ['paused', 'sender']);
  assert.equal((await change(scheduled.id, 'resume')).body.code, 'sender_out_of_use');
  await setState('approved');
  assert.equal((await change(scheduled.id, 'resume')).status, 200);
  assert.equal(await stateOf(scheduled.id), 'running');
  assert.deepEqual(await contradictions(), []);
});
