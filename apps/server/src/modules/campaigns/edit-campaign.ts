import * as contract from '@heliograph/contract/campaigns/campaign';
import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import type { Updateable } from 'kysely';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { checkTime, payAndPrepare } from './approve-campaign.ts';
import { sliceOf } from './audience-slice.ts';
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
import { checkQuote, supervisorsToAsk } from './create-campaign.ts';
import { fingerprintOf } from './fingerprint.ts';
import { keepFingerprint, quotedColumns } from './insert-campaign.ts';
import { prepareCampaignJob } from './prepare-job.ts';
import { findQuote } from './quotes.ts';
import { hoursOf, zonesOfCampaign } from './schedule/hold-chunks.ts';
import { homeOfCampaign, planTimes, scheduleOf } from './schedule/plan-schedule.ts';
import { beginSeries, endSeries } from './schedule/series.ts';
import { refuseOutsideHours } from './sending-hours.ts';
import { askSupervisors } from './tell-people.ts';

type Set = Updateable<Database['campaign']>;

/** Mounts the editing of a waiting campaign, and moving it to another time. */
export function editCampaignRoutes(app: App): void {
  mount(app, contract.editCampaign, async (ctx, { params, body }) => {
    const onlyName = body.quote_id === undefined && body.schedule === undefined;
    const campaign = await campaignToEdit(ctx, params.id, onlyName);
    // Another audience would reach people of the other samples.
    const isSample = sliceOf(campaign.content) !== null;
    if (isSample && (body.quote_id !== undefined || body.schedule?.repeat)) throw new BusinessError('campaign_in_test');
    if (body.fingerprint !== campaign.fingerprint) throw new BusinessError('changed_meanwhile');
    const set: Set = body.name === undefined ? {} : { name: body.name };
    if (body.quote_id !== undefined) {
      const quote = await findQuote(ctx, body.quote_id);
      if (quote.corporation_id !== campaign.corporation_id) throw new BusinessError('not_found');
      await checkQuote(ctx, quote, body.confirmed_cost);
      Object.assign(set, await quotedColumns(ctx.db, quote));
    }
    await applyEdit(ctx, campaign, set, body.schedule ?? null, { path: 'schedule.', reason: 'edited' });
    return { data: await findCampaignRow(ctx, campaign.id) };
  });
  mount(app, contract.rescheduleCampaign, async (ctx, { params, body }) => {
    const campaign = await campaignToEdit(ctx, params.id, false);
    const schedule = { ...scheduleOf(campaign), start: body.start, end: body.end };
    await applyEdit(ctx, campaign, {}, schedule, { path: '', reason: 'rescheduled', note: body.note });
    return { data: await findCampaignRow(ctx, campaign.id) };
  });
}

/** Locks a campaign that waits, or any campaign if only its name changes. */
async function campaignToEdit(ctx: Context, id: number, onlyName: boolean): Promise<Campaign> {
  const campaign = await lockCampaign(ctx.db, id);
  if (!campaign) throw new BusinessError('not_found');
  if (onlyName) return campaign;
  if (campaign.state !== 'pending' && campaign.state !== 'scheduled') throw new BusinessError('invalid_transition');
  return campaign;
}

interface Edit {
  /** Path of the schedule's fields in the call. */
  path: string;
  reason: NonNullable<ChangedBy['reason']>;
  note?: string | undefined;
}

/**
 * Changes a locked campaign. If only the name is new, nothing else changes. Any other edit makes it a different
 * campaign from the approved one. A caller who may not run campaigns asks for approval again. The reserve of a
 * scheduled campaign is released and its messages are written again. If only its time changed, both stay.
 */
async function applyEdit(
  ctx: Context,
  campaign: Campaign,
  set: Set,
  schedule: CampaignSchedule | null,
  { path, reason, note }: Edit,
): Promise<void> {
  const edited = await saveEdit(ctx, campaign, set, schedule, path);
  const fingerprint = fingerprintOf(edited);
  if (fingerprint !== campaign.fingerprint) {
    const by = { user_id: ctx.caller.user_id, note, reason };
    await checkTime(ctx, edited, edited.skip_blackout || edited.state === 'pending');
    if (schedule?.start && edited.starts_at) await refuseMove(ctx, edited, new Date(edited.starts_at));
    const supervisors = await supervisorsToAsk(ctx);
    await keepFingerprint(ctx.db, edited);
    if (schedule) await renewSeries(ctx, edited, schedule, supervisors !== null || edited.state === 'pending');
    if (edited.state === 'pending') await editPending(ctx, edited, by, supervisors);
    else await editScheduled(ctx, campaign, edited, by, supervisors);
  }
  await auditChange(
    ctx,
    campaign,
    reason,
    { name: campaign.name, schedule: campaign.schedule, fingerprint: campaign.fingerprint },
    { name: edited.name, schedule: edited.schedule, fingerprint },
  );
}

/** Writes the edit, and returns the campaign with it. */
async function saveEdit(
  ctx: Context,
  campaign: Campaign,
  set: Set,
  schedule: CampaignSchedule | null,
  path: string,
): Promise<Campaign> {
  const { timezone } = await homeOfCampaign(ctx.db, campaign.corporation_id);
  const { sms_validity } = (typeof set.content === 'string' ? JSON.parse(set.content) : campaign.content) as {
    sms_validity: number;
  };
  if (schedule) {
    const times = planTimes(schedule, { zone: timezone, now: ctx.clock.now(), validity: sms_validity, path });
    set.schedule = JSON.stringify(schedule);
    set.starts_at = times.starts_at?.toISOString() ?? null;
    set.ends_at = times.ends_at?.toISOString() ?? null;
  }
  return ctx.db
    .updateTable('campaign')
    .set({ ...set, revision: campaign.revision })
    .where('id', '=', campaign.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Throws if a campaign whose messages are written would move to a time at which hours refuse them. */
async function refuseMove(ctx: Context, campaign: Campaign, start: Date): Promise<void> {
  const rules = await hoursOf(ctx.db, campaign.corporation_id);
  const zones = await zonesOfCampaign(ctx.db, campaign.id, rules);
  const details = { zones: Object.fromEntries(zones.map((zone) => [zone, 1])) };
  await refuseOutsideHours(ctx.db, { details }, start, rules.home);
}

/** Records an edit of a campaign that waits for approval. It keeps waiting, for a person other than its editor. */
async function editPending(
  ctx: Context,
  campaign: Campaign,
  by: ChangedBy,
  supervisors: number[] | null,
): Promise<void> {
  await ctx.db
    .updateTable('campaign')
    .set({ asked_by: ctx.caller.user_id, asked_at: ctx.clock.now().toISOString() })
    .where('id', '=', campaign.id)
    .execute();
  await recordTransition(ctx.db, campaign, 'pending', 'pending', by);
  if (supervisors) await askSupervisors(ctx.db, campaign, supervisors);
}

async function editScheduled(
  ctx: Context,
  before: Campaign,
  edited: Campaign,
  by: ChangedBy,
  supervisors: number[] | null,
): Promise<void> {
  const { user_id } = ctx.caller;
  const now = ctx.clock.now().toISOString();
  // A caller who may run campaigns approves this one by editing it.
  const decided = supervisors
    ? { approved_by: null, approved_at: null, approved_fingerprint: null, asked_by: user_id, asked_at: now }
    : { approved_by: user_id, approved_at: now, approved_fingerprint: edited.fingerprint };
  if (!supervisors && writesTheSame(before, edited)) {
    await ctx.db.updateTable('campaign').set(decided).where('id', '=', edited.id).execute();
    await recordTransition(ctx.db, edited, 'scheduled', 'scheduled', by);
    return;
  }
  await ctx.db
    .updateTable('chunk')
    .set({ state: 'cancelled' })
    .where('campaign_id', '=', edited.id)
    .where('state', 'in', ['open', 'held'])
    .execute();
  await releaseCost(ctx.db, before, user_id);
  const set = { revision: before.revision + 1, ...decided };
  await changeState(ctx.db, edited, supervisors ? 'pending' : 'preparing', by, set);
  const next: Campaign = { ...edited, ...set, state: supervisors ? 'pending' : 'preparing' };
  if (supervisors) {
    await askSupervisors(ctx.db, next, supervisors);
    // This job removes the messages that were written for it.
    await enqueue(ctx.db, prepareCampaignJob, { campaign_id: next.id }, { tenant: next.corporation_id });
  } else await payAndPrepare(ctx, next);
}

/** Tells if the written messages fit the edited campaign. They do if only its time, pace or repetition changed. */
function writesTheSame(before: Campaign, edited: Campaign): boolean {
  const of = (campaign: Campaign) => {
    const { quiet, canary } = scheduleOf(campaign);
    return JSON.stringify([campaign.quote_id, quiet, canary]);
  };
  return of(before) === of(edited);
}

/** Follows the new schedule of a repetition: the old series ends, and a new one begins with this campaign. */
async function renewSeries(
  ctx: Context,
  campaign: Campaign,
  schedule: CampaignSchedule,
  waiting: boolean,
): Promise<void> {
  // A later occurrence is moved separately. Its series continues as it was.
  if (campaign.occurrence !== null && campaign.occurrence > 1) return;
  if (campaign.series_id !== null) await endSeries(ctx.db, campaign.series_id);
  if (schedule.repeat === null) return;
  const { timezone } = await homeOfCampaign(ctx.db, campaign.corporation_id);
  await beginSeries(ctx.db, campaign, { schedule, timezone, waiting });
}
