import assert from 'node:assert/strict';
import type { getCampaignTest } from '@heliograph/contract/campaigns/campaign-test';
import type { z } from 'zod';
import type { Scope } from '../template-database.ts';
import { numbers } from './cast.ts';
import { scheduleStage } from './schedule-stage.ts';

type Detail = z.output<typeof getCampaignTest.reply>['data'];
export type Answer = { data: Detail; code: string; errors?: Record<string, string[]> };

export const PATH = '/api/v1/campaign-tests';
export const A = { content: 'Hello from A' };
export const B = { content: 'Hello from B, with a longer text' };

/** Builds the stage of campaigns, with what tests of A/B tests do: price, begin, end the samples, and pass the time. */
export async function abTestStage(t: Scope) {
  const cast = await scheduleStage(t);
  const { stage } = cast;
  const { owner, tenant, clock } = stage;
  // The size of a sample varies with the test's key, and samples large enough for an undo would wait for it.
  await cast.setting('undo_seconds', '0');
  const setUp = (
    more: object = {},
    common: object = { custom_numbers: numbers(400) },
    variants: object[] = [A, B],
  ) => ({
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
  const read = async (id: number, token = 'boss') =>
    (await stage.call<Answer>(token, 'GET', `${PATH}/${id}`)).body.data;

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

  return { ...cast, setUp, call, read, countAll, price, begin, end, passUntilDecision, sentTo };
}
