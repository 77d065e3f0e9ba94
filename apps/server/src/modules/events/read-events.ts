import type { EventType } from '@heliograph/contract/kernel/events';
import { instant } from '@heliograph/contract/kernel/fields';
import { type Queryable, rowsOf } from '#platform/database/queryable';

/**
 * Subject on which the worker that finds events first notifies readers. It is only a hint: polling is the guarantee.
 */
export const EVENTS = 'outbox';

/** Event as it was written. */
export interface Event {
  id: number;
  corporation_id: number;
  department_id: number | null;
  user_id: number | null;
  type: EventType;
  message_id: number | null;
  data: Record<string, unknown>;
  /** RFC 3339. */
  created_at: string;
}

export interface EventPage {
  events: Event[];
  /** Cursor of the next page. */
  cursor: string;
  /** Returns the cursor after the event at a place of the page. */
  cursorAfter(place: number): string;
  /** The page is full: more events may be ready now. */
  more: boolean;
}

/**
 * Position of a reader: the snapshot already read, the snapshot of this round, and the last row read in it. A first
 * round may leave out what was written before a time.
 */
interface Cursor {
  seen: string;
  upto?: string;
  last?: [tx: string, id: number];
  since?: string;
}

const NOTHING = '1:1:';
const SNAPSHOT = /^\d{1,20}:\d{1,20}:[\d,]{0,20000}$/;

const encode = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/**
 * Answers where a round begins to read: after the last row that was read, else at the oldest transaction that was
 * running at the last look. From the beginning of the index every look would scan all stored events.
 */
const startOf = ({ seen, last }: Cursor): [tx: string, id: number] => last ?? [seen.slice(0, seen.indexOf(':')), 0];

/** Decodes a cursor; undefined if it is none of ours. */
function decode(text: string): Cursor | undefined {
  try {
    const { seen, upto, last, since } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Cursor;
    const valid =
      SNAPSHOT.test(seen) &&
      (upto === undefined || SNAPSHOT.test(upto)) &&
      (last === undefined || (/^\d{1,20}$/.test(last[0]) && Number.isSafeInteger(last[1]))) &&
      (since === undefined || instant.safeParse(since).success);
    return valid
      ? { seen, ...(upto !== undefined && { upto }), ...(last && { last }), ...(since !== undefined && { since }) }
      : undefined;
  } catch {
    return undefined;
  }
}

// A round covers everything that is committed when it begins; its later pages see the same. A late commit has a
// transaction that the previous snapshot could not see, and comes with the next round.
const READ = `
  WITH round AS MATERIALIZED (SELECT coalesce($2::pg_snapshot, pg_current_snapshot()) AS upto)
  SELECT (SELECT upto::text FROM round) AS upto, (SELECT upto FROM round) IS NOT NULL
      AND pg_snapshot_xmin($1::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) AS foreign, (
    SELECT json_agg(e) FROM (
      SELECT e.tx::text AS tx, e.id, e.corporation_id, e.department_id, e.user_id, e.type, e.message_id, e.data,
        to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at
      FROM event e
      WHERE (e.tx, e.id) > ($3::xid8, $4::bigint) AND e.tx < pg_snapshot_xmax((SELECT upto FROM round))
        AND NOT pg_visible_in_snapshot(e.tx, $1::pg_snapshot) AND pg_visible_in_snapshot(e.tx, (SELECT upto FROM round))
        /* filters */
      ORDER BY e.tx, e.id LIMIT $5
    ) e) AS events`;

/** Events of messages and verifications of test keys, and of messages that arrived by test links. */
const OF_TESTS = `AND (e.data ->> 'test' = 'true' OR
  EXISTS (SELECT FROM program_message p JOIN api_key k ON k.id = p.api_key_id WHERE p.message_id = e.message_id AND k.mode = 'test')
  OR e.type = 'message.received' AND EXISTS (SELECT FROM inbox_message i JOIN link l ON l.id = i.link_id
    WHERE i.id = (e.data ->> 'inbox_message_id')::bigint AND l.for_tests))`;

/** Answers which of some events are of tests, by their ids. */
export async function testsAmong(db: Queryable, events: readonly Pick<Event, 'id'>[]): Promise<Set<number>> {
  const ids = events.map(({ id }) => id);
  const rows = await rowsOf<{ id: number }>(
    db,
    `SELECT e.id FROM event e WHERE e.id = ANY ($1::bigint[]) ${OF_TESTS}`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A prime: ids of messages are multiples of 1,024 where each has a chunk of its own. */
const SPREAD = 1_009;

const FILTERS = {
  corporation_id: (n: number) => `AND e.corporation_id = $${n}::bigint`,
  user_id: (n: number) => `AND e.user_id = $${n}::bigint`,
  types: (n: number) => `AND e.type = ANY ($${n}::text[])`,
  share: (n: number) =>
    `AND coalesce(e.message_id, e.id) % ${SPREAD} % split_part($${n}, '/', 2)::int = split_part($${n}, '/', 1)::int - 1`,
  since: (n: number) => `AND e.created_at >= $${n}::timestamptz`,
};

/** Filter of events; fields that are left out match all. */
export interface EventFilter {
  corporation_id?: number;
  user_id?: number;
  types?: readonly EventType[];
  /** One part of the events, such as `2/4`; all events of a message are in the same part. */
  share?: string;
  /** Limits the events to those of tests. */
  is_test?: boolean;
}

/** A place between two events: a transaction, and an id in it. */
export type Place = [tx: string, id: number];

/** Answers a cursor of a reader who has nothing of what stands after a place, and wants nothing from before a time. */
export const cursorFrom = (last: Place, since: string): string => encode({ seen: NOTHING, last, since });

/**
 * Answers the cursor with the end of its round fixed, so that later reads find the same events. Undefined if it is no
 * cursor.
 */
export async function fixRound(db: Queryable, after: string | null): Promise<string | undefined> {
  const from = after ? decode(after) : { seen: NOTHING };
  if (!from || from.upto !== undefined) return from && encode(from);
  const [row] = await rowsOf<{ upto: string }>(db, 'SELECT pg_current_snapshot()::text AS upto');
  return encode({ ...from, upto: row!.upto });
}

/** Answers a cursor after all present events. */
export async function fromNow(db: Queryable): Promise<string> {
  const [row] = await rowsOf<{ snapshot: string }>(db, 'SELECT pg_current_snapshot()::text AS snapshot');
  return encode({ seen: row!.snapshot });
}

/**
 * Reads the next events after `after`, in the order of their transactions; without it from the oldest. Each comes once,
 * however late its transaction commits. Undefined if `after` is no cursor, or is of another database.
 */
export async function readEvents(
  db: Queryable,
  { after, limit, filter = {} }: { after?: string | null | undefined; limit: number; filter?: EventFilter },
): Promise<EventPage | undefined> {
  const from: Cursor | undefined = after ? decode(after) : { seen: NOTHING };
  if (!from) return undefined;
  const values: unknown[] = [from.seen, from.upto ?? null, ...startOf(from), limit];
  const limits = { ...filter, since: from.since };
  const wanted = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).flatMap((name) => {
    if (limits[name] === undefined) return [];
    values.push(limits[name]);
    return [FILTERS[name](values.length)];
  });
  const [page] = await rowsOf<{ upto: string; foreign: boolean; events: (Event & { tx: string })[] | null }>(
    db,
    READ.replace('/* filters */', [...wanted, filter.is_test ? OF_TESTS : ''].join(' ')),
    values,
  );
  const { upto, foreign, events } = page!;
  if (foreign) return undefined;
  const rows = events ?? [];
  const more = rows.length === limit;
  const within = ({ tx, id }: { tx: string; id: number }) =>
    encode({ seen: from.seen, upto, last: [tx, id], ...(from.since !== undefined && { since: from.since }) });
  const cursor = more ? within(rows.at(-1)!) : encode({ seen: upto });
  return {
    events: rows.map(({ tx: _, ...event }) => event),
    cursor,
    cursorAfter: (place) => (place === rows.length - 1 ? cursor : within(rows[place]!)),
    more,
  };
}

/** SQL of the sign that there are events after a reader's cursor; `unreadAfter` answers its values. */
export const UNREAD = `EXISTS (
  SELECT FROM event WHERE (tx, id) > ($2::xid8, $3::bigint) AND NOT pg_visible_in_snapshot(tx, $1::pg_snapshot))`;

/** Answers the values of `UNREAD` for a cursor. */
export function unreadAfter(cursor: string | null | undefined): unknown[] {
  const from = (cursor && decode(cursor)) || { seen: NOTHING };
  return [from.seen, ...startOf(from)];
}

const OLDEST_UNREAD = `
  SELECT extract(epoch FROM now() - created_at)::float8 AS seconds FROM event
  WHERE (tx, id) > ($2::xid8, $3::bigint) AND NOT pg_visible_in_snapshot(tx, $1::pg_snapshot)
  ORDER BY tx, id LIMIT 1`;

/** Answers for how many seconds the oldest event after a reader's cursor has waited; 0 if none waits. */
export async function waitingSince(db: Queryable, cursor: string | null): Promise<number> {
  const from = cursor === null ? { seen: NOTHING } : decode(cursor);
  if (!from) return 0;
  const values = [from.seen, ...startOf(from)];
  const [row] = await rowsOf<{ seconds: number }>(db, OLDEST_UNREAD, values);
  return Math.max(0, row?.seconds ?? 0);
}
