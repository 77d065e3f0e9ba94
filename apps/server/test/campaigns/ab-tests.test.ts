import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { getCampaignTest } from '@heliograph/contract/campaigns/campaign-test';
import type { z } from 'zod';
import { makeList } from '../contacts/tenant.ts';
import { msisdn, numbers } from './cast.ts';
import { DAY, scheduleStage } from './schedule-stage.ts';

type Detail = z.output<typeof getCampaignTest.reply>['data'];
type Answer = { data: Detail; code: string; errors?: Record<string, string[]> };

const cast = await scheduleStage({ after });
const { stage, campaignOf, account } = cast;
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
