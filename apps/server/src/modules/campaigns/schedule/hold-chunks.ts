import { type Kysely, sql } from 'kysely';
import { wakeSenders } from '#modules/delivery';
import type { Database } from '#platform/database/db';
import type { Campaign } from '../campaign-state.ts';
import { endOfWindow } from './daily-window.ts';
import { scheduleOf } from './plan-schedule.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the time when quiet hours end in all zones (joined by commas) of a group of recipients. Returns null if no
 * zone is quiet.
 */
export function endOfQuiet(campaign: { schedule: unknown }, zones: string, now: Date): Date | null {
  const { quiet } = scheduleOf(campaign);
  if (!quiet) return null;
  const ends = zones.split(',').flatMap((zone) => endOfWindow(quiet, zone, now) ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
}

/**
 * Returns the groups of recipients, by their zones, that a campaign has messages for. There are none without quiet
 * hours.
 */
export async function zonesOfCampaign(db: Kysely<Database>, campaignId: number): Promise<string[]> {
  const { rows } = await sql<{ quiet_zone: string }>`
    SELECT DISTINCT quiet_zone FROM chunk WHERE campaign_id = ${campaignId} AND quiet_zone IS NOT NULL`.execute(db);
  return rows.map(({ quiet_zone }) => quiet_zone).sort();
}

/**
 * Holds chunks that may not leave now and opens those that may, by the recipients' quiet hours and by the canary. An
 * opened chunk gets its whole validity. Chunks are locked in the order of their ids, as everywhere.
 */
export async function holdChunks(
  db: Kysely<Database>,
  campaign: Pick<Campaign, 'id' | 'schedule' | 'canary_state' | 'content'>,
  now: Date,
): Promise<void> {
  const quiet = (await zonesOfCampaign(db, campaign.id)).filter((zone) => endOfQuiet(campaign, zone, now) !== null);
  const behind = campaign.canary_state !== null && campaign.canary_state !== 'passed';
  const held = sql`(coalesce(quiet_zone = ANY (${quiet}::text[]), false) OR (after_canary AND ${behind}))`;
  await sql`
    WITH locked AS (
      SELECT id FROM chunk WHERE campaign_id = ${campaign.id} AND state = 'open' AND ${held} ORDER BY id FOR NO KEY UPDATE
    ) UPDATE chunk SET state = 'held' FROM locked WHERE chunk.id = locked.id`.execute(db);
  const { sms_validity } = campaign.content as { sms_validity: number };
  const expires = new Date(now.getTime() + sms_validity * HOUR_MS).toISOString();
  const { rows } = await sql`
    WITH locked AS (
      SELECT id FROM chunk WHERE campaign_id = ${campaign.id} AND state = 'held' AND NOT ${held} ORDER BY id FOR NO KEY UPDATE
    ) UPDATE chunk SET state = 'open', expires_at = ${expires} FROM locked WHERE chunk.id = locked.id RETURNING chunk.id`.execute(
    db,
  );
  if (rows.length === 0) return;
  await sql`UPDATE campaign SET expires_at = greatest(expires_at, ${expires}) WHERE id = ${campaign.id}`.execute(db);
  await wakeSenders(db);
}
