import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { chunkOf, releaseSending } from '#modules/delivery';
import { Intake } from '#modules/intake';
import { createLogger } from '#platform/log';
import { expireChunks } from '../../src/modules/delivery/sweeps/expire-chunks.ts';
import { openDueChunks } from '../../src/modules/delivery/sweeps/held-chunks.ts';
import { callerOf, makeStage } from '../campaigns/stage.ts';
import { submission } from '../intake/stage.ts';
import { untilServed } from '../patience.ts';

const stage = await makeStage({ after });
const { owner, tenant } = stage;
const pool = stage.home.pool('owner');
const intake = new Intake(stage.home.pool('intake'), {
  clock: stage.clock,
  log: createLogger({ LOG_LEVEL: 'silent' }, 't'),
});
after(() => intake.close());
stage.callers.set('moderator', callerOf(tenant, 'admin', { scope_level: 1 }));

interface Row {
  id: number;
  campaign_id: number | null;
  samples: string[];
  messages: number;
  state: string;
  reason: string | null;
}

const queue = async (state = 'waiting') =>
  (await stage.call<{ data: Row[] }>('moderator', 'GET', `/api/v1/moderation?state=${state}`)).body.data;
const decide = (body: object, token = 'moderator') =>
  stage.call<{ code?: string; data: { decided: number } }>(token, 'POST', '/api/v1/moderation/decisions', body);
const campaignOf = (id: number) =>
  owner.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

async function send(content: string, schedule?: object, custom_numbers = '639171111111,639171111112'): Promise<number> {
  const quote = await stage.quote({ content, custom_numbers });
  const made = await stage.call<{ data: { id: number } }>('boss', 'POST', '/api/v1/campaigns', {
    quote_id: quote.id,
    name: content,
    ...(schedule && { schedule }),
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await stage.prepare(made.body.data.id);
  return made.body.data.id;
}

test('a held campaign runs only after a moderator approves it', async () => {
  await owner
    .insertInto('moderation_rule')
    .values({ name: 'Prizes', words: ['claim*prize'] })
    .execute();
  assert.equal((await campaignOf(await send('Claim it'))).state, 'running');
  const id = await send('CLAIM your ｐｒｉｚｅ with code 123456 now');
  const held = await campaignOf(id);
  assert.deepEqual([held.state, held.pause_reason], ['paused', 'moderation']);
  const resume = await stage.call<{ code: string }>('boss', 'POST', `/api/v1/campaigns/${id}/resume`, {});
  assert.deepEqual([resume.status, resume.body.code], [409, 'held_for_decision']);
  // The decision is still awaited if something else has paused it meanwhile.
  await owner.updateTable('campaign').set({ pause_reason: 'switched_off' }).where('id', '=', id).execute();
  await stage.look();
  assert.equal((await campaignOf(id)).state, 'paused');
  await owner.updateTable('campaign').set({ pause_reason: 'moderation' }).where('id', '=', id).execute();
  const [row] = await queue();
  assert.deepEqual(
    [row!.campaign_id, row!.messages, row!.samples],
    [id, 2, ['CLAIM your ｐｒｉｚｅ with code •••••• now']],
  );
  assert.equal((await decide({ ids: [row!.id], decision: 'approved' }, 'boss')).status, 403);
  assert.equal((await decide({ ids: [row!.id], decision: 'approved', remember: true })).body.data.decided, 1);
  assert.equal((await campaignOf(id)).state, 'running');
  assert.equal((await decide({ ids: [row!.id], decision: 'rejected', reason: 'No' })).body.data.decided, 0);
  // The decision became a rule.
  assert.equal((await campaignOf(await send('Claim a prize'))).state, 'running');
  await owner.deleteFrom('moderation_rule').where('action', '=', 'pass').execute();
});

test('a rejected campaign is stopped with its reason, and its reserve released', async () => {
  const reserved = async () =>
    (await owner.selectFrom('billing_account').select('reserved').executeTakeFirstOrThrow()).reserved;
  const before = await reserved();
  const id = await send('Claim the prize here');
  const [row] = await queue();
  assert.equal((await decide({ ids: [row!.id], decision: 'rejected' })).status, 422);
  await decide({ ids: [row!.id], decision: 'rejected', reason: 'Lottery' });
  assert.equal((await campaignOf(id)).state, 'stopped');
  const told = await owner
    .selectFrom('campaign_transition')
    .select(['note', 'reason'])
    .where('campaign_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  assert.deepEqual(told, { note: 'Lottery', reason: 'moderation_refused' });
  assert.equal(await reserved(), before);
  // A campaign that its owner stops does not wait any more.
  const own = await send('Claim my prize');
  assert.equal((await queue()).length, 1);
  await stage.call('boss', 'POST', `/api/v1/campaigns/${own}/stop`, {});
  assert.deepEqual(await queue(), []);
  assert.deepEqual(
    (await queue('decided')).slice(0, 2).map((each) => each.state),
    ['withdrawn', 'rejected'],
  );
});

test('a held scheduled campaign starts at its time only if it was approved', async () => {
  stage.clock.put('2031-05-05T04:00:00Z');
  const schedule = { start: '2031-05-05T13:00' };
  const [late, early] = [await send('Claim late prize', schedule), await send('Claim early prize', schedule)];
  const rows = await queue();
  await decide({ ids: [rows.find(({ campaign_id }) => campaign_id === early)!.id], decision: 'approved' });
  stage.clock.put('2031-05-05T05:00:01Z');
  await stage.look();
  assert.deepEqual([(await campaignOf(late)).state, (await campaignOf(early)).state], ['paused', 'running']);
});

test('held messages of programs wait through every clock, and end only as decided', async () => {
  await owner
    .insertInto('moderation_rule')
    .values({ name: 'Loans', words: ['fast loan'], traffic: 'programs' })
    .execute();
  const { corporation_id, user_id, billing_account_id } = tenant;
  const program = {
    ...{ corporation_id, user_id, billing_account_id, department_id: null, api_key_id: 1, smpp_system_id: null },
    ...{ is_test: false, read_national: false },
  };
  const texts = ['A fast loan', 'Fast  LOAN now', 'a fast loaner', 'fast loan three', 'fast loan four'];
  const sent = await intake.acceptMany(
    program,
    texts.map((text, nth) => submission({ from: 'LAMPS', text, to: `6391711111${10 + nth}` })),
  );
  const ids = sent.map((each) => ('id' in each ? each.id : assert.fail(each.code)));
  const states = async () => {
    const { rows } = await pool.query<{ id: number; state: string }>(
      'SELECT m.id, k.state FROM message m JOIN chunk k ON k.id = m.id >> 10',
    );
    const byId = new Map(rows.map(({ id, state }) => [Number(id), state]));
    return ids.map((id) => byId.get(id));
  };
  const held = ['held', 'held', 'open', 'held', 'held'];
  assert.deepEqual(await states(), held);
  await openDueChunks(pool);
  await releaseSending(pool, true);
  assert.deepEqual(await states(), held);
  const items = await owner.selectFrom('moderation_item').selectAll().where('chunk_id', 'is not', null).execute();
  const ofMessage = (nth: number) => items.find(({ chunk_id }) => chunk_id === chunkOf(ids[nth]!))!.id;
  // They came in one call and share a chunk, so they are decided together.
  assert.equal(new Set([0, 1, 3, 4].map(ofMessage)).size, 1);
  await decide({ ids: [ofMessage(0)], decision: 'approved' });
  assert.deepEqual(await states(), ['open', 'open', 'open', 'open', 'open']);
  const [later] = await intake.acceptMany(program, [
    submission({ from: 'LAMPS', text: 'fast loan', to: '639171111130' }),
  ]);
  ids.splice(0, ids.length, 'id' in later! ? later.id : 0);
  const [row] = (await queue()).filter(({ campaign_id }) => campaign_id === null);
  assert.deepEqual(await states(), ['held']);
  await decide({ ids: [row!.id], decision: 'rejected', reason: 'Not a bank' });
  await pool.query("UPDATE moderation_item SET expires_at = now() WHERE state = 'rejected'");
  await expireChunks(pool);
  assert.deepEqual(await states(), ['expired']);
  // Its program learns whose decision it was, as it did not end by the clock.
  const { data } = await owner
    .selectFrom('event')
    .select('data')
    .where('message_id', '=', ids[0]!)
    .executeTakeFirstOrThrow();
  assert.partialDeepStrictEqual(data, { state: 'expired', error_code: 'moderation' });
  // One that is approved at night waits for the hours of its recipient.
  const text = { from: 'LAMPS', text: 'fast loan', to: '639171111131' };
  const [night] = await intake.acceptMany(program, [submission(text)]);
  const id = 'id' in night! ? night.id : assert.fail(night!.code);
  const day = { name: 'Day', calling_code: '63', start_time: '07:00', end_time: '21:00', covers: 'all' };
  await owner.insertInto('sending_hours').values(day).execute();
  stage.clock.put('2026-11-23T14:00:00.000Z');
  await decide({ ids: (await queue()).map((each) => each.id), decision: 'approved' });
  const { rows } = await pool.query('SELECT state, not_before FROM chunk WHERE id = $1', [chunkOf(id)]);
  assert.deepEqual(rows, [{ state: 'held', not_before: '2026-11-23T23:00:00Z' }]);
  await owner.deleteFrom('sending_hours').execute();
});

test('a text that is tried is judged as if it were sent, for the platform only', async () => {
  await owner
    .insertInto('moderation_rule')
    .values({ name: 'Wheels', words: ['spin to win'] })
    .execute();
  await owner.insertInto('moderation_rule').values({ name: 'Wheel makers', action: 'pass', sender: 'LAMP*' }).execute();
  const ask = (sender: string, text: string, token = 'moderator') => {
    const query = new URLSearchParams({ corporation_id: String(tenant.corporation_id), sender, text });
    return stage.call<{ data: object }>(token, 'GET', `/api/v1/moderation-rules/explain?${query}`);
  };
  const judged = async (sender: string, text: string) => (await ask(sender, text)).body.data;
  const unchecked = { checks_links: false, web: null };
  assert.deepEqual(await judged('WHEEL', 'ＳＰＩＮ to win'), { ...unchecked, passed_by: null, held_by: 'Wheels' });
  assert.deepEqual(await judged('LAMPS', 'spin to win'), { ...unchecked, passed_by: 'Wheel makers', held_by: null });
  assert.deepEqual(await judged('WHEEL', 'hello'), { ...unchecked, passed_by: null, held_by: null });
  const mode = (web_links: string | null) =>
    owner.updateTable('corporation').set({ web_links }).where('id', '=', tenant.corporation_id).execute();
  await mode('enforced');
  const web = { domain: 'example.net', reason: 'not_allowed', refused: true };
  assert.deepEqual(await judged('WHEEL', 'see example.net'), {
    checks_links: true,
    web,
    passed_by: null,
    held_by: null,
  });
  await mode(null);
  assert.equal((await ask('WHEEL', 'hello', 'boss')).status, 403);
});

test('a rule for a network holds campaigns and messages to its numbers only', async () => {
  await owner.deleteFrom('moderation_rule').execute();
  const network = await owner
    .selectFrom('network_row')
    .select('id')
    .where(sql<boolean>`'63999' = ANY (prefixes)`)
    .executeTakeFirstOrThrow();
  const rule = await stage.call<{ data: { id: number; network_name: string } }>(
    'moderator',
    'POST',
    '/api/v1/moderation-rules',
    { name: 'One network', network_id: network.id },
  );
  assert.equal(rule.status, 201, JSON.stringify(rule.body));
  assert.match(rule.body.data.network_name, /^Smart \(PH/);
  const state = async (content: string, custom_numbers: string) =>
    (await campaignOf(await send(content, undefined, custom_numbers))).state;
  assert.equal(await state('For one', '639171111111,639171111112'), 'running');
  assert.equal(await state('For both', '639171111111,639991111112'), 'paused');
  const { corporation_id, user_id, billing_account_id } = tenant;
  const program = {
    ...{ corporation_id, user_id, billing_account_id, department_id: null, api_key_id: 1, smpp_system_id: null },
    ...{ is_test: false, read_national: false },
  };
  // The intake reads changed rules within a second.
  await untilServed('the rule is known', async () => {
    const sent = await intake.acceptMany(
      program,
      ['639171111111', '639991111111'].map((to) => submission({ from: 'LAMPS', to })),
    );
    const ids = sent.map((each) => ('id' in each ? chunkOf(each.id) : assert.fail(each.code)));
    const { rows } = await pool.query<{ state: string }>('SELECT state FROM chunk WHERE id = ANY ($1) ORDER BY id', [
      ids,
    ]);
    const states = new Set(rows.map((row) => row.state));
    return states.has('held') && states.has('open');
  });
  const tried = async (number: string) => {
    const query = new URLSearchParams({ corporation_id: String(corporation_id), sender: 'LAMPS', text: 'x', number });
    return (
      await stage.call<{ data: { held_by: string | null } }>(
        'moderator',
        'GET',
        `/api/v1/moderation-rules/explain?${query}`,
      )
    ).body;
  };
  assert.equal((await tried('639171111111')).data.held_by, null);
  assert.equal((await tried('639991111111')).data.held_by, 'One network');
  assert.equal((await tried('')).data.held_by, null);
  assert.deepEqual(Object.keys(((await tried('12')) as unknown as { errors: object }).errors), ['number']);
});
