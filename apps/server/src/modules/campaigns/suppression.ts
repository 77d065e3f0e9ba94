import { type Kysely, sql } from 'kysely';
import { numberArray, plainArray } from '#platform/database/array-literal';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { numberDigest } from '#platform/person/number-digest';

/** Reason why a number gets no messages: the customer's own list, or the person's opt-out. */
export type Suppression = 'blacklisted' | 'opted_out';

/**
 * Finds the numbers that may get nothing from a sender ID through one channel (the console by default). A number may be
 * blocked for the corporation or for this sender, and for that channel or all. An opt-out is reported before the
 * customer's list.
 */
export async function suppressed(
  db: Kysely<Database>,
  from: { corporation_id: number; sender_id_id: number; channel?: 'web' | 'api' | 'smpp' },
  numbers: readonly string[],
): Promise<Map<string, Suppression>> {
  if (numbers.length === 0) return new Map();
  const asked = sql`ANY (${`{${numbers.join()}}`}::text[])`;
  // The last line is no number: it tells that the corporation has stops of erased people, which are known by their hashes.
  const { rows } = await sql<{ number: string; opt_out: boolean }>`
    SELECT number, bool_or(opt_out) AS opt_out FROM (
      SELECT number, false AS opt_out FROM blacklist_number
      WHERE corporation_id = ${from.corporation_id} AND number = ${asked}
        AND (sender_id_id IS NULL OR sender_id_id = ${from.sender_id_id}) AND channel IN ('all', ${from.channel ?? 'web'})
      UNION ALL
      SELECT number, true FROM opt_out
      WHERE corporation_id = ${from.corporation_id} AND number = ${asked} AND ended_at IS NULL
      UNION ALL
      SELECT '', false WHERE EXISTS (SELECT FROM erased_stop WHERE corporation_id = ${from.corporation_id} AND ended_at IS NULL)
    ) stopped GROUP BY number`.execute(db);
  const found = new Map<string, Suppression>(
    rows.map(({ number, opt_out }) => [number, opt_out ? 'opted_out' : 'blacklisted']),
  );
  if (!found.delete('')) return found;
  const erased = await erasedAmong(
    db,
    numbers.map((number) => ({ ...from, channel: from.channel ?? 'web', number })),
  );
  for (const [place, number] of numbers.entries()) {
    const why = erased[place];
    if (why === 'opted_out' || (why && !found.has(number))) found.set(number, why);
  }
  return found;
}

const ERASED_AMONG = `
  SELECT a.place, bool_or(e.kind = 'opt_out') AS opt_out
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY AS a(corporation_id, digest, sender_id_id, channel, place)
  JOIN erased_stop e ON e.corporation_id = a.corporation_id AND e.digest = a.digest AND e.ended_at IS NULL
  WHERE e.kind = 'opt_out' OR ((e.sender_id_id IS NULL OR e.sender_id_id = a.sender_id_id) AND e.channel IN ('all', a.channel))
  GROUP BY a.place`;

/** As `suppressedAmong`, for people whose records were erased. */
async function erasedAmong(db: Queryable, asked: readonly Asked[]): Promise<(Suppression | undefined)[]> {
  const found: (Suppression | undefined)[] = new Array(asked.length).fill(undefined);
  const rows = await rowsOf<{ place: number; opt_out: boolean }>(db, ERASED_AMONG, [
    numberArray(asked.map((each) => each.corporation_id)),
    plainArray(asked.map((each) => numberDigest(each.number))),
    numberArray(asked.map((each) => each.sender_id_id)),
    plainArray(asked.map((each) => each.channel)),
  ]);
  for (const { place, opt_out } of rows) found[place - 1] = opt_out ? 'opted_out' : 'blacklisted';
  return found;
}

/** Number to send to, with its sender ID and channel. */
interface Asked {
  corporation_id: number;
  sender_id_id: number;
  number: string;
  channel: 'web' | 'api' | 'smpp';
}

const SUPPRESSED_AMONG = `
  WITH asked AS (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
      AS a(corporation_id, number, sender_id_id, channel, place)
  )
  SELECT a.place, bool_or(opt_out) AS opt_out FROM (
    SELECT a.place, false AS opt_out FROM asked a JOIN blacklist_number b
      ON b.corporation_id = a.corporation_id AND b.number = a.number
    WHERE (b.sender_id_id IS NULL OR b.sender_id_id = a.sender_id_id) AND b.channel IN ('all', a.channel)
    UNION ALL
    SELECT a.place, true FROM asked a JOIN opt_out o ON o.corporation_id = a.corporation_id AND o.number = a.number
    WHERE o.ended_at IS NULL
    UNION ALL
    SELECT 0, false WHERE EXISTS (SELECT FROM erased_stop WHERE corporation_id = ANY ($1) AND ended_at IS NULL)
  ) a GROUP BY a.place`;

/** Checks numbers of many corporations and senders together. Returns the suppression of each, in their order. */
export async function suppressedAmong(db: Queryable, asked: readonly Asked[]): Promise<(Suppression | undefined)[]> {
  const found: (Suppression | undefined)[] = new Array(asked.length).fill(undefined);
  if (asked.length === 0) return found;
  const rows = await rowsOf<{ place: number; opt_out: boolean }>(db, SUPPRESSED_AMONG, [
    numberArray(asked.map((each) => each.corporation_id)),
    plainArray(asked.map((each) => each.number)),
    numberArray(asked.map((each) => each.sender_id_id)),
    plainArray(asked.map((each) => each.channel)),
  ]);
  for (const { place, opt_out } of rows.filter((row) => row.place > 0))
    found[place - 1] = opt_out ? 'opted_out' : 'blacklisted';
  // Place 0 tells that a corporation has stops of erased people.
  if (!rows.some(({ place }) => place === 0)) return found;
  const erased = await erasedAmong(db, asked);
  return found.map((why, place) => (erased[place] === 'opted_out' ? 'opted_out' : (why ?? erased[place])));
}
