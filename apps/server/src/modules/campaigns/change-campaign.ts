import * as contract from '@heliograph/contract/campaigns/campaign';
import { cancelRest, wakeSenders } from '#modules/delivery';
import { audit } from '#platform/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http';
import { enqueue } from '#platform/jobs';
import { findCampaignRow } from './campaign-rows.ts';
import { type Campaign, changeState, lockCampaign, releaseCost, reserveCost } from './campaign-state.ts';
import { prepareCampaignJob } from './create-campaign.ts';

type Change = (ctx: Context, campaign: Campaign, note: string | undefined) => Promise<void>;
type ChangeOperation = typeof contract.stopCampaign;

/** Mounts what a person may do with a campaign that exists. */
export function changeCampaignRoutes(app: App): void {
  const on = (operation: ChangeOperation, description: string, change: Change) =>
    mount(app, operation, async (ctx, { params, body }) => {
      const campaign = await lockCampaign(ctx.db, params.id);
      if (!campaign) throw new BusinessError('not_found');
      await change(ctx, campaign, body.note);
      const after = await findCampaignRow(ctx, campaign.id);
      await audit(ctx, {
        name: 'campaigns',
        description,
        subject_type: 'campaigns',
        subject_id: campaign.id,
        corporation_id: campaign.corporation_id,
        before: { state: campaign.state },
        after: { state: after.state },
      });
      return { data: after };
    });
  on(contract.stopCampaign, 'stopped', stop);
  on(contract.pauseCampaign, 'paused', async (ctx, campaign, note) => {
    await changeState(ctx.db, campaign, 'paused', { user_id: ctx.caller.user_id, note });
  });
  on(contract.resumeCampaign, 'resumed', async (ctx, campaign, note) => {
    if (campaign.state !== 'paused') throw new BusinessError('invalid_transition');
    await changeState(ctx.db, campaign, 'running', { user_id: ctx.caller.user_id, note });
    await wakeSenders(ctx.db);
  });
  on(contract.approveCampaign, 'approved', approve);
  on(contract.discardCampaign, 'discarded', async (ctx, campaign, note) => {
    const finished_at = ctx.clock.now().toISOString();
    await changeState(ctx.db, campaign, 'discarded', { user_id: ctx.caller.user_id, note }, { finished_at });
  });
}

const stop: Change = async (ctx, campaign, note) => {
  const by = { user_id: ctx.caller.user_id, note };
  // One that waits for an approval is discarded, by who may approve it.
  if (campaign.state === 'pending') throw new BusinessError('invalid_transition');
  await changeState(ctx.db, campaign, 'stopped', by, { finished_at: ctx.clock.now().toISOString() });
  if (campaign.state === 'preparing') await releaseCost(ctx.db, campaign, ctx.caller.user_id);
  else await cancelRest(ctx.db, campaign.id);
};

const approve: Change = async (ctx, campaign, note) => {
  if (campaign.created_by === ctx.caller.user_id) throw new BusinessError('forbidden');
  await changeState(ctx.db, campaign, 'preparing', { user_id: ctx.caller.user_id, note });
  const account = await ctx.db
    .selectFrom('billing_account')
    .select(['suspended', 'enabled'])
    .where('id', '=', campaign.billing_account_id)
    .executeTakeFirstOrThrow();
  if (account.suspended || !account.enabled) throw new BusinessError('billing_account_suspended');
  await reserveCost(ctx.db, campaign, ctx.caller.user_id);
  await enqueue(ctx.db, prepareCampaignJob, { campaign_id: campaign.id });
};
