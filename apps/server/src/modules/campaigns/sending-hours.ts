import type { Kysely } from 'kysely';
import { closedIn, type DailyWindow, heldUntil, outsideHours, readHours } from '#modules/policy';
import type { Database } from '#platform/database/db';

/** Messages of a campaign that the hours would hold at its start. */
interface HeldAtStart {
  messages: number;
  /** End of the longest wait; null if the hours leave no time at all. */
  until: Date | null;
  /** True if a rule refuses them instead of letting them wait. */
  refused: boolean;
}

/**
 * Counts the messages of a quote that would have to wait if they were sent at a moment, by the sending hours and the
 * campaign's own quiet time; null if none would.
 */
export async function heldAtStart(
  db: Kysely<Database>,
  { details }: { details: unknown },
  start: Date,
  quiet: DailyWindow | null = null,
): Promise<HeldAtStart | null> {
  const zones = Object.entries((details as { zones?: Record<string, number> } | null)?.zones ?? {});
  if (zones.length === 0) return null;
  const hours = await readHours(db);
  const all: HeldAtStart = { messages: 0, until: start, refused: false };
  for (const [zone, messages] of zones) {
    const own = quiet ? zone.split(',').map((each) => ({ window: quiet, zone: each, outside: 'wait' as const })) : [];
    const held = heldUntil([...own, ...closedIn(hours, zone, true)], start);
    if (!held) continue;
    all.messages += messages;
    all.refused ||= held.refused;
    if (held.until === null) all.until = null;
    else if (all.until !== null && held.until > all.until) all.until = held.until;
  }
  return all.messages === 0 ? null : all;
}

/** Throws `outside_hours` if a campaign would start outside hours that refuse its messages; `zone` tells until when. */
export async function refuseOutsideHours(
  db: Kysely<Database>,
  quote: { details: unknown },
  start: Date,
  zone: string,
): Promise<void> {
  const held = await heldAtStart(db, quote, start);
  if (held?.refused) throw outsideHours(held.until, zone);
}
