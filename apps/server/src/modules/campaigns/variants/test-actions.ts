import * as contract from '@heliograph/contract/campaigns/campaign-test';
import { campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { mayBecome } from '@heliograph/contract/kernel/states';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { auditChange } from '../audit-change.ts';
import { changeState, lockCampaign } from '../campaign-state.ts';
import { stopFor } from '../change-campaign.ts';
import { makeCampaign } from '../create-campaign.ts';
import { findQuote, needsApproval, type Quote } from '../quotes.ts';
import { samplesOf } from './test-clock.ts';
import { figuresOf } from './test-figures.ts';
import { priceOf, testOnWire } from './test-rows.ts';
import { type CampaignTest, decide, lockTest, saveTest, variantsOf } from './test-state.ts';

/** Time after the start at which the clock first looks at the samples, in ms. */
const FIRST_LOOK_MS = 60_000;

/** Mounts the start of a test, the choice of a variant by hand, and the stop. */
export function testActionRoutes(app: App): void {
  mount(app, contract.startCampaignTest, async (ctx, { params, body }) => {
    const test = await testToChange(ctx, params.id);
    // Only its maker sees what it costs before the start.
    if (test.state !== 'draft' || test.created_by !== ctx.caller.user_id) throw new BusinessError('invalid_transition');
    await start(ctx, test, body.confirmed_cost);
    return { data: await testOnWire(ctx, test.id) };
  });
  mount(app, contract.chooseVariant, async (ctx, { params, body }) => {
    const test = await testToChange(ctx, params.id);
    await choose(ctx, test, body.variant, toThousandths(body.max_cost));
    return { data: await testOnWire(ctx, test.id) };
  });
  mount(app, contract.stopCampaignTest, async (ctx, { params }) => {
    const test = await testToChange(ctx, params.id);
    if (!['running', 'waiting', 'counting'].includes(test.state)) throw new BusinessError('invalid_transition');
    await stopSamples(ctx, test);
    const finished_at = ctx.clock.now().toISOString();
    await saveTest(ctx.db, test, { state: 'stopped', waits_for: null, looks_at: null, finished_at });
    await noteChange(ctx, test, 'stopped', { state: test.state }, { state: 'stopped' });
    return { data: await testOnWire(ctx, test.id) };
  });
}

async function testToChange(ctx: Context, id: number): Promise<CampaignTest> {
  const test = await lockTest(ctx.db, id);
  if (!test) throw new BusinessError('not_found');
  return test;
}

/** Makes the campaign of every sample. They and the test change in one transaction, so a test starts once or not. */
async function start(ctx: Context, test: CampaignTest, confirmedCost: string): Promise<void> {
  const variants = await variantsOf(ctx.db, test.id);
  const quotes: { sample: Quote; rest: Quote | null }[] = [];
  for (const { sample_quote_id, rest_quote_id } of variants) {
    const rest = rest_quote_id === null ? null : await findQuote(ctx, rest_quote_id);
    quotes.push({ sample: await findQuote(ctx, sample_quote_id), rest });
  }
  if (quotes.some(({ sample, rest }) => sample.state !== 'ready' || (rest && rest.state !== 'ready')))
    throw new BusinessError('changed_meanwhile');
  const price = priceOf(quotes);
  if (toThousandths(confirmedCost) !== price.total) throw new BusinessError('cost_not_confirmed');
  for (const [at, { place, start: wall }] of variants.entries()) {
    const { sample, rest } = quotes[at]!;
    const campaign = await makeCampaign(ctx, sample, {
      name: `${test.name.slice(0, 140)} · ${contract.letterOf(place)}`,
      // The person has confirmed the whole, of which this is a part.
      confirmed_cost: fromThousandths(sample.cost),
      schedule: campaignSchedule.parse({ ...(test.schedule as object), start: wall }),
      undo: true,
    });
    await ctx.db
      .updateTable('campaign_test_variant')
      .set({ campaign_id: campaign.id, rest_count: rest?.total_count ?? null, rest_cost: rest?.cost ?? null })
      .where('test_id', '=', test.id)
      .where('place', '=', place)
      .execute();
  }
  const now = ctx.clock.now();
  await saveTest(ctx.db, test, {
    state: 'running',
    started_at: now.toISOString(),
    looks_at: new Date(now.getTime() + FIRST_LOOK_MS).toISOString(),
    max_rest_cost: price.rest,
    asks_approval: needsApproval(ctx),
    skip_blackout: ctx.caller.skip_blackout,
  });
  await noteChange(ctx, test, 'started', { state: 'draft' }, { state: 'running', cost: price.total });
}

/** Sends the rest with a variant that a person chose, once all samples have begun or the test waits. */
async function choose(ctx: Context, test: CampaignTest, variant: number, maxCost: number): Promise<void> {
  const samples = await samplesOf(ctx.db, test.id);
  const mayChoose = test.state === 'waiting' || (test.state === 'running' && samples.started_at !== null);
  if (!mayChoose || variant > samples.campaigns.length) throw new BusinessError('invalid_transition');
  const figures = await figuresOf(ctx.db, test, samples.campaigns);
  const set = { max_rest_cost: maxCost, asks_approval: needsApproval(ctx) };
  await saveTest(ctx.db, test, set);
  await decide(ctx.db, { ...test, ...set }, { winner: variant, by: 'person', figures }, ctx.clock.now());
  await noteChange(ctx, test, 'variant chosen', { winner: test.winner }, { winner: variant, max_cost: maxCost });
}

/** Stops the samples that have not ended. */
async function stopSamples(ctx: Context, test: CampaignTest): Promise<void> {
  const samples = await samplesOf(ctx.db, test.id);
  for (const id of samples.campaigns) {
    const campaign = await lockCampaign(ctx.db, id);
    if (!campaign || !mayBecome(campaign.state, 'stopped')) continue;
    const by = { user_id: ctx.caller.user_id };
    if (campaign.state === 'pending') {
      const finished_at = ctx.clock.now().toISOString();
      await changeState(ctx.db, campaign, 'stopped', { ...by, reason: 'cancelled' }, { finished_at });
    } else await stopFor(ctx, campaign, by);
    await auditChange(ctx, campaign, 'stopped', { state: campaign.state }, { state: 'stopped' });
  }
}

const noteChange = (ctx: Context, test: CampaignTest, description: string, before: object, after: object) =>
  audit(ctx, {
    name: 'campaign-tests',
    description,
    subject_type: 'campaign-tests',
    subject_id: test.id,
    corporation_id: test.corporation_id,
    before,
    after,
  });
