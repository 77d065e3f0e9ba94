import { type CampaignSchedule, campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { type Kysely, sql } from 'kysely';
import { type DailyWindow, endOfWindow } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Campaign } from '../campaign-state.ts';
import { momentOfWallTime } from './wall-time.ts';

const MINUTE_MS = 60_000;
/**
 * Maximum days between now and a schedule. A waiting campaign keeps its reserve, so a wrong year must not keep it for
 * ever.
 */
const MAX_DAYS_AHEAD = 366;

/** Start and end of a schedule; without a start it begins now. */
interface PlannedTimes {
  starts_at: Date | null;
  ends_at: Date | null;
}

/**
 * Returns the start and end of a schedule in a time zone. Throws on its fields (behind `path`) if they contradict each
 * other, the clock, or the validity of the messages in hours.
 */
export function planTimes(
  schedule: CampaignSchedule,
  { zone, now, validity, path = 'schedule.' }: { zone: string; now: Date; validity: number; path?: string },
): PlannedTimes {
  const starts_at = schedule.start === null ? null : momentOfWallTime(schedule.start, zone, `${path}start`);
  const ends_at = schedule.end === null ? null : momentOfWallTime(schedule.end, zone, `${path}end`);
  // A user who chose "this minute" is not refused for the seconds that passed since.
  if (starts_at && starts_at.getTime() < now.getTime() - MINUTE_MS) throw fieldError(`${path}start`, 'schedule_past');
  const latest = now.getTime() + MAX_DAYS_AHEAD * 24 * 60 * MINUTE_MS;
  for (const [field, time] of Object.entries({ start: starts_at, end: ends_at }))
    if (time && time.getTime() > latest)
      throw fieldError(`${path}${field}`, 'too_far_ahead', { count: MAX_DAYS_AHEAD });
  if (ends_at && ends_at <= (starts_at ?? now)) throw fieldError(`${path}end`, 'schedule_order');
  if (schedule.spread_minutes !== null && schedule.spread_minutes > validity * 60) {
    throw fieldError(`${path}spread_minutes`, 'too_big', { count: validity * 60 });
  }
  if (schedule.repeat !== null) {
    if (schedule.start === null) throw fieldError(`${path}start`, 'required');
    if (schedule.repeat.until < schedule.start.slice(0, 10)) throw fieldError(`${path}repeat.until`, 'schedule_order');
  }
  return { starts_at, ends_at };
}

/** Returns the schedule of a campaign. Campaigns from before schedules existed run without a wait. */
export const scheduleOf = (campaign: { schedule: unknown }): CampaignSchedule =>
  campaignSchedule.parse(campaign.schedule);

/**
 * Returns whether a campaign waits for an undo: its schedule has no start, but it has one. An approved campaign that
 * starts immediately has none.
 */
export const waitsForUndo = (campaign: Pick<Campaign, 'state' | 'schedule' | 'starts_at'>): boolean =>
  (campaign.state === 'preparing' || campaign.state === 'scheduled') &&
  campaign.starts_at !== null &&
  scheduleOf(campaign).start === null;

/** The same of a prepared campaign, as a condition of a query. Campaigns from before schedules existed have none. */
export const waitsForUndoSql = sql<boolean>`(campaign.state = 'scheduled' AND campaign.starts_at IS NOT NULL
  AND campaign.schedule->>'start' IS NULL)`;

/** Corporation's time zone and blackout time, if one is in force. */
export interface Home {
  timezone: string;
  blackout: DailyWindow | null;
}

/** Reads the time zone and the blackout time of a corporation. */
export async function homeOfCampaign(db: Kysely<Database>, corporationId: number): Promise<Home> {
  const { timezone, start_time, end_time } = await db
    .selectFrom('corporation')
    .leftJoin('blackout_time', (join) =>
      join.onRef('blackout_time.corporation_id', '=', 'corporation.id').on('blackout_time.enabled', '=', true),
    )
    .select(['corporation.timezone', 'blackout_time.start_time', 'blackout_time.end_time'])
    .where('corporation.id', '=', corporationId)
    .executeTakeFirstOrThrow();
  return { timezone, blackout: start_time && end_time ? { from: start_time, to: end_time } : null };
}

/** Tells if the corporation or the department of a campaign is disabled. Then none of its messages are sent. */
export async function isSwitchedOff(
  db: Kysely<Database>,
  { corporation_id, department_id }: { corporation_id: number; department_id: number | null },
): Promise<boolean> {
  const { rows } = await sql`SELECT FROM corporation o LEFT JOIN department d ON d.id = ${department_id}::bigint
    WHERE o.id = ${corporation_id} AND (NOT o.enabled OR NOT d.enabled)`.execute(db);
  return rows.length > 0;
}

/** Returns the end of the blackout time that contains a moment, or null if none does. */
export const endOfBlackout = ({ timezone, blackout }: Home, moment: Date): Date | null =>
  blackout && endOfWindow(blackout, timezone, moment);

/** Throws `blackout_time` if a campaign would begin in its corporation's blackout time. */
export function refuseBlackout(home: Home, start: Date, skip: boolean): void {
  if (!skip && endOfBlackout(home, start)) throw new BusinessError('blackout_time');
}
