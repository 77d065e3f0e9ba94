import type pg from 'pg';
import {
  avoidsDeclined,
  chooseLinks,
  hasDeclined,
  linksOf,
  pickLink,
  type Route,
  type Routing,
  routeOf,
  type SentBy,
  takeLimits,
} from '#modules/carrier-routes';
import { numberArray } from '#platform/database/array-literal';
import { inTransaction } from '#platform/database/in-transaction';
import { rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';
import { wakeSenders } from '../enqueue.ts';

/** Maximum chunks and retries that one transaction moves: few, so that others do not wait for it. */
const CHUNKS = 200;
const RETRIES = 1_000;

const ALLOWED = `(k.carrier_route_id = ANY ($3::bigint[]) OR ($4 AND k.carrier_route_id IS NULL))`;

// Locked first and in the order of their ids, as in intents and cancellation. Under the lock the cursor is current:
// messages before it were handed to the old link, the others go to the new one. Those that must stay are passed by.
const LOCK_CHUNKS = `
  SELECT k.id, k.carrier_route_id, k.corporation_id, k.sender_id, k.size - k.cursor AS waiting,
    (SELECT m.msisdn FROM message m WHERE m.id = (k.id << 10) + k.cursor) AS msisdn
  FROM chunk k
  WHERE k.link_id = $1 AND k.class = $2 AND k.state = 'open' AND k.id > $5 AND ${ALLOWED}
  ORDER BY k.id LIMIT ${CHUNKS} FOR NO KEY UPDATE`;
export const MOVE_CHUNKS = `
  UPDATE chunk k SET link_id = w.link_id FROM unnest($1::bigint[], $2::bigint[]) AS w(id, link_id) WHERE k.id = w.id`;

// A claim deletes its row, so an existing row has not left. Its pause was meant for the old link.
const LOCK_RETRIES = `
  SELECT r.message_id, r.part, k.carrier_route_id, k.corporation_id, k.sender_id,
    (SELECT m.msisdn FROM message m WHERE m.id = r.message_id) AS msisdn
  FROM retry r JOIN chunk k ON k.id = r.message_id >> 10
  WHERE r.link_id = $1 AND r.class = $2 AND (r.message_id, r.part) > ($5, $6) AND ${ALLOWED}
  ORDER BY r.message_id, r.part LIMIT ${RETRIES} FOR UPDATE OF r SKIP LOCKED`;
export const MOVE_RETRIES = `
  UPDATE retry r SET link_id = w.link_id, not_before = least(r.not_before, now())
  FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS w(message_id, part, link_id)
  WHERE r.message_id = w.message_id AND r.part = w.part`;

const COUNT_PARTS = `
  SELECT k.id, sum(m.parts)::int AS parts FROM chunk k JOIN message m ON m.id >= (k.id << 10) + k.cursor AND m.id < (k.id << 10) + k.size
  WHERE k.id = ANY ($1::bigint[]) GROUP BY k.id`;

interface HandedOver {
  messages: number;
  segments: number;
}

/** Waiting messages. Those of a chunk go together, by the number of the first. */
type Origin = SentBy & { carrier_route_id: number | null; msisdn: string | null };

/**
 * Moves messages of this class that wait for an ill link to the next healthy links of their routes; messages without
 * one stay. With `declined` the link is healthy, and only messages for which its quality has declined move. Uses many short transactions; any number of processes may run it at the same time. Messages with a
 * committed intent stay with the old link, so nothing is sent twice.
 */
export async function handOver(
  pool: pg.Pool,
  routing: Routing,
  linkId: number,
  messageClass: MessageClass,
  declined = false,
): Promise<HandedOver> {
  const waits = (route: Route | null, by: SentBy | null) =>
    chooseLinks(linksOf(routing, route, by), routing.links, messageClass).waits;
  const routes = routing.table.routes
    .filter((route) => !waits(route, null) && (!declined || avoidsDeclined(route)))
    .map(({ id }) => id);
  const withoutRoute = !declined && !waits(null, null);
  const allowed = [linkId, messageClass, numberArray(routes), withoutRoute];
  const handed: HandedOver = { messages: 0, segments: 0 };
  if (routes.length === 0 && !withoutRoute) return handed;
  const { asked } = routing.table.registrations;
  /** Link to which messages go now; null if they stay, as no healthy link knows their sender ID. */
  const nextOf = (from: Origin, messages: number): number | null => {
    const route = from.carrier_route_id === null ? null : (routing.table.byId(from.carrier_route_id) ?? null);
    const message = { ...from, class: messageClass, msisdn: from.msisdn ?? '' };
    const ranked = routeOf(routing, route, message);
    if (asked && waits(ranked, from)) return null;
    if (declined && !(route && hasDeclined(routing, route, linkId, message))) return null;
    const next = pickLink(routing, ranked, messageClass, messages, from);
    return next === linkId || (declined && next !== null && hasDeclined(routing, route!, next, message)) ? null : next;
  };
  let chunk = 0;
  let retry: readonly [message: number, part: number] = [0, 0];
  for (let more = true; more; ) {
    more = await inTransaction(pool, async (client) => {
      const { rows: chunks } = await client.query<Origin & { id: number; waiting: number }>(LOCK_CHUNKS, [
        ...allowed,
        chunk,
      ]);
      const moved = await withinLimits(client, routing, chunks, nextOf);
      await client.query(MOVE_CHUNKS, [
        numberArray(moved.map(({ id }) => id)),
        numberArray(moved.map(({ link }) => link)),
      ]);
      const { rows: retries } = await client.query<Origin & { message_id: number; part: number }>(LOCK_RETRIES, [
        ...allowed,
        ...retry,
      ]);
      const resent = linksOfRetries(retries, (each) => nextOf(each, 1));
      await client.query(MOVE_RETRIES, valuesOf(resent));
      handed.messages += moved.reduce((sum, { waiting }) => sum + waiting, 0);
      handed.segments += resent.length;
      if (moved.length > 0 || resent.length > 0) await wakeSenders(client);
      chunk = chunks.at(-1)?.id ?? chunk;
      const last = retries.at(-1);
      if (last) retry = [last.message_id, last.part];
      return chunks.length === CHUNKS || retries.length === RETRIES;
    });
  }
  return handed;
}

/** Picks the links of chunks, and counts their parts for the limits of these links. A cap without room is passed by. */
async function withinLimits<Chunk extends { id: number; waiting: number }>(
  client: pg.PoolClient,
  routing: Routing,
  chunks: readonly Chunk[],
  nextOf: (chunk: Chunk, messages: number) => number | null,
): Promise<(Chunk & { link: number })[]> {
  for (;;) {
    const moved = chunks.flatMap((each) => {
      const link = nextOf(each, each.waiting);
      return link === null ? [] : [{ ...each, link }];
    });
    const limited = moved.filter(({ link }) => routing.limits.has(link));
    if (limited.length === 0) return moved;
    const rows = await rowsOf<{ id: number; parts: number }>(client, COUNT_PARTS, [
      numberArray(limited.map(({ id }) => id)),
    ]);
    const partsOf = new Map(rows.map(({ id, parts }) => [id, parts]));
    const parts = new Map<number, number>();
    for (const { id, link } of limited) parts.set(link, (parts.get(link) ?? 0) + (partsOf.get(id) ?? 0));
    if (await takeLimits((text, values) => rowsOf(client, text, values), routing, parts)) return moved;
  }
}

/** Retry with the link to which it goes. */
type Resent = { message_id: number; part: number; link: number };

/** Picks the links of retries; those without one are left out. Parts of one message stay together. */
export function linksOfRetries<R extends Omit<Resent, 'link'>>(
  retries: readonly R[],
  nextOf: (retry: R) => number | null,
): Resent[] {
  const linkOf = new Map<number, number | null>();
  return retries.flatMap((retry) => {
    const { message_id, part } = retry;
    if (!linkOf.has(message_id)) linkOf.set(message_id, nextOf(retry));
    const link = linkOf.get(message_id)!;
    return link === null ? [] : [{ message_id, part, link }];
  });
}

/** Returns the values of `MOVE_RETRIES`. */
export const valuesOf = (resent: readonly Resent[]) => [
  numberArray(resent.map(({ message_id }) => message_id)),
  numberArray(resent.map(({ part }) => part)),
  numberArray(resent.map(({ link }) => link)),
];
