import type pg from 'pg';
import { chooseLinks, linksOf, pickLink, type Route, type Routing } from '#modules/carrier-routes';
import { numberArray } from '#platform/database/array-literal';
import { inTransaction } from '#platform/database/in-transaction';
import type { MessageClass } from '#platform/database/schema';
import { wakeSenders } from '../enqueue.ts';

/** Maximum chunks and retries that one transaction moves: few, so that others do not wait for it. */
const CHUNKS = 200;
const RETRIES = 1_000;

const ALLOWED = `(k.carrier_route_id = ANY ($3::bigint[]) OR ($4 AND k.carrier_route_id IS NULL))`;

// Locked first and in the order of their ids, as in intents and cancellation. Under the lock the cursor is current:
// messages before it were handed to the old link, the others go to the new one.
const LOCK_CHUNKS = `
  SELECT k.id, k.carrier_route_id, k.size - k.cursor AS waiting FROM chunk k
  WHERE k.link_id = $1 AND k.class = $2 AND k.state = 'open' AND ${ALLOWED}
  ORDER BY k.id LIMIT ${CHUNKS} FOR NO KEY UPDATE`;
const MOVE_CHUNKS = `
  UPDATE chunk k SET link_id = w.link_id FROM unnest($1::bigint[], $2::bigint[]) AS w(id, link_id) WHERE k.id = w.id`;

// A claim deletes its row, so an existing row has not left. Its pause was meant for the old link.
const LOCK_RETRIES = `
  SELECT r.message_id, r.part, k.carrier_route_id FROM retry r JOIN chunk k ON k.id = r.message_id >> 10
  WHERE r.link_id = $1 AND r.class = $2 AND ${ALLOWED}
  ORDER BY r.message_id, r.part LIMIT ${RETRIES} FOR UPDATE OF r SKIP LOCKED`;
const MOVE_RETRIES = `
  UPDATE retry r SET link_id = w.link_id, not_before = least(r.not_before, now())
  FROM unnest($1::bigint[], $2::smallint[], $3::bigint[]) AS w(message_id, part, link_id)
  WHERE r.message_id = w.message_id AND r.part = w.part`;

interface HandedOver {
  messages: number;
  segments: number;
}

/**
 * Moves messages of this class that wait for an ill link to the next healthy links of their routes; messages without
 * one stay. Uses many short transactions; any number of processes may run it at the same time. Messages with a
 * committed intent stay with the old link, so nothing is sent twice.
 */
export async function handOver(
  pool: pg.Pool,
  routing: Pick<Routing, 'table' | 'links'>,
  linkId: number,
  messageClass: MessageClass,
): Promise<HandedOver> {
  const moves = (route: Route | null) => {
    const { waits } = chooseLinks(linksOf(route, routing.links), routing.links, messageClass);
    return !waits;
  };
  const routes = routing.table.routes.filter(moves).map(({ id }) => id);
  const allowed = [linkId, messageClass, numberArray(routes), moves(null)];
  const handed: HandedOver = { messages: 0, segments: 0 };
  if (routes.length === 0 && !moves(null)) return handed;
  const routeOf = (id: number | null) => (id === null ? null : (routing.table.byId(id) ?? null));
  for (let more = true; more; ) {
    more = await inTransaction(pool, async (client) => {
      const { rows: chunks } = await client.query<{ id: number; carrier_route_id: number | null; waiting: number }>(
        LOCK_CHUNKS,
        allowed,
      );
      const links = chunks.map((k) => pickLink(routing, routeOf(k.carrier_route_id), messageClass, k.waiting));
      await client.query(MOVE_CHUNKS, [numberArray(chunks.map(({ id }) => id)), numberArray(links)]);
      const { rows: retries } = await client.query<{
        message_id: number;
        part: number;
        carrier_route_id: number | null;
      }>(LOCK_RETRIES, allowed);
      // Parts of one message stay together.
      const linkOf = new Map<number, number | null>();
      for (const { message_id, carrier_route_id } of retries) {
        if (!linkOf.has(message_id))
          linkOf.set(message_id, pickLink(routing, routeOf(carrier_route_id), messageClass, 1));
      }
      await client.query(MOVE_RETRIES, [
        numberArray(retries.map(({ message_id }) => message_id)),
        numberArray(retries.map(({ part }) => part)),
        numberArray(retries.map(({ message_id }) => linkOf.get(message_id)!)),
      ]);
      handed.messages += chunks.reduce((sum, { waiting }) => sum + waiting, 0);
      handed.segments += retries.length;
      if (chunks.length > 0 || retries.length > 0) await wakeSenders(client);
      return chunks.length === CHUNKS || retries.length === RETRIES;
    });
  }
  return handed;
}
