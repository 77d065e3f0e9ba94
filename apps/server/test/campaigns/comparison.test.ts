import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { pauseForOptOuts } from '../../src/modules/campaigns/opt-out-alarm.ts';
import { numbers } from './cast.ts';
import { scheduleStage } from './schedule-stage.ts';
import { callerOf, makeSendingTenant } from './stage.ts';

const { stage, campaignOf, change, begin } = await scheduleStage({ after });
const { owner, tenant } = stage;
const worker = { database: stage.home.db('worker') };

/** Adds replies of so many phones, so many hours after the start, to a campaign. */
async function reply(id: number, phones: number, hours: number, handled = 'inbox'): Promise<void> {
  await sql`INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at, campaign_id)
    SELECT ${tenant.corporation_id}, 1, 800000 + ${id} * 10000 + ${hours}::int * 500 + n, '63917' || ${handled} || ${hours}::text || n, '4141', 'x', 1, 1,
      ${handled}, c.started_at + ${hours} * interval '1 hour', c.id
    FROM generate_series(1, ${phones}::int) n, campaign c WHERE c.id = ${id}`.execute(owner);
}
const delivered = (id: number, count: number) =>
  owner
    .updateTable('campaign_counter')
    .set({ delivered: count, charged: 9_000 })
    .where('campaign_id', '=', id)
    .execute();
const limit = (opt_outs_per_thousand: number | null) =>
  owner.updateTable('corporation').set({ opt_outs_per_thousand }).where('id', '=', tenant.corporation_id).execute();

test('a campaign above the limit of opt-outs pauses once, until a person decides', async () => {
  const { id } = await begin({ custom_numbers: numbers(2) });
  await limit(20);
  await reply(id, 3, 1, 'opt_out');
  await delivered(id, 99);
  await pauseForOptOuts(worker);
  assert.equal((await campaignOf(id)).state, 'running', 'too few are delivered');
  await delivered(id, 150);
  await pauseForOptOuts(worker);
  assert.equal((await campaignOf(id)).state, 'running', '3 of 150 are not above 20 of 1,000');
  await reply(id, 1, 2, 'opt_out');
  await Promise.all([pauseForOptOuts(worker), pauseForOptOuts(worker)]);
  const paused = await campaignOf(id);
  assert.deepEqual([paused.state, paused.pause_reason], ['paused', 'opt_outs']);
  const { rows } = await sql`SELECT FROM campaign_transition WHERE campaign_id = ${id} AND reason = 'opt_outs'`.execute(
    owner,
  );
  assert.equal(rows.length, 1);
  assert.equal((await change(id, 'resume')).status, 200);
  await pauseForOptOuts(worker);
  assert.equal((await campaignOf(id)).state, 'running', 'a person has decided');
  await limit(null);
});

test('without a limit no campaign pauses for opt-outs', async () => {
  await limit(null);
  const { id } = await begin({ custom_numbers: numbers(2) });
  await reply(id, 50, 1, 'opt_out');
  await delivered(id, 200);
  await pauseForOptOuts(worker);
  assert.equal((await campaignOf(id)).state, 'running');
});

test('campaigns are compared with their rates, and with replies by the hour', async () => {
  const [one, two] = [await begin({ custom_numbers: numbers(2) }), await begin({ custom_numbers: numbers(2) })];
  await delivered(one.id, 100);
  await reply(one.id, 2, 0);
  await reply(one.id, 3, 5);
  await reply(one.id, 1, 80, 'opt_out');
  const path = (ids: (number | string)[]) => `/api/v1/campaigns/comparison?ids=${ids.join(',')}`;
  const { body } = await stage.call<{ data: Record<string, unknown>[] }>('boss', 'GET', path([one.id, two.id]));
  assert.deepEqual(
    body.data.map(
      ({ id, delivered: of, clicked, replied, opted_out, cost_per_reply, cost_per_click, replies_by_hours }) => ({
        ...{ id, of, clicked, replied, opted_out, cost_per_reply, cost_per_click, replies_by_hours },
      }),
    ),
    [
      {
        ...{
          id: one.id,
          of: 100,
          clicked: null,
          replied: 6,
          opted_out: 1,
          cost_per_reply: '1.500',
          cost_per_click: null,
        },
        replies_by_hours: [2, 0, 3, 0, 0, 0, 0, 1],
      },
      {
        ...{ id: two.id, of: 0, clicked: null, replied: 0, opted_out: 0, cost_per_reply: null, cost_per_click: null },
        replies_by_hours: [0, 0, 0, 0, 0, 0, 0, 0],
      },
    ],
  );
  assert.equal((await stage.call('boss', 'GET', path([one.id]))).status, 422);
  assert.equal((await stage.call('boss', 'GET', path([1, 2, 3, 4, 5, 6]))).status, 422);
  stage.callers.set('stranger', callerOf(await makeSendingTenant(owner)));
  assert.equal((await stage.call('stranger', 'GET', path([one.id, two.id]))).status, 404);
});

test('earlier campaigns are compared by the hour and day of the corporation', async () => {
  const path = `/api/v1/campaigns/best-times?sender_id=${tenant.sender_id}`;
  type Times = {
    data: { enough: boolean; campaigns: number; hours: { at: number; campaigns: number; rate: number }[] };
  };
  const read = async () => (await stage.call<Times>('boss', 'GET', path)).body.data;
  assert.equal((await read()).enough, false);
  const day = (days: number) => new Date(stage.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
  for (const [hour, replies] of [
    [10, 30],
    [11, 30],
    [11, 30],
    [20, 2],
    [20, 2],
    [21, 2],
  ] as const) {
    const { id } = await begin({ custom_numbers: numbers(2) });
    await delivered(id, 200);
    const started_at = `${day(5)}T${hour}:30:00+08:00`;
    await owner.updateTable('campaign').set({ started_at }).where('id', '=', id).execute();
    await reply(id, replies, 1);
  }
  const { enough, campaigns, hours } = await read();
  assert.deepEqual([enough, campaigns], [true, 6]);
  assert.deepEqual(
    hours.map((each) => [each.at, each.campaigns, each.rate]),
    [
      [9, 3, 0.15],
      [18, 2, 0.01],
      [21, 1, 0.01],
    ],
  );
});
