import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { textSupervisor } from '../../src/modules/campaigns/tell-people.ts';
import { type Answer, makeCast, msisdn, numbers } from './cast.ts';
import { callerOf, PRICE } from './stage.ts';

const cast = await makeCast({ after });
const { stage, stranger, asker, messagesOf, contradictions, create, campaignOf, account, setAccount, change, approve } =
  cast;
const { owner, tenant, callers } = stage;

const edit = async (id: number, token: string, body: object, fingerprint?: string | null) =>
  stage.call<Answer>(token, 'PATCH', `/api/v1/campaigns/${id}`, {
    fingerprint: fingerprint ?? (await campaignOf(id)).fingerprint,
    ...body,
  });

beforeEach(() => setAccount({ suspended: false, enabled: true, cost_warning_limit: null, credit_limit: 0 }));

test('a person who may not run asks a supervisor, and the approval reserves the credit', async () => {
  const quote = await stage.quote({ custom_numbers: numbers(4) }, 'asker');
  assert.deepEqual([quote.needs_approval, quote.refusal], [true, 'supervisor_required']);
  assert.equal((await create(quote, 'asker')).body.code, 'supervisor_required');
  await owner.insertInto('user_supervisor').values({ user_id: asker.user_id, supervisor_id: tenant.user_id }).execute();
  const before = await account();
  const asked = await create(quote, 'asker');
  assert.deepEqual([asked.status, asked.body.data.state], [201, 'pending']);
  const { id } = asked.body.data;
  assert.deepEqual(await account(), before);
  const count = await stage.call<{ count: number }>('boss', 'GET', '/api/v1/pending-approval-notify');
  assert.equal(count.body.count, 1);
  assert.equal(
    (await stage.call<{ count: number }>('stranger', 'GET', '/api/v1/pending-approval-notify')).body.count,
    0,
  );
  callers.set('self', callerOf(tenant, 'department_admin', { user_id: asker.user_id }));
  assert.equal((await approve(id, 'self')).status, 403);
  assert.equal((await approve(id, 'asker')).status, 403);
  assert.equal((await change(id, 'stop')).body.code, 'invalid_transition');
  await setAccount({ credit_balance: 0 });
  assert.equal((await approve(id)).body.code, 'insufficient_credit');
  await setAccount({ credit_balance: before.credit_balance });
  assert.equal((await campaignOf(id)).state, 'pending');
  assert.equal((await approve(id)).body.data.state, 'preparing');
  await stage.prepare(id);
  assert.equal((await campaignOf(id)).state, 'running');
  assert.equal(before.credit_balance - (await account()).credit_balance, 4 * PRICE);

  const second = await create(await stage.quote({ custom_numbers: numbers(2) }, 'asker'), 'asker');
  assert.equal((await change(second.body.data.id, 'discard')).body.data.state, 'discarded');
});

test('an edit after the approver looked, or after the approval, voids the approval', async () => {
  const { id } = (await create(await stage.quote({ custom_numbers: numbers(3) }, 'asker'), 'asker')).body.data;
  const seen = await campaignOf(id);
  const other = await stage.quote({ custom_numbers: numbers(3), content: 'Hello again' }, 'asker');
  const edited = await edit(id, 'asker', { quote_id: other.id });
  assert.deepEqual([edited.status, edited.body.data.state, edited.body.data.content], [200, 'pending', 'Hello again']);
  const late = await approve(id, 'boss', { fingerprint: seen.fingerprint });
  assert.equal(late.body.code, 'changed_meanwhile');
  assert.equal((await edit(id, 'asker', { name: 'Sale of lamps' }, seen.fingerprint)).body.code, 'changed_meanwhile');
  // The name is not part of what is sent, so the fingerprint stays.
  const { fingerprint } = await campaignOf(id);
  assert.equal((await edit(id, 'asker', { name: 'Sale of lamps' })).body.data.fingerprint, fingerprint);
  assert.equal((await approve(id)).body.data.state, 'preparing');
  // An edit of the row itself, past the API, makes the preparation reject the campaign.
  await owner.updateTable('campaign').set({ sender_id: 'OTHER' }).where('id', '=', id).execute();
  const before = await account();
  await stage.prepare(id);
  const { state, error_code } = await campaignOf(id);
  assert.deepEqual([state, error_code], ['rejected', 'changed_meanwhile']);
  assert.equal((await account()).credit_balance - before.credit_balance, 3 * PRICE);
});

test('an editor cannot approve their own edit, and a new time needs a new approval', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const start = { start: `${inDays(30)}T10:00` };
  const asked = await create(await stage.quote({ custom_numbers: numbers(2) }, 'asker'), 'asker', { schedule: start });
  const { id } = asked.body.data;
  await edit(id, 'boss', { schedule: { start: `${inDays(30)}T11:00` } });
  assert.equal((await approve(id)).status, 403);
  callers.set('second', callerOf(tenant, 'department_admin', { user_id: stranger.user_id }));
  assert.equal((await approve(id, 'second')).body.data.state, 'preparing');
  await stage.prepare(id);
  const { credit_balance } = await account();
  const scheduled = await campaignOf(id);
  assert.deepEqual([scheduled.state, scheduled.approved_by], ['scheduled', stranger.user_id]);
  const later = inDays(60);
  const moved = await change(id, 'reschedule', 'asker', { start: `${later}T10:00`, end: null });
  assert.deepEqual([moved.body.data.state, moved.body.data.approved_at], ['pending', null]);
  assert.equal((await account()).credit_balance - credit_balance, 2 * PRICE);
  await stage.prepare(id);
  assert.equal(await messagesOf(id), 0);
  assert.equal((await approve(id)).body.data.state, 'preparing');
  await stage.prepare(id);
  const after = await campaignOf(id);
  assert.deepEqual([after.state, after.starts_at], ['scheduled', `${later}T02:00:00Z`]);
  assert.equal(await messagesOf(id), 2);
  assert.equal((await account()).credit_balance, credit_balance);
  const counter = await owner.selectFrom('campaign_counter').selectAll().where('campaign_id', '=', id).execute();
  assert.deepEqual([counter[0]?.processed, counter[0]?.released], [0, 2 * PRICE]);
  assert.deepEqual(await contradictions(), []);
  assert.equal((await change(id, 'stop-scheduled')).body.data.state, 'stopped');
  assert.deepEqual(await contradictions(), []);
});

test('only the asker takes a request back, and a refusal ends it with its note', async () => {
  const ask = async () => (await create(await stage.quote({ custom_numbers: numbers(1) }, 'asker'), 'asker')).body.data;
  const first = await ask();
  assert.deepEqual([first.abilities.cancel, first.abilities.approve], [true, false]);
  assert.equal((await change(first.id, 'cancel')).status, 403);
  assert.equal((await change(first.id, 'cancel', 'asker')).body.data.state, 'stopped');
  const second = await ask();
  assert.equal((await change(second.id, 'discard', 'boss', { note: 'Too late' })).body.data.state, 'discarded');
  const page = await stage.call<{ data: { timeline: { note: string | null }[] } }>(
    'asker',
    'GET',
    `/api/v1/campaigns/${second.id}`,
  );
  assert.equal(page.body.data.timeline.at(-1)?.note, 'Too late');
});

test('the asker of an open request reminds the supervisors at most once an hour', async () => {
  const { id, abilities } = (await create(await stage.quote({ custom_numbers: numbers(1) }, 'asker'), 'asker')).body
    .data;
  assert.equal(abilities.remind, true);
  assert.equal((await change(id, 'remind')).status, 403);
  const reminded = await change(id, 'remind', 'asker', { note: 'The sale starts at six' });
  assert.deepEqual([reminded.status, reminded.body.data.state], [200, 'pending']);
  const { rows } = await sql<{ to_state: string; note: string }>`SELECT to_state, note FROM campaign_transition
    WHERE campaign_id = ${id} AND reason = 'reminded' AND told_at IS NULL`.execute(owner);
  assert.deepEqual(rows, [{ to_state: 'pending', note: 'The sale starts at six' }], 'the timeline has it to mail');
  assert.deepEqual(
    [(await change(id, 'remind', 'asker')).status, (await change(id, 'remind', 'asker')).body.code],
    [429, 'reminded_already'],
  );
  await sql`UPDATE campaign_transition SET created_at = created_at - interval '61 minutes'
    WHERE campaign_id = ${id}`.execute(owner);
  assert.equal((await change(id, 'remind', 'asker')).status, 200);
  await change(id, 'discard');
  assert.equal((await change(id, 'remind', 'asker')).body.code, 'invalid_transition');
});

test('one call approves several, each on its own, and each refusal says why', async () => {
  const asked = [];
  for (const count of [1, 2, 3]) {
    asked.push((await create(await stage.quote({ custom_numbers: numbers(count) }, 'asker'), 'asker')).body.data);
  }
  const { credit_balance } = await account();
  await setAccount({ credit_balance: 4 * PRICE });
  const [one, two, three] = asked;
  const { body } = await stage.call<{ data: { id: number; error_code: string | null; message: string | null }[] }>(
    'boss',
    'POST',
    '/api/v1/pending-campaigns/approve',
    {
      campaigns: [
        { id: three!.id, fingerprint: three!.fingerprint },
        { id: one!.id, fingerprint: one!.fingerprint },
        { id: two!.id, fingerprint: 'something else' },
        { id: 999_999_999, fingerprint: '' },
      ],
    },
  );
  assert.deepEqual(
    body.data.map(({ error_code }) => error_code),
    [null, null, 'changed_meanwhile', 'not_found'],
  );
  assert.ok(body.data[2]?.message?.startsWith('Someone else changed this'));
  assert.deepEqual(await Promise.all([one, two, three].map(async (each) => (await campaignOf(each!.id)).state)), [
    'preparing',
    'pending',
    'preparing',
  ]);
  await setAccount({ credit_balance });
});

test('supervisors with a phone get one text per open request, with asker and price', async () => {
  await owner
    .updateTable('user_account')
    .set({ phone: msisdn(77) })
    .where('id', '=', tenant.user_id)
    .execute();
  const { id } = (await create(await stage.quote({ custom_numbers: numbers(4) }, 'asker'), 'asker')).body.data;
  const sent: { msisdn: string; text: string }[] = [];
  const worker = { database: stage.home.db('worker'), config: stage.config, clock: stage.clock };
  const tell = () =>
    textSupervisor(worker, async (_db, text) => void sent.push(text), { campaign_id: id, user_id: tenant.user_id });
  await tell();
  assert.deepEqual(
    sent.map((each) => each.msisdn),
    [msisdn(77)],
  );
  assert.match(sent[0]!.text, /asks you to approve Sale, 4 messages for 1\.400/);
  const waiting = await sql<{ count: number }>`SELECT count(*) AS count FROM jobs.job
    WHERE name = 'text-supervisor' AND (data->>'campaign_id')::bigint = ${id}`.execute(owner);
  assert.equal(waiting.rows[0]?.count, 1);
  await change(id, 'discard');
  await tell();
  assert.equal(sent.length, 1);
});
