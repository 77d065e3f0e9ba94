import { type Kysely, sql } from 'kysely';
import { isUnpaid } from '#modules/billing';
import { wakeSenders } from '#modules/delivery';
import { awaitsDecision } from '#modules/moderation';
import { giveBackCampaign, readHours } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { notify } from '#platform/realtime/realtime';
import { type Campaign, type ChangedBy, changeState } from '../campaign-state.ts';
import { pauseForSender, senderMayBeUsed } from '../pause-for-sender.ts';
import { cancelAll } from '../unwritten.ts';
import { holdChunks } from './hold-chunks.ts';
import { endOfBlackout, homeOfCampaign, isSwitchedOff, scheduleOf } from './plan-schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Lets a locked campaign wait for its time, or run, after its messages were written. Throws `schedule_over` if its time
 * is past, so that the transaction leaves nothing.
 */
export async function letRun(db: Kysely<Database>, campaign: Campaign, now: Date): Promise<void> {
  const { starts_at, ends_at } = campaign;
  if (ends_at !== null && Date.parse(ends_at) <= now.getTime()) throw new BusinessError('schedule_over');
  if (starts_at !== null && Date.parse(starts_at) > now.getTime()) {
    await changeState(db, campaign, 'scheduled', { user_id: null });
  } else await startCampaign(db, campaign, now, { user_id: null });
}

/**
 * Starts a locked campaign after its messages were written. In a blackout time, or if it is disabled, its sender ID
 * may not be used or payments are overdue, it begins paused.
 */
export async function startCampaign(db: Kysely<Database>, campaign: Campaign, now: Date, by: ChangedBy): Promise<void> {
  const { sms_validity } = campaign.content as { sms_validity: number };
  const { spread_minutes, canary, quiet } = scheduleOf(campaign);
  const expires_at = new Date(now.getTime() + sms_validity * HOUR_MS).toISOString();
  const set = {
    started_at: now.toISOString(),
    expires_at,
    spread_until: spread_minutes === null ? null : new Date(now.getTime() + spread_minutes * MINUTE_MS).toISOString(),
    canary_state: canary ? ('sending' as const) : null,
    canary_count: canary ? canaryCount(campaign.total_count, canary.percent) : null,
  };
  await changeState(db, campaign, 'running', by, set);
  const running: Campaign = { ...campaign, ...set, state: 'running' };
  if (quiet || canary || (await readHours(db)).length > 0) {
    // Each chunk has its own validity, because chunks are released at different times.
    await sql`UPDATE chunk SET expires_at = ${expires_at} WHERE campaign_id = ${campaign.id} AND state = 'open'`.execute(
      db,
    );
    await holdChunks(db, running, now);
  }
  if (await awaitsDecision(db, campaign.id)) await pauseForDecision(db, running);
  else await goOn(db, running, now);
}

/** Lets a running campaign send, unless it must pause now. */
async function goOn(db: Kysely<Database>, campaign: Campaign, now: Date): Promise<void> {
  if (!(await senderMayBeUsed(db, campaign))) await pauseForSender(db, campaign);
  else if (await isSwitchedOff(db, campaign)) await pauseSwitchedOff(db, campaign);
  else if (await isUnpaid(db, campaign)) await pauseUnpaid(db, campaign);
  else if (!(await pauseInBlackout(db, campaign, now))) await wakeSenders(db);
}

/** Pauses a running campaign until a moderator decides. The validity of its messages keeps running. */
async function pauseForDecision(db: Kysely<Database>, campaign: Campaign): Promise<void> {
  const by = { user_id: null, reason: 'moderation' as const };
  await changeState(db, campaign, 'paused', by, { pause_reason: 'moderation', resumes_at: null });
  await notify(db, campaign.created_by, 'campaign.paused', { campaign_id: campaign.id, name: campaign.name });
}

/** Lets a campaign run that was paused for a decision. In a blackout time, or if it is disabled, it stays paused. */
export async function releaseHeld(db: Kysely<Database>, campaign: Campaign, now: Date, by: ChangedBy): Promise<void> {
  await resumeCampaign(db, campaign, now, by);
  await goOn(db, { ...campaign, state: 'running', pause_reason: null }, now);
}

/**
 * Pauses a running campaign because its corporation or department is disabled. The validity of its messages keeps
 * running.
 */
export async function pauseSwitchedOff(db: Kysely<Database>, campaign: Campaign): Promise<void> {
  const by = { user_id: null, reason: 'switched_off' as const };
  await changeState(db, campaign, 'paused', by, { pause_reason: 'switched_off', resumes_at: null });
}

/** Pauses a running campaign because payments are overdue. It continues by itself when they arrive. */
export async function pauseUnpaid(db: Kysely<Database>, campaign: Campaign): Promise<void> {
  const by = { user_id: null, reason: 'unpaid' as const };
  await changeState(db, campaign, 'paused', by, { pause_reason: 'unpaid', resumes_at: null });
  await notify(db, campaign.created_by, 'campaign.paused', { campaign_id: campaign.id, name: campaign.name });
}

/** Returns the number of messages in the canary, which go before the others. */
export const canaryCount = (total: number, percent: number): number => Math.ceil((total * percent) / 100);

/** Pauses a running campaign in its corporation's blackout time. Tells if it did. */
export async function pauseInBlackout(db: Kysely<Database>, campaign: Campaign, now: Date): Promise<boolean> {
  if (campaign.skip_blackout) return false;
  const until = endOfBlackout(await homeOfCampaign(db, campaign.corporation_id), now);
  if (!until) return false;
  await changeState(
    db,
    campaign,
    'paused',
    { user_id: null, reason: 'blackout' },
    { pause_reason: 'blackout', resumes_at: until.toISOString() },
  );
  // The validity of waiting messages does not run during the pause.
  await prolong(db, campaign.id, until.getTime() - now.getTime());
  return true;
}

/**
 * Resumes a paused campaign. Throws `held_for_decision` if a moderator has not decided yet, for a person as for the clock. If a pause ends early, the validity that it had added for the rest is taken back.
 */
export async function resumeCampaign(
  db: Kysely<Database>,
  campaign: Campaign,
  now: Date,
  by: ChangedBy,
): Promise<void> {
  if (await awaitsDecision(db, campaign.id)) throw new BusinessError('held_for_decision');
  const canary_state = campaign.pause_reason === 'canary' ? 'passed' : campaign.canary_state;
  await changeState(db, campaign, 'running', by, { pause_reason: null, resumes_at: null, canary_state });
  if (campaign.pause_reason === 'blackout' && campaign.resumes_at !== null) {
    const over = now.getTime() - Date.parse(campaign.resumes_at);
    if (over !== 0) await prolong(db, campaign.id, over);
  }
  // Hours may have begun or ended during the pause.
  await holdChunks(db, { ...campaign, canary_state }, now);
  await wakeSenders(db);
}

async function prolong(db: Kysely<Database>, id: number, milliseconds: number): Promise<void> {
  const by = sql`${milliseconds / 1_000} * interval '1 second'`;
  await sql`UPDATE campaign SET expires_at = expires_at + ${by} WHERE id = ${id}`.execute(db);
  await sql`UPDATE chunk SET expires_at = expires_at + ${by}
    WHERE campaign_id = ${id} AND state = 'open' AND expires_at IS NOT NULL`.execute(db);
}

/** Ends a campaign at the end of its time. Messages that have not left are cancelled, and their reserve is released. */
export async function endCampaign(db: Kysely<Database>, campaign: Campaign, now: Date): Promise<void> {
  const to = campaign.state === 'scheduled' ? 'stopped' : 'completed';
  const set = { finished_at: now.toISOString(), pause_reason: null, resumes_at: null };
  await changeState(db, campaign, to, { user_id: null, reason: 'window_over' }, set);
  await cancelAll(db, campaign);
  if (campaign.state === 'scheduled') await giveBackCampaign(db, campaign.id);
}
