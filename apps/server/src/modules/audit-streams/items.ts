import type { EventType } from '@heliograph/contract/kernel/events';
import { bodyOf, tellings } from '#modules/callbacks';
import { type Event, fixRound, readEvents } from '#modules/events';
import type { ConnectedConfig } from '#platform/config/config';
import type { Queryable } from '#platform/database/queryable';
import { rowsOf } from '#platform/database/queryable';
import { shownDocuments } from '#platform/text/shown-texts';
import { type Entry, toOcsf } from './ocsf.ts';

/** Thing that a stream sends: an entry of the log, or an event. */
export interface Item {
  /** The same at each try, so that a receiver can leave out what it has. */
  id: string;
  /** Things with one key reach a topic in their order. */
  key: string;
  /** Class of an entry, or type of an event. */
  kind: string;
  /** RFC 3339. */
  at: string;
  json: string;
}

/** Next items of a stream. */
export interface Batch {
  items: Item[];
  /** Place after them, as the stream stores it. */
  place: { position: number; cursor: string | null };
  /** There may be more. */
  full: boolean;
  /** The place is to be stored, although there may be no items. */
  moved: boolean;
}

/** Columns of a stream that say what it sends next. */
export interface Source {
  id: number;
  corporation_id: number | null;
  contents: string;
  types: EventType[];
  position: number;
  object_to: number | null;
  cursor: string | null;
  /** Last position of the log. */
  top: number;
}

// Entries are committed in the order of their positions, so none below `top` is missing.
const ENTRIES = `
  SELECT a.position, a.id, a.corporation_id, a.name, a.description, a.subject_type, a.subject_id, a.causer_id,
    u.name AS causer_name, a.properties,
    to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
    jsonb_build_array(a.position, a.id, a.corporation_id, a.name, a.description, a.subject_type, a.subject_id, a.causer_type,
      a.causer_id, a.properties, to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS text,
    encode(a.hash, 'hex') AS hash, encode(a.previous_hash, 'hex') AS previous_hash
  FROM activity_log a LEFT JOIN user_account u ON u.id = a.causer_id
  WHERE a.position > $1 AND a.position <= $2 AND ($3::bigint IS NULL OR a.corporation_id IN (
    SELECT c.id FROM corporation c JOIN corporation own ON own.id = $3
    WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id)))
  ORDER BY a.position LIMIT $4`;

async function nextEntries(database: Queryable, stream: Source, limit: number): Promise<Batch> {
  const { position, object_to, top, corporation_id } = stream;
  const entries = await rowsOf<Entry>(database, ENTRIES, [position, object_to ?? top, corporation_id, limit]);
  const full = entries.length === limit;
  const items = entries.map((entry): Item => {
    const event = toOcsf(entry);
    return {
      id: String(entry.position),
      key: String(entry.corporation_id ?? 'platform'),
      kind: String(event['class_uid']),
      at: entry.created_at,
      json: JSON.stringify(event),
    };
  });
  const place = { position: full ? entries.at(-1)!.position : (object_to ?? top), cursor: null };
  return { items, place, full, moved: true };
}

/** Returns the key of an event: the number of the phone, else what the event is about. */
export function keyOfEvent({ type, message_id, data, id }: Event, told: Record<string, unknown>): string {
  // A message from a phone was sent to a short code, which is that of many.
  const phone = type === 'message.received' ? told['from'] : told['to'];
  return String(phone ?? message_id ?? data['campaign_id'] ?? data['billing_account_id'] ?? id);
}

async function nextEvents(
  database: Queryable,
  config: Pick<ConnectedConfig, 'SECRET_KEY' | 'DATA_DIR'>,
  { corporation_id, types, cursor, position }: Source,
  limit: number,
): Promise<Batch> {
  const filter = { corporation_id: corporation_id!, ...(types.length > 0 && { types }) };
  const page = await readEvents(database, { after: cursor, limit, filter });
  // A restore into another cluster leaves cursors without a meaning. Events that are kept are sent once more.
  if (!page) return { items: [], place: { position, cursor: await oldest(database) }, full: true, moved: true };
  const told = await tellings(database, page.events);
  const bodies = page.events.map(({ id, type, created_at }) => bodyOf(type, created_at, told.get(id)!.data));
  const shown = await shownDocuments({ db: database as never, config, locale: 'en' }, bodies);
  const items = page.events.map(
    (event, place): Item => ({
      id: `evt_${event.id}`,
      key: keyOfEvent(event, told.get(event.id)!.data),
      kind: event.type,
      at: event.created_at,
      json: `{"id":"${event.id}",${shown[place]!.slice(1)}`,
    }),
  );
  const moved = items.length > 0 || (types.length > 0 && (await hasOthers(database, corporation_id!, cursor)));
  return { items, place: { position, cursor: page.cursor }, full: page.more, moved };
}

/** Tells if there are events of types that are not wanted: a stream that gets their types later must not send them. */
const hasOthers = async (database: Queryable, corporation_id: number, after: string | null): Promise<boolean> =>
  ((await readEvents(database, { after, limit: 1, filter: { corporation_id } }))?.events.length ?? 0) > 0;

/** Returns the cursor before the oldest event. */
const oldest = async (database: Queryable): Promise<string> => (await fixRound(database, null))!;

/** Returns what a stream sends next, at most `limit` items. */
export const nextItems = (
  database: Queryable,
  config: Pick<ConnectedConfig, 'SECRET_KEY' | 'DATA_DIR'>,
  stream: Source,
  limit: number,
): Promise<Batch> =>
  stream.contents === 'events' ? nextEvents(database, config, stream, limit) : nextEntries(database, stream, limit);
