import * as contract from '@heliograph/contract/campaigns/campaign';
import { type CampaignState, mayBecome } from '@heliograph/contract/kernel/states';
import { isUnpaid } from '#modules/billing';
import { giveBackCampaign } from '#modules/policy';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { notify } from '#platform/realtime/realtime';
import { auditChange } from './audit-change.ts';
import { findCampaignRow } from './campaign-rows.ts';

import {
  type Campaign,
  type ChangedBy,
  changeState,
  lockCampaign,
  recordTransition,
  releaseCost,
} from './campaign-state.ts';
import { senderMayBeUsed } from './pause-for-sender.ts';
import { supervisorsOf } from './quotes.ts';

import { homeOfCampaign, isSwitchedOff, refuseBlackout } from './schedule/plan-schedule.ts';
import { releaseHeld, resumeCampaign } from './schedule/run-campaign.ts';
import { endSeries } from './schedule/series.ts';
import { cancelAll } from './unwritten.ts';

type Change = (ctx: Context, campaign: Campaign, note: string | undefined) => Promise<void>;
type ChangeOperation = typeof contract.stopCampaign;

/** Pause between two reminders of a campaign, in ms. */
const REMINDER_PAUSE_MS = 3_600_000;

/** Mounts the actions that a person may take on an existing campaign. */
export function changeCampaignRoutes(app: App): void {
  const on = (operation: ChangeOperation, description: string, change: Change) =>
    mount(app, operation, async (ctx, { params, body }) => {
      const campaign = await lockCampaign(ctx.db, params.id);
      if (!campaign) throw new BusinessError('not_found');
      await change(ctx, campaign, body.note);
      const after = await findCampaignRow(ctx, campaign.id);
      await auditChange(ctx, campaign, description, { state: campaign.state }, { state: after.state });
      return { data: after };
    });
  on(contract.stopCampaign, 'stopped', async (ctx, campaign, note) => {
    // A campaign that waits for approval is discarded by its approver. A scheduled one has its own call.
    if (campaign.state === 'pending' || campaign.state === 'scheduled') throw new BusinessError('invalid_transition');
    await stop(ctx, campaign, note);
  });
  on(contract.stopScheduledCampaign, 'stopped', async (ctx, campaign, note) => {
    if (campaign.state !== 'scheduled') throw new BusinessError('invalid_transition');
    await stop(ctx, campaign, note);
  });
  on(contract.pauseCampaign, 'paused', async (ctx, campaign, note) => {
    const by = { user_id: ctx.caller.user_id, note };
    await changeState(ctx.db, campaign, 'paused', by, { pause_reason: 'person', resumes_at: null });
  });
  on(contract.resumeCampaign, 'resumed', async (ctx, campaign, note) => {
    if (campaign.state !== 'paused') throw new BusinessError('invalid_transition');
    if (await isSwitchedOff(ctx.db, campaign)) throw new BusinessError('switched_off');
    if (await isUnpaid(ctx.db, campaign)) throw new BusinessError('billing_account_held');
    if (!(await senderMayBeUsed(ctx.db, campaign))) throw new BusinessError('sender_out_of_use');
    const now = ctx.clock.now();
    const { skip_blackout } = ctx.caller;
    const home = await homeOfCampaign(ctx.db, campaign.corporation_id);
    refuseBlackout(home, now, campaign.skip_blackout || skip_blackout);
    if (skip_blackout) {
      await ctx.db.updateTable('campaign').set({ skip_blackout }).where('id', '=', campaign.id).execute();
    }
    await resumeCampaign(ctx.db, campaign, now, { user_id: ctx.caller.user_id, note });
  });
  on(contract.discardCampaign, 'discarded', async (ctx, campaign, note) => {
    const finished_at = ctx.clock.now().toISOString();
    await changeState(ctx.db, campaign, 'discarded', { user_id: ctx.caller.user_id, note }, { finished_at });
    await endSeriesOfFirst(ctx, campaign);
  });
  on(contract.cancelCampaignRequest, 'request cancelled', async (ctx, campaign, note) => {
    const { user_id } = ctx.caller;
    if (campaign.created_by !== user_id && campaign.asked_by !== user_id) throw new BusinessError('forbidden');
    if (campaign.state !== 'pending') throw new BusinessError('invalid_transition');
    const finished_at = ctx.clock.now().toISOString();
    await changeState(ctx.db, campaign, 'stopped', { user_id, note, reason: 'cancelled' }, { finished_at });
    await endSeriesOfFirst(ctx, campaign);
  });
  on(contract.remindSupervisors, 'reminded', remind);
  on(contract.endCampaignSeries, 'repetition ended', async (ctx, campaign) => {
    if (campaign.series_id === null) throw new BusinessError('invalid_transition');
    await endSeries(ctx.db, campaign.series_id);
  });
}

/** Asks the supervisors of the caller's own campaign again, by the bell and by mail. */
async function remind(ctx: Context, campaign: Campaign, note: string | undefined): Promise<void> {
  const { user_id } = ctx.caller;
  if (campaign.created_by !== user_id && campaign.asked_by !== user_id) throw new BusinessError('forbidden');
  if (campaign.state !== 'pending') throw new BusinessError('invalid_transition');
  const last = await ctx.db
    .selectFrom('campaign_transition')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('reason', '=', 'reminded')
    .where('created_at', '>', new Date(ctx.clock.now().getTime() - REMINDER_PAUSE_MS).toISOString())
    .executeTakeFirst();
  if (last) throw new BusinessError('reminded_already');
  // The mail follows from the timeline, as for the first request. A text is sent only with that request.
  await recordTransition(ctx.db, campaign, 'pending', 'pending', { user_id, note, reason: 'reminded' });
  for (const supervisor of await supervisorsOf(ctx))
    await notify(ctx.db, supervisor, 'campaign.pending', { campaign_id: campaign.id, name: campaign.name });
}

const stop = (ctx: Context, campaign: Campaign, note: string | undefined): Promise<void> =>
  stopFor(ctx, campaign, { user_id: ctx.caller.user_id, note });

/** Stops a locked campaign. Messages that have not left are cancelled, and their reserved money is released. */
export async function stopFor(ctx: Context, campaign: Campaign, by: ChangedBy): Promise<void> {
  const set = { finished_at: ctx.clock.now().toISOString(), pause_reason: null, resumes_at: null };
  await changeState(ctx.db, campaign, 'stopped', by, set);
  if (campaign.state === 'preparing') await releaseCost(ctx.db, campaign, ctx.caller.user_id);
  else await cancelAll(ctx.db, campaign);
  if (campaign.state === 'scheduled') await giveBackCampaign(ctx.db, campaign.id);
}

/** Lets a held campaign run after a moderator's decision. One that does not wait any more stays as it is. */
export async function letHeldGo(ctx: Context, id: number): Promise<void> {
  const campaign = await lockCampaign(ctx.db, id);
  if (campaign?.state !== 'paused' || campaign.pause_reason !== 'moderation') return;
  await releaseHeld(ctx.db, campaign, ctx.clock.now(), { user_id: ctx.caller.user_id, reason: 'moderation_passed' });
}

/** Stops a held campaign after a moderator's decision; its timeline tells the reason. */
export async function endHeld(ctx: Context, id: number, reason: string): Promise<void> {
  const campaign = await lockCampaign(ctx.db, id);
  if (!campaign || !mayBecome(campaign.state as CampaignState, 'stopped')) return;
  await stopFor(ctx, campaign, { user_id: ctx.caller.user_id, note: reason, reason: 'moderation_refused' });
}

/** Ends a repetition if its first campaign was never allowed to run. */
async function endSeriesOfFirst(ctx: Context, campaign: Campaign): Promise<void> {
  if (campaign.series_id !== null && campaign.occurrence === 1) await endSeries(ctx.db, campaign.series_id);
}
