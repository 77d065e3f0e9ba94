import * as contract from '@heliograph/contract/campaigns/campaign';
import type { Context } from '#platform/context';
import { oneOfSeveral } from '#platform/database/one-of-several';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { translate } from '#platform/text/i18n';
import { auditChange } from './audit-change.ts';
import { findCampaignRow } from './campaign-rows.ts';
import { type Campaign, changeState, lockCampaign, reserveCost } from './campaign-state.ts';
import { fingerprintOf } from './fingerprint.ts';
import { prepareCampaignJob } from './prepare-job.ts';
import { homeOfCampaign, refuseBlackout } from './schedule/plan-schedule.ts';

/** Mounts the approval of one campaign and of several. */
export function approvalRoutes(app: App): void {
  mount(app, contract.approveCampaign, async (ctx, { params, body }) => {
    await approve(ctx, params.id, body.fingerprint, body.note);
    return { data: await findCampaignRow(ctx, params.id) };
  });
  mount(app, contract.approveCampaigns, async (ctx, { body }) => {
    const results = new Map<number, BusinessError | null>();
    // One fixed order, so that two people who approve the same campaigns do not wait for each other in a circle.
    for (const { id, fingerprint } of [...body.campaigns].sort((a, b) => a.id - b.id)) {
      results.set(id, await oneOfSeveral(ctx.db, () => approve(ctx, id, fingerprint, body.note)));
    }
    return {
      data: body.campaigns.map(({ id }) => {
        const error = results.get(id) ?? null;
        return { id, error_code: error?.code ?? null, message: error && translate(ctx.locale, `errors.${error.code}`) };
      }),
    };
  });
}

/**
 * Approves a waiting campaign if it is as the approver saw it, in time, and not their own request. Its cost is
 * reserved. An approver who may skip the blackout time lifts it for the campaign.
 */
async function approve(ctx: Context, id: number, fingerprint: string, note: string | undefined): Promise<void> {
  const campaign = await lockCampaign(ctx.db, id);
  if (!campaign) throw new BusinessError('not_found');
  const { user_id } = ctx.caller;
  if (campaign.created_by === user_id || campaign.asked_by === user_id) throw new BusinessError('forbidden');
  if (campaign.state !== 'pending') throw new BusinessError('invalid_transition');
  if (fingerprint !== campaign.fingerprint || fingerprint !== fingerprintOf(campaign)) {
    throw new BusinessError('changed_meanwhile');
  }
  const now = ctx.clock.now();
  const skip_blackout = campaign.skip_blackout || ctx.caller.skip_blackout;
  await checkTime(ctx, campaign, skip_blackout);
  const set = {
    approved_by: user_id,
    approved_at: now.toISOString(),
    approved_fingerprint: fingerprint,
    skip_blackout,
    error_code: null,
  };
  await changeState(ctx.db, campaign, 'preparing', { user_id, note }, set);
  await payAndPrepare(ctx, { ...campaign, ...set, state: 'preparing' });
  if (campaign.series_id !== null && campaign.occurrence === 1) {
    await ctx.db
      .updateTable('campaign_series')
      .set({ state: 'active', max_cost: campaign.estimated_cost, skip_blackout })
      .where('id', '=', campaign.series_id)
      .where('state', '=', 'waiting')
      .execute();
  }
  await auditChange(ctx, campaign, 'approved', { state: campaign.state }, { state: 'preparing', fingerprint });
}

/** Throws if a campaign would start too late, or in a blackout time. Without a schedule it starts now. */
export async function checkTime(
  ctx: Context,
  campaign: Pick<Campaign, 'corporation_id' | 'starts_at' | 'ends_at'>,
  skipBlackout: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  const starts = campaign.starts_at === null ? now : new Date(Math.max(Date.parse(campaign.starts_at), now.getTime()));
  if (campaign.ends_at !== null && Date.parse(campaign.ends_at) <= now.getTime()) {
    throw new BusinessError('schedule_over');
  }
  refuseBlackout(await homeOfCampaign(ctx.db, campaign.corporation_id), starts, skipBlackout);
}

/** Reserves the cost of a campaign and starts writing its messages. Throws if the account refuses. */
export async function payAndPrepare(ctx: Context, campaign: Campaign): Promise<void> {
  const account = await ctx.db
    .selectFrom('billing_account')
    .select(['suspended', 'enabled'])
    .where('id', '=', campaign.billing_account_id)
    .executeTakeFirstOrThrow();
  if (account.suspended || !account.enabled) throw new BusinessError('billing_account_suspended');
  await reserveCost(ctx.db, campaign, ctx.caller.user_id, ctx.clock.now());
  await enqueue(ctx.db, prepareCampaignJob, { campaign_id: campaign.id }, { tenant: campaign.corporation_id });
}
