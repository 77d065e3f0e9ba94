import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rulesAt } from '#platform/records/rule-history';
import { closedHours, closedIn, heldUntil, type WrittenHours } from './hours.ts';
import { zonesOf } from './zones-by-prefix.ts';

const rule = 'hours' as const;

/**
 * Explains a message by the sending hours that were in force when it left, or when it was handed in if it has not left.
 * Null if there were none for its recipient.
 */
export async function explainHours(db: Kysely<Database>, message: CheckedMessage): Promise<MessageCheck | null> {
  const moment = message.left_at ?? message.created_at;
  const written = await rulesAt<Written>(db, 'sending_hours', message.corporation_id, moment);
  if (written.length === 0) return null;
  const { home, promotional } = await senderOf(db, message);
  const zones = zonesOf(message.number) ?? home;
  const commercial = message.campaign_id !== null || message.class === 'bulk' || promotional;
  const there = written.flatMap(({ said }) => {
    const hours = said.enabled ? closedHours(said) : null;
    return hours && closedIn([hours], zones, true).length > 0 ? [{ said, hours }] : [];
  });
  if (there.length === 0) return null;
  const bound = there.filter(({ said }) => commercial || (said.covers === 'all' && message.class !== 'otp'));
  if (bound.length === 0) return { rule, result: 'skipped', because: { key: 'exempt', params: {} } };
  const names = bound.map(({ said }) => `${said.name} (${said.start_time}–${said.end_time})`).join(', ');
  const closed = closedIn(
    bound.map(({ hours }) => hours),
    zones,
    commercial,
  );
  const held = heldUntil(closed, new Date(moment)) !== null;
  if (message.left_at === null) {
    const waits = message.state === 'pending';
    return { rule, result: waits ? 'waiting' : 'passed', because: { key: held ? 'held' : 'open', params: { names } } };
  }
  // Hours that begin while messages are on their way do not call them back.
  const key = held ? 'on_its_way' : 'within';
  return { rule, result: 'passed', because: { key, params: { names, clock: clocksOf(zones, moment) } } };
}

type Written = WrittenHours & { name: string; enabled: boolean };

/** Reads the corporation's time zone, and whether the sender ID is for promotions. */
async function senderOf(db: Kysely<Database>, { corporation_id, sender_id }: CheckedMessage) {
  const row = await db
    .selectFrom('corporation')
    .leftJoin('sender_id', (join) =>
      join.onRef('sender_id.corporation_id', '=', 'corporation.id').on('sender_id.sender_id', '=', sender_id),
    )
    .select(['corporation.timezone', 'sender_id.is_promotional'])
    .where('corporation.id', '=', corporation_id)
    .executeTakeFirstOrThrow();
  return { home: row.timezone, promotional: row.is_promotional ?? false };
}

/** Returns the clock of a moment in zones (joined by commas): the earliest and the latest, if they differ. */
function clocksOf(zones: string, moment: string): string {
  const at = Temporal.Instant.from(moment);
  const times = zones.split(',').map((zone) => at.toZonedDateTimeISO(zone).toPlainDateTime());
  const [first, last] = [times.toSorted(Temporal.PlainDateTime.compare)].flatMap((all) => [all.at(0)!, all.at(-1)!]);
  const clock = (time: Temporal.PlainDateTime) => time.toPlainTime().toString({ smallestUnit: 'minute' });
  return first!.equals(last!) ? clock(first!) : `${clock(first!)}–${clock(last!)}`;
}
