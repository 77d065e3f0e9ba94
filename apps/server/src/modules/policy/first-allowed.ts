import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { closedIn, heldUntil, readHours } from './hours.ts';
import { zonesOf } from './zones-by-prefix.ts';

/** Moment for messages that the hours together let leave at no time; they expire before. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * Returns the first moment from `now` at which all messages of a program's chunk may leave, by the sending hours and the
 * corporation's blackout time; null if they may leave now.
 */
export async function firstAllowed(db: Kysely<Database>, chunkId: number, now: Date): Promise<Date | null> {
  const { rows } = await sql<{
    timezone: string;
    class: string;
    promotional: boolean;
    blackout: { from: string; to: string } | null;
    numbers: string[];
  }>`SELECT c.timezone, k.class, coalesce(s.is_promotional, false) AS promotional,
      CASE WHEN b.id IS NOT NULL THEN jsonb_build_object('from', b.start_time, 'to', b.end_time) END AS blackout,
      ARRAY(SELECT DISTINCT m.msisdn FROM message m WHERE m.id >= k.id << 10 AND m.id < (k.id + 1) << 10) AS numbers
    FROM chunk k JOIN corporation c ON c.id = k.corporation_id
    LEFT JOIN sender_id s ON s.corporation_id = k.corporation_id AND s.sender_id = k.sender_id
    LEFT JOIN blackout_time b ON b.corporation_id = k.corporation_id AND b.enabled AND b.programs
    WHERE k.id = ${chunkId}`.execute(db);
  const chunk = rows[0];
  if (!chunk) return null;
  const commercial = chunk.class === 'bulk' || chunk.promotional;
  if (chunk.class === 'otp' && !commercial) return null;
  const { blackout, timezone } = chunk;
  const own = blackout && commercial ? [{ window: blackout, zone: timezone, outside: 'wait' as const }] : [];
  const hours = await readHours(db);
  let latest = now;
  for (const zones of new Set(chunk.numbers.map((number) => zonesOf(number) ?? timezone))) {
    const held = heldUntil([...own, ...closedIn(hours, zones, commercial)], now);
    if (!held) continue;
    const until = held.until ?? NEVER;
    if (until > latest) latest = until;
  }
  return latest > now ? latest : null;
}
