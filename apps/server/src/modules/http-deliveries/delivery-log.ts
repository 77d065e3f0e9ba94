import { DELIVERY_PERMISSIONS, type httpDeliveries } from '@heliograph/contract/http-deliveries/http-delivery';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { shownDocuments } from '#platform/text/shown-texts';
import type { DeliveryKind } from './kind.ts';

type Row = ReplyOf<typeof httpDeliveries>['data'][number];
type Kind = DeliveryKind['name'];

/** Returns the id of an event in all callbacks about it. */
export const webhookId = (eventId: number): string => `evt_${eventId}`;

/** Returns the kinds that a caller may see. */
const kindsOf = (ctx: Context): Kind[] =>
  (Object.keys(DELIVERY_PERMISSIONS) as Kind[]).filter((kind) =>
    ctx.caller.permissions.has(DELIVERY_PERMISSIONS[kind]),
  );

interface Place {
  id: number;
  kind: Kind;
}

/** Finds the next deliveries of a page, each by its kind and id. Every corporation is searched by its own index. */
async function findPlaces(ctx: Context, conditions: readonly RawBuilder<unknown>[], limit: number): Promise<Place[]> {
  const corporations = corporationsOf(ctx.caller);
  const newest = (more: RawBuilder<unknown>) => sql`
    SELECT d.id, d.kind FROM http_delivery d WHERE ${sql.join([more, ...conditions], sql` AND `)}
    ORDER BY d.id DESC, d.kind DESC LIMIT ${limit}`;
  const { rows } = await (corporations === null
    ? sql<Place>`${newest(sql`true`)}`
    : sql<Place>`
        SELECT n.id, n.kind FROM unnest(${corporations}::bigint[]) AS o(id)
        CROSS JOIN LATERAL (${newest(sql`d.corporation_id = o.id`)}) n ORDER BY n.id DESC, n.kind DESC LIMIT ${limit}`
  ).execute(ctx.db);
  return rows;
}

/** Lists deliveries of all kinds that the caller may see, the newest first. */
export const listDeliveries: Handler<typeof httpDeliveries> = async (ctx, { query }) => {
  const { limit, cursor, kind, state, type, callback_endpoint_id, routing_id, search } = query;
  const kinds = kindsOf(ctx).filter((each) => kind === undefined || each === kind);
  const after = cursor === undefined ? undefined : /^(\d{1,16})\.(callback|routing_call)$/.exec(cursor);
  if (after === null) throw fieldError('cursor', 'invalid');
  const number = search ? /^(?:evt_)?(\d{1,15})$/.exec(search)?.[1] : undefined;
  if (kinds.length === 0 || (search && !number)) return { data: [], next_cursor: null, has_more: false };
  const conditions = [
    sql`d.kind = ANY (${kinds}::text[])`,
    ...(after ? [sql`(d.id, d.kind) < (${after[1]}::bigint, ${after[2]}::text)`] : []),
    ...(state ? [sql`d.state = ${state}`] : []),
    ...(type ? [sql`d.type = ${type}`] : []),
    ...(callback_endpoint_id !== undefined ? [sql`d.callback_endpoint_id = ${callback_endpoint_id}`] : []),
    ...(routing_id !== undefined ? [sql`d.routing_id = ${routing_id}`] : []),
    ...(number ? [sql`${number}::bigint IN (d.message_id, d.event_id, d.inbox_message_id)`] : []),
  ];
  const places = await findPlaces(ctx, conditions, limit + 1);
  const has_more = places.length > limit;
  const data = await readDeliveries(ctx, places.slice(0, limit));
  const last = data.at(-1);
  return { data, next_cursor: has_more && last ? `${last.id}.${last.kind}` : null, has_more };
};

/** Reads deliveries in the order of their places. Texts are hidden from callers who may not read them. */
async function readDeliveries(ctx: Context, places: readonly Place[]): Promise<Row[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<Omit<Row, 'webhook_id'> & { event_id: number | null }>`
    SELECT d.id, d.kind, c.name AS corporation_name, d.callback_endpoint_id, d.routing_id,
      CASE d.kind WHEN 'callback' THEN coalesce(d.url, e.url) ELSE concat_ws(' · ', r.number, r.keyword) END AS target,
      d.event_id, d.type, d.test, i.oa, coalesce(d.body, placed_text(i.message, i.corporation_id, 'i' || i.inbound_id)) AS body, d.state, d.tries,
      CASE WHEN d.state = 'waiting' THEN d.next_at END AS next_at, d.created_at,
      CASE WHEN d.state <> 'waiting' THEN d.done_at END AS done_at, d.attempts
    FROM unnest(${places.map(({ id }) => id)}::bigint[], ${places.map((each) => each.kind)}::text[])
      WITH ORDINALITY AS p(id, kind, place)
    JOIN http_delivery d ON d.id = p.id AND d.kind = p.kind JOIN corporation c ON c.id = d.corporation_id
    LEFT JOIN callback_endpoint e ON e.id = d.callback_endpoint_id LEFT JOIN routing r ON r.id = d.routing_id
    LEFT JOIN inbox_message i ON i.id = d.inbox_message_id
    ORDER BY p.place`.execute(ctx.db);
  const bodies = await shownDocuments(
    ctx,
    rows.map(({ body }) => body),
  );
  return rows.map(({ event_id, ...row }, place) => {
    const readable = ctx.caller.content_visible || (row.kind === 'callback' && row.type !== 'message.received');
    return {
      ...row,
      webhook_id: event_id === null ? null : webhookId(event_id),
      body: readable ? bodies[place]! : null,
      attempts: row.attempts.map((each) => (readable ? each : { ...each, answer: '' })),
    };
  });
}

/** Sends a delivery again, whatever its outcome was. Throws `not_found` if the caller may not see it. */
export async function replayDelivery(ctx: Context, kind: Kind, id: number) {
  const row = await ctx.db
    .updateTable('http_delivery')
    .set({ state: 'waiting', tries: 0, next_at: sql`now()`, done_at: null })
    .where('kind', '=', kind)
    .where('id', '=', id)
    .returning(['id', 'corporation_id', 'callback_endpoint_id', 'routing_id'])
    .executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}
