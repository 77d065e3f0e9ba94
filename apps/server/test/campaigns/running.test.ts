import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CAMPAIGN_STATES, type CampaignState, mayBecome } from '@heliograph/contract/kernel/states';
import { until } from '@heliograph/fault-kit';
import { abilitiesOf } from '../../src/modules/campaigns/campaign-rows.ts';
import { endLostCampaigns } from '../../src/modules/campaigns/end-lost-campaigns.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { partitionsMade } from '../../src/platform/database/partitions.ts';
import { makeList } from '../contacts/tenant.ts';
import { makeCast, msisdn, numbers, type Row } from './cast.ts';
import { PRICE, type Quote } from './stage.ts';

const cast = await makeCast({ after });
const { stage, create, campaignOf, account, setAccount, campaigns, messagesOf, change } = cast;
const { owner, tenant, callers } = stage;

beforeEach(() => setAccount({ suspended: false, enabled: true, cost_warning_limit: null, credit_limit: 0 }));

const workerSessions = async () => {
  const { rows } = await stage.home.pool('owner').query(`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'heliograph worker'`);
  return rows.length;
};

async function running(count = 5): Promise<number> {
  const { body } = await create(await stage.quote({ custom_numbers: numbers(count) }));
  await stage.prepare(body.data.id);
  {
    const row = await campaignOf(body.data.id);
    assert.deepEqual([row.state, row.error_code], ['running', null]);
  }
  return body.data.id;
}

test('a quote becomes a running campaign with reserved credit and an expiry', async () => {
  const before = await account();
  const quote = await stage.quote({ custom_numbers: numbers(1_500), sms_validity: 3 });
  const { status, body } = await create(quote);
  assert.deepEqual([status, body.data.state, body.data.estimated_cost], [201, 'preparing', quote.cost]);
  const after = await account();
  assert.equal(before.credit_balance - after.credit_balance, 1_500 * PRICE);
  assert.equal(after.reserved - before.reserved, 1_500 * PRICE);
  await stage.prepare(body.data.id);
  await stage.prepare(body.data.id);
  const campaign = await campaignOf(body.data.id);
  assert.equal(campaign.state, 'running');
  assert.equal(Date.parse(campaign.expires_at!) - Date.parse(campaign.started_at!), 3 * 3_600_000);
  assert.equal(await messagesOf(campaign.id), 1_500);
  const chunks = await owner
    .selectFrom('chunk')
    .select(['size', 'common_text', 'class', 'sender_id', 'user_id', 'department_id'])
    .where('campaign_id', '=', campaign.id)
    .orderBy('id')
    .execute();
  const shared = {
    common_text: 'Hello',
    class: 'bulk',
    sender_id: 'LAMPS',
    user_id: tenant.user_id,
    department_id: tenant.department_id,
  };
  assert.deepEqual(chunks, [
    { size: 1_000, ...shared },
    { size: 500, ...shared },
  ]);
  const page = await stage.call<{ data: Row & { timeline: { to_state: string }[] } }>(
    'boss',
    'GET',
    `/api/v1/campaigns/${campaign.id}`,
  );
  assert.deepEqual(
    page.body.data.timeline.map(({ to_state }) => to_state),
    ['preparing', 'running'],
  );
});

test('a quote creates one campaign, even if it is sent three times', async () => {
  const quote = await stage.quote({ custom_numbers: numbers(3) });
  const answers = await Promise.all([create(quote), create(quote), create(quote)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'changed_meanwhile'));
});

test('too little credit or a suspended account refuses, and leaves nothing behind', async () => {
  const quote = await stage.quote({ custom_numbers: numbers(10) });
  const before = [await account(), await campaigns()];
  const { credit_balance } = await account();
  await setAccount({ credit_balance: 10 * PRICE - 1 });
  const poor = await stage.call<{ data: Quote }>('boss', 'GET', `/api/v1/campaigns/quotes/${quote.id}`);
  assert.equal(poor.body.data.refusal, 'insufficient_credit');
  assert.deepEqual((await create(quote)).body.code, 'insufficient_credit');
  await setAccount({ credit_balance, suspended: true });
  const held = await stage.call<{ data: Quote }>('boss', 'GET', `/api/v1/campaigns/quotes/${quote.id}`);
  assert.equal(held.body.data.refusal, 'billing_account_suspended');
  assert.deepEqual((await create(quote)).body.code, 'billing_account_suspended');
  assert.deepEqual([await account(), await campaigns()], before);
  await setAccount({ suspended: false });
  assert.equal((await create(quote)).status, 201);
});

test('a cost above the warning limit needs its exact confirmation', async () => {
  await setAccount({ cost_warning_limit: 4 * PRICE });
  const quote = await stage.quote({ custom_numbers: numbers(5) });
  assert.equal(quote.cost_warning, true);
  assert.equal((await create(quote)).body.code, 'cost_not_confirmed');
  assert.equal((await create(quote, 'boss', { confirmed_cost: '1.749' })).body.code, 'cost_not_confirmed');
  assert.equal((await create(quote, 'boss', { confirmed_cost: quote.cost })).status, 201);
});

test('an audience that changed after the quote is rejected with its reserve released', async () => {
  const list = await makeList(owner, tenant, 'Changing');
  const row = (i: number) => ({ number_list_id: list, number: msisdn(i) });
  await owner
    .insertInto('number_list_number')
    .values([row(1), row(2)])
    .execute();
  for (const meddle of [
    () => owner.insertInto('number_list_number').values(row(3)).execute(),
    () =>
      owner
        .insertInto('blacklist_number')
        .values({ corporation_id: tenant.corporation_id, number: msisdn(1) })
        .execute(),
    () => owner.deleteFrom('number_list').where('id', '=', list).execute(),
  ]) {
    const before = await account();
    const quote = await stage.quote({ list_ids: [list] });
    const { body } = await create(quote);
    await meddle();
    await stage.prepare(body.data.id);
    const { state, error_code, finished_at } = await campaignOf(body.data.id);
    assert.deepEqual([state, error_code], ['rejected', 'audience_changed']);
    assert.ok(finished_at);
    assert.deepEqual(await account(), before);
    assert.equal(await messagesOf(body.data.id), 0);
  }
  await owner.deleteFrom('blacklist_number').execute();
});

test('a worker that dies leaves all messages or none, and a retry writes each once', async () => {
  const quote = await stage.quote({
    custom_numbers: numbers(10_000),
    content: 'Hi {name}{param1}',
    defaults: { name: 'you', param1: '!' },
  });
  const { body } = await create(quote);
  const { id } = body.data;
  for (const delay of [5, 30, 80, 140, 250]) {
    const attempt = stage.prepare(id).then(
      () => 'ended',
      () => 'cut',
    );
    await sleep(delay);
    await stage.home.pool('owner').query(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'heliograph worker'`);
    const how = await attempt;
    // Idle sessions of the pool end too; the pool notices a moment later.
    const pool = stage.home.pool('worker');
    await until('the pool has noticed', async () => pool.totalCount === (await workerSessions()));
    if (how === 'ended') break;
    // A session cut after its commit has done all of its work; one cut earlier has done nothing.
    if ((await campaignOf(id)).state === 'running') break;
    assert.equal(await messagesOf(id), 0);
    assert.equal((await campaignOf(id)).state, 'preparing');
  }
  await Promise.all([stage.prepare(id), stage.prepare(id)]);
  assert.equal((await campaignOf(id)).state, 'running');
  assert.equal(await messagesOf(id), 10_000);
});

test('a worker that must stop during its writes leaves no message behind', async () => {
  const quote = await stage.quote({
    custom_numbers: numbers(10_000),
    content: 'Hi {name}{param1}',
    defaults: { name: 'you', param1: '!' },
  });
  const { id } = (await create(quote)).body.data;
  const blocker = await stage.home.pool('owner').connect();
  await blocker.query('BEGIN; LOCK TABLE chunk IN SHARE MODE');
  const stopping = new AbortController();
  const attempt = assert.rejects(stage.prepare(id, stopping.signal));
  const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND application_name = 'heliograph worker'`;
  await until('the worker waits', async () => (await blocker.query(waits)).rows.length > 0);
  // After this delay, the next chunk reads the routes again before it is written, so it takes two steps.
  await sleep(1_100);
  stopping.abort();
  await blocker.query('ROLLBACK');
  blocker.release();
  await attempt;
  await sleep(200);
  assert.equal(await messagesOf(id), 0);
  await stage.prepare(id);
  assert.equal(await messagesOf(id), 10_000);
});

test('a campaign without a job fails with its reserve released; one with a job waits', async () => {
  const [waits, lost] = await Promise.all([1, 2].map(async (count) => stage.quote({ custom_numbers: numbers(count) })));
  const waiting = (await create(waits!)).body.data.id;
  const before = await account();
  const { id } = (await create(lost!)).body.data;
  const asked = { sender_id: tenant.sender_id, content: 'Hello', custom_numbers: numbers(3) };
  const quote = (await stage.call<{ data: Quote }>('boss', 'POST', '/api/v1/campaigns/quotes', asked)).body.data.id;
  await stage.home.pool('owner').query(
    `UPDATE jobs.job SET state = 'failed', completed_on = now() WHERE (data ->> 'campaign_id')::bigint = $1
       OR (data ->> 'quote_id')::bigint = $2`,
    [id, quote],
  );
  await endLostCampaigns({ database: stage.home.db('worker'), clock: systemClock });
  const { state, error_code } = await campaignOf(id);
  assert.deepEqual([state, error_code], ['failed', 'campaign_prepare_failed']);
  assert.deepEqual(await account(), before);
  const read = await stage.call<{ data: Quote }>('boss', 'GET', `/api/v1/campaigns/quotes/${quote}`);
  assert.equal(read.body.data.state, 'failed');
  assert.equal((await campaignOf(waiting)).state, 'preparing');
  // A worker that was only frozen writes nothing when it continues.
  await stage.prepare(id);
  assert.equal(await messagesOf(id), 0);
});

test('a stop during preparation releases everything, and writes no message', async () => {
  const before = await account();
  const { body } = await create(await stage.quote({ custom_numbers: numbers(2_000) }));
  const [stopped] = await Promise.all([change(body.data.id, 'stop'), stage.prepare(body.data.id)]);
  assert.equal(stopped.status, 200);
  const { state } = await campaignOf(body.data.id);
  assert.equal(state, 'stopped');
  assert.deepEqual(await account(), before);
  const waiting = await owner
    .selectFrom('chunk')
    .select('id')
    .where('campaign_id', '=', body.data.id)
    .where('state', '=', 'open')
    .execute();
  assert.equal(waiting.length, 0);
});

test('pause, resume and stop work only from their states; a stop releases the rest', async () => {
  const before = await account();
  const id = await running(7);
  assert.equal((await change(id, 'resume')).body.code, 'invalid_transition');
  assert.equal((await change(id, 'pause')).body.data.state, 'paused');
  assert.equal((await change(id, 'pause')).body.code, 'invalid_transition');
  assert.equal((await change(id, 'resume')).body.data.state, 'running');
  const stopped = await change(id, 'stop');
  assert.deepEqual([stopped.body.data.state, stopped.body.data.cancelled], ['stopped', 7]);
  assert.deepEqual(await account(), before);
  for (const action of ['stop', 'pause', 'resume', 'discard']) {
    assert.equal((await change(id, action)).body.code, 'invalid_transition', action);
  }
  const { timeline } = (
    await stage.call<{ data: { timeline: { from_state: string; to_state: string; user_name: string | null }[] } }>(
      'boss',
      'GET',
      `/api/v1/campaigns/${id}`,
    )
  ).body.data;
  assert.deepEqual(
    timeline.map(({ from_state, to_state }) => `${from_state}→${to_state}`),
    ['null→preparing', 'preparing→running', 'running→paused', 'paused→running', 'running→stopped'],
  );
});

test('the actions offered on a campaign follow the table of transitions', () => {
  const boss = callers.get('boss')!;
  const reader = callers.get('reader')!;
  for (const state of CAMPAIGN_STATES) {
    const fresh = { asked_by: null, pause_reason: null, series_id: null, schedule: {}, starts_at: null };
    const of = (created_by: number) => ({ state, created_by, ...fresh });
    const theirs = abilitiesOf(of(-1), boss);
    const may = (to: CampaignState) => mayBecome(state, to);
    assert.equal(theirs.stop, state !== 'pending' && state !== 'scheduled' && may('stopped'), state);
    assert.equal(theirs.pause, may('paused'));
    assert.equal(theirs.resume, state === 'paused');
    assert.equal(theirs.approve, state === 'pending');
    assert.equal(theirs.discard, state === 'pending');
    assert.equal(theirs.edit, state === 'pending' || state === 'scheduled');
    assert.deepEqual([theirs.unschedule, theirs.reschedule], [state === 'scheduled', state === 'scheduled']);
    assert.equal(theirs.cancel, false);
    assert.equal(abilitiesOf(of(boss.user_id), boss).cancel, state === 'pending');
    assert.equal(abilitiesOf(of(boss.user_id), boss).approve, false);
    assert.ok(Object.values(abilitiesOf(of(-1), reader)).every((can) => !can));
  }
});

test('a campaign is written even if the partitions of the day were missing', async () => {
  const quote = await stage.quote({ custom_numbers: numbers(4) });
  const { id } = (await create(quote)).body.data;
  await stage.home.pool('owner').query(`DO $$ DECLARE t regclass; BEGIN
    FOR t IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'message'::regclass
      AND right(inhrelid::regclass::text, 8) >= to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
    LOOP EXECUTE format('DROP TABLE %s', t); END LOOP; END $$`);
  // The job is retried, and by then the partitions exist.
  await assert.rejects(stage.prepare(id), /no partition of relation/);
  await partitionsMade();
  await stage.prepare(id);
  assert.equal((await campaignOf(id)).state, 'running');
});
