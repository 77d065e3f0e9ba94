import type { Kysely } from 'kysely';
import { EVENTS, type Event, fromNow, readEvents, testsAmong } from '#modules/events';
import { HELD_SECONDS, type Made } from '#modules/http-deliveries';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { tell } from '#platform/fan-out/tell';
import type { Logger } from '#platform/log';
import { bodyOf, tellings } from './bodies.ts';
import type { DueCallback } from './callback-kind.ts';
import { jasminReport } from './jasmin-report.ts';
import { kannelReport } from './kannel-report.ts';
import type { Report, ReportedMessage } from './reported-message.ts';
import { twilioReport } from './twilio-report.ts';
import { vonageReport } from './vonage-report.ts';

/** Maximum events that are read in one transaction. */
const PAGE = 2_000;
/**
 * Share of the looks without news that write the position anyway. If it became old, the next search would take longer.
 */
const TIDIED = 0.02;

/** Position in the outbox at the last look. */
export interface Place {
  cursor: string | null;
}

interface Endpoint {
  id: number;
  corporation_id: number;
  department_id: number | null;
  kind: string;
  types: string[];
  resting: boolean;
  /** Whether it gets only events of tests. */
  for_tests: boolean;
}

const ENDPOINTS = `
  SELECT e.id, e.corporation_id, e.department_id, e.kind, e.types, e.paused_at IS NOT NULL AS resting,
    coalesce(k.mode = 'test', false) AS for_tests
  FROM callback_endpoint e LEFT JOIN api_key k ON k.id = e.api_key_id
  WHERE e.enabled AND e.corporation_id = ANY ($1::bigint[]) AND (e.api_key_id IS NULL OR key_works(e.api_key_id))`;

const ADD = `
  INSERT INTO callback (corporation_id, callback_endpoint_id, event_id, type, message_id, url, body, next_at)
  SELECT corporation_id, endpoint, event, type, message, url, body,
    now() + CASE WHEN taken THEN interval '${HELD_SECONDS} s' ELSE interval '0' END
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::boolean[])
    AS u(corporation_id, endpoint, event, type, message, url, body, taken)
  RETURNING id, callback_endpoint_id, event_id`;

// Endpoint for addresses that messages name. It holds the secrets of its corporation.
const ENSURE = `
  INSERT INTO callback_endpoint (corporation_id, kind) SELECT unnest($1::bigint[]), 'message'
  ON CONFLICT (corporation_id, department_id, kind) WHERE kind <> 'own' DO NOTHING`;

interface New {
  endpoint: Endpoint;
  event: Event;
  url: string | null;
  body: string;
  taken: boolean;
}

/**
 * Makes callbacks from the next events. Each event is written once for each endpoint, because the same transaction
 * moves the position in the outbox. The caller gets the callbacks for which `room` has space. Returns undefined if
 * there are no events, or another worker is making callbacks. Notes the position in `known`.
 */
export async function makeCallbacks(
  database: Kysely<Database>,
  log: Logger,
  room: (endpointId: number) => number,
  known: Place = { cursor: null },
): Promise<Made<DueCallback> | undefined> {
  // A look without news takes no lock: the lock alone would write to the disk ten times a second.
  if (Math.random() >= TIDIED && !(await hasNews(database, known))) return undefined;
  const made = await database.transaction().execute(async (db) => {
    const [place] = await rowsOf<{ cursor: string | null }>(
      db,
      'SELECT cursor FROM callback_progress FOR UPDATE SKIP LOCKED',
    );
    if (!place) return undefined;
    const page = await readEvents(db, { after: place.cursor, limit: PAGE });
    if (!page) log.error('event position belongs to another database; callbacks continue with new events');
    const events = page?.events ?? [];
    const cursor = page?.cursor ?? (await fromNow(db));
    const news = events.length > 0 ? await newCallbacks(db, events) : [];
    const rooms = new Map<number, number>();
    for (const each of news) {
      const left = rooms.get(each.endpoint.id) ?? (each.endpoint.resting ? 0 : room(each.endpoint.id));
      each.taken = left > 0;
      rooms.set(each.endpoint.id, left - 1);
    }
    const taken = await addCallbacks(db, news);
    await rowsOf(db, 'UPDATE callback_progress SET cursor = $1', [cursor]);
    // One notification wakes all readers, sent by the first process that finds events. If each sender's batch sent one,
    // commits would wait for each other.
    if (events.length > 0) await tell(db, EVENTS);
    if (news.length > 0) failpoint('callbacks.before-commit');
    return { taken, left: taken.length < news.length, more: page?.more ?? false, made: news.length, cursor };
  });
  if (made) known.cursor = made.cursor;
  if (made && made.made > 0) failpoint('callbacks.after-commit');
  return made;
}

async function hasNews(db: Queryable, known: Place): Promise<boolean> {
  const [place] = await rowsOf<{ cursor: string | null }>(db, 'SELECT cursor FROM callback_progress');
  known.cursor = place?.cursor ?? null;
  const page = await readEvents(db, { after: place?.cursor, limit: 1 });
  return page === undefined || page.events.length > 0;
}

async function newCallbacks(db: Queryable, events: readonly Event[]): Promise<New[]> {
  const corporations = [...new Set(events.map(({ corporation_id }) => corporation_id))];
  let endpoints = await rowsOf<Endpoint>(db, ENDPOINTS, [corporations]);
  const told = await tellings(db, events);
  const own = new Set(events.flatMap(({ id, corporation_id }) => (told.get(id)!.callback_url ? [corporation_id] : [])));
  for (const { kind, corporation_id } of endpoints) if (kind === 'message') own.delete(corporation_id);
  if (own.size > 0) {
    await rowsOf(db, ENSURE, [[...own]]);
    endpoints = await rowsOf<Endpoint>(db, ENDPOINTS, [corporations]);
  }
  const tests = endpoints.some(({ for_tests }) => for_tests) ? await testsAmong(db, events) : new Set<number>();
  const byCorporation = Map.groupBy(endpoints, ({ corporation_id }) => corporation_id);
  return events.flatMap((event): New[] => {
    const { data, callback_url, callback_form } = told.get(event.id)!;
    const report = callback_form === null ? undefined : reportIn(callback_url!, callback_form, data);
    const named = callback_form === null ? callback_url : (report?.url ?? null);
    const wanted = (byCorporation.get(event.corporation_id) ?? []).filter((endpoint) =>
      endpoint.kind === 'message' ? named !== null : wants(endpoint, event, tests),
    );
    if (wanted.length === 0) return [];
    const body = bodyOf(event.type, event.created_at, data);
    return wanted.map((endpoint) => {
      const isNamed = endpoint.kind === 'message';
      return {
        endpoint,
        event,
        url: isNamed ? named : null,
        body: (isNamed ? report?.body : undefined) ?? body,
        taken: false,
      };
    });
  });
}

/** Call that reports an outcome in another gateway's form; undefined if the program does not want this one. */
function reportIn(url: string, form: string, { tags, ...data }: Record<string, unknown>): Report | undefined {
  const message = { ...(data as unknown as ReportedMessage), account: (tags as string[])[0] ?? null };
  for (const report of [kannelReport, jasminReport, twilioReport, vonageReport]) {
    const call = report(url, form, message);
    if (call) return call;
  }
  return undefined;
}

const wants = ({ department_id, types, for_tests }: Endpoint, event: Event, tests: ReadonlySet<number>): boolean =>
  (!for_tests || tests.has(event.id)) &&
  (department_id === null || department_id === event.department_id) &&
  (types.length === 0 || types.includes(event.type));

async function addCallbacks(db: Queryable, news: readonly New[]): Promise<DueCallback[]> {
  if (news.length === 0) return [];
  const rows = await rowsOf<{ id: number; callback_endpoint_id: number; event_id: number }>(db, ADD, [
    news.map(({ event }) => event.corporation_id),
    news.map(({ endpoint }) => endpoint.id),
    news.map(({ event }) => event.id),
    news.map(({ event }) => event.type),
    news.map(({ event }) => event.message_id),
    news.map(({ url }) => url),
    news.map(({ body }) => body),
    news.map(({ taken }) => taken),
  ]);
  const ids = new Map(rows.map((row) => [`${row.callback_endpoint_id}/${row.event_id}`, row.id]));
  return news.flatMap(({ endpoint, event, url, body, taken }) =>
    taken
      ? [
          {
            id: ids.get(`${endpoint.id}/${event.id}`)!,
            target: endpoint.id,
            event_id: event.id,
            url,
            body,
            tries: 0,
            test: false,
          },
        ]
      : [],
  );
}
