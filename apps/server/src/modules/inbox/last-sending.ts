import { type Queryable, rowsOf } from '#platform/database/queryable';

/** Last message from a sender to a phone. A message of a campaign comes before all others. */
export interface LastSending {
  corporation_id: number;
  campaign_id: number | null;
  campaign_name: string | null;
  department_id: number | null;
  /** User who created the campaign. */
  user_id: number | null;
}

/** Hours within which a reply is counted for a campaign. */
const WITHIN_HOURS = 72;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;

// Searches each phone by the index of its day's partition. Ids begin with the day, so the lower bound excludes all
// older partitions.
const FIND = `
  SELECT w.place, f.corporation_id, f.campaign_id, c.name AS campaign_name, c.department_id, c.created_by AS user_id
  FROM unnest($1::integer[], $2::text[], $3::text[]) AS w(place, msisdn, senders)
  CROSS JOIN LATERAL (
    SELECT m.corporation_id, m.campaign_id FROM message m JOIN chunk k ON k.id = m.id >> 10
    WHERE m.msisdn = w.msisdn AND m.id >= $4 AND k.created_at >= $5 AND (m.id & 1023) < k.cursor
      AND upper(k.sender_id) = ANY (string_to_array(w.senders, E'\\x1f'))
    ORDER BY m.campaign_id IS NULL, m.id DESC LIMIT 1
  ) f
  LEFT JOIN campaign c ON c.id = f.campaign_id`;

/**
 * Finds the last message that one of the senders (in capitals) sent to each phone within 72 hours. The result has the
 * order of the phones, with undefined for a phone that got no message.
 */
export async function findSendings(
  db: Queryable,
  phones: readonly { msisdn: string; senders: readonly string[] }[],
  now: Date,
): Promise<(LastSending | undefined)[]> {
  const since = now.getTime() - WITHIN_HOURS * HOUR_MS;
  const found: (LastSending | undefined)[] = new Array(phones.length).fill(undefined);
  const rows = await rowsOf<LastSending & { place: number }>(db, FIND, [
    [...phones.keys()],
    phones.map(({ msisdn }) => msisdn),
    phones.map(({ senders }) => senders.join('\x1f')),
    Math.floor(since / DAY_MS) * MESSAGES_A_DAY,
    new Date(since).toISOString(),
  ]);
  for (const { place, ...sending } of rows) found[place] = sending;
  return found;
}
