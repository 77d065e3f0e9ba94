import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type DailyWindow, endOfWindow } from './daily-window.ts';
import { ZONES_BY_PREFIX } from './zones-by-prefix.ts';

/** Period of each day in which messages to some recipients may not leave. */
export interface ClosedHours extends DailyWindow {
  /** Zones of the country, joined by commas; null for every country. */
  zones: string | null;
  covers: 'commercial' | 'all';
  outside: 'wait' | 'refuse';
}

/** Reads the hours in which messages may not leave, by the rules in force. */
export async function readHours(db: Kysely<Database>): Promise<ClosedHours[]> {
  const rows = await db
    .selectFrom('sending_hours')
    .select(['calling_code', 'start_time', 'end_time', 'covers', 'outside'])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
  return rows.flatMap((row) => closedHours(row as WrittenHours) ?? []);
}

/** Sending hours as somebody wrote them. */
export interface WrittenHours {
  calling_code: string | null;
  start_time: string;
  end_time: string;
  covers: 'commercial' | 'all';
  outside: 'wait' | 'refuse';
}

/** Returns the closed period of written hours; null if they close no hour. */
export function closedHours({ calling_code, start_time, end_time, ...kind }: WrittenHours): ClosedHours | null {
  const zones = calling_code === null ? null : ZONES_BY_PREFIX[calling_code];
  // Equal times close no hour.
  if (zones === undefined || start_time === end_time) return null;
  return { from: end_time, to: start_time, zones, covers: kind.covers, outside: kind.outside };
}

/** A closed period in one time zone. */
export interface Closed {
  window: DailyWindow;
  zone: string;
  outside: 'wait' | 'refuse';
}

/** Lists the closed periods for recipients in some zones (joined by commas). */
export const closedIn = (hours: readonly ClosedHours[], zones: string, commercial: boolean): Closed[] =>
  hours
    .filter((each) => (commercial || each.covers === 'all') && (each.zones === null || each.zones === zones))
    .flatMap((window) => zones.split(',').map((zone) => ({ window, zone, outside: window.outside })));

/** Maximum periods that may follow one another before a message may leave. */
const MOST_PERIODS = 60;

/**
 * Returns the first moment that no period contains, and whether one that refuses kept the message. Returns null if a
 * message may leave at `moment`. `until` is null if the periods together leave no time at all.
 */
export function heldUntil(closed: readonly Closed[], moment: Date): { until: Date | null; refused: boolean } | null {
  let at = moment;
  let refused = false;
  for (let periods = 0; periods < MOST_PERIODS; periods++) {
    let latest = at;
    for (const { window, zone, outside } of closed) {
      const end = endOfWindow(window, zone, at);
      if (!end) continue;
      if (outside === 'refuse') refused = true;
      if (end > latest) latest = end;
    }
    if (latest === at) return periods === 0 ? null : { until: at, refused };
    at = latest;
  }
  return { until: null, refused: true };
}

/**
 * Makes the refusal of messages that may not leave before a moment, which it tells by the clocks of a time zone; null
 * if the hours leave no time at all.
 */
export const outsideHours = (until: Date | null, zone: string): BusinessError =>
  new BusinessError('outside_hours', { params: { until: until === null ? '–' : `${clockOf(until, zone)} (${zone})` } });

const clockOf = (moment: Date, zone: string): string =>
  moment
    .toTemporalInstant()
    .toZonedDateTimeISO(zone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
