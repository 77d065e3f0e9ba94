import { type Kysely, sql } from 'kysely';
import { wakeSenders } from '#modules/delivery';
import { type ClosedHours, closedIn, heldUntil, readHours } from '#modules/policy';
import type { Database } from '#platform/database/db';
import type { Campaign } from '../campaign-state.ts';
import { homeOfCampaign, scheduleOf } from './plan-schedule.ts';

const HOUR_MS = 3_600_000;

/** Rules of the clock for a campaign: its own quiet hours, and the platform's sending hours. */
export interface CampaignHours {
  hours: readonly ClosedHours[];
  /** Time zone of the corporation, for chunks that were written before there were sending hours. */
  home: string;
}

/** Reads the sending hours for a corporation's campaigns. */
export async function hoursOf(db: Kysely<Database>, corporationId: number): Promise<CampaignHours> {
  return { hours: await readHours(db), home: (await homeOfCampaign(db, corporationId)).timezone };
}

/**
 * Returns the first moment at which messages may leave to recipients in some zones (joined by commas), by a campaign's
 * quiet hours and the sending hours. Returns null if they may leave now.
 */
export function endOfQuiet(
  campaign: { schedule: unknown },
  zones: string,
  now: Date,
  hours: readonly ClosedHours[],
): Date | null {
  const { quiet } = scheduleOf(campaign);
  const own = quiet ? zones.split(',').map((zone) => ({ window: quiet, zone, outside: 'wait' as const })) : [];
  // A campaign is always commercial.
  const held = heldUntil([...own, ...closedIn(hours, zones, true)], now);
  return held && (held.until ?? NEVER);
}

/** Moment of messages that the hours together let leave at no time; they expire before. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/** Zones of a chunk; those written without them are in the corporation's. */
const zonesOfChunk = ({ hours, home }: CampaignHours) =>
  hours.length === 0 ? sql<string | null>`quiet_zone` : sql<string | null>`coalesce(quiet_zone, ${home})`;

/** Returns the groups of recipients, by their zones, that a campaign has messages for, if any hours are about them. */
export async function zonesOfCampaign(
  db: Kysely<Database>,
  campaignId: number,
  rules: CampaignHours,
): Promise<string[]> {
  const { rows } = await sql<{ zones: string | null }>`
    SELECT DISTINCT ${zonesOfChunk(rules)} AS zones FROM chunk WHERE campaign_id = ${campaignId}`.execute(db);
  return rows.flatMap(({ zones }) => zones ?? []).sort();
}

/**
 * Holds chunks that may not leave now and opens those that may, by the recipients' quiet hours and sending hours and by the canary. An
 * opened chunk gets its whole validity. Chunks are locked in the order of their ids, as everywhere.
 */
export async function holdChunks(
  db: Kysely<Database>,
  campaign: Pick<Campaign, 'id' | 'corporation_id' | 'schedule' | 'canary_state' | 'content'>,
  now: Date,
): Promise<void> {
  const rules = await hoursOf(db, campaign.corporation_id);
  const zones = await zonesOfCampaign(db, campaign.id, rules);
  const quiet = zones.filter((each) => endOfQuiet(campaign, each, now, rules.hours) !== null);
  const behind = campaign.canary_state !== null && campaign.canary_state !== 'passed';
  const held = sql`(coalesce(${zonesOfChunk(rules)} = ANY (${quiet}::text[]), false) OR (after_canary AND ${behind}))`;
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
