import { pickLink, readRouting, routeOf, type SentBy } from '#modules/carrier-routes';
import { numberArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';
import { wakeSenders } from '../enqueue.ts';
import { linksOfRetries, MOVE_CHUNKS, MOVE_RETRIES, valuesOf } from './hand-over-link.ts';

// Chunks that wait for their time have no other moment at which their link is chosen. All are locked in one order.
const LOCK_CHUNKS = `
  SELECT k.id, k.class, k.carrier_route_id, k.corporation_id, k.sender_id, k.size - k.cursor AS waiting,
    (SELECT m.msisdn FROM message m WHERE m.id = (k.id << 10) + k.cursor) AS msisdn
  FROM chunk k
  WHERE k.link_id = $1 AND NOT k.settled AND k.state IN ('open', 'held') AND ($2::bigint IS NULL OR k.corporation_id = $2)
  ORDER BY k.id FOR NO KEY UPDATE`;
const LOCK_RETRIES = `
  SELECT r.message_id, r.part, r.class, k.carrier_route_id, k.corporation_id, k.sender_id,
    (SELECT m.msisdn FROM message m WHERE m.id = r.message_id) AS msisdn
  FROM retry r JOIN chunk k ON k.id = r.message_id >> 10
  WHERE r.link_id = $1 AND ($2::bigint IS NULL OR r.corporation_id = $2)
  ORDER BY r.message_id, r.part FOR UPDATE OF r SKIP LOCKED`;

type Waiting = SentBy & { class: MessageClass; carrier_route_id: number | null; msisdn: string | null };

/**
 * Moves the messages that wait for a link whose carrier does not know their sender IDs to other links of their routes, in
 * the transaction that ended the registration, or in which the link began to ask for it. With `corporationId` only those
 * of one corporation. What no link takes stays, and is ended before its bytes leave.
 */
export async function moveUnregistered(db: Queryable, linkId: number, corporationId: number | null): Promise<void> {
  const routing = await readRouting((text, values) => rowsOf(db, text, values), null);
  const { registrations } = routing.table;
  if (!registrations.asks(linkId)) return;
  const nextOf = (waiting: Waiting, messages: number): number | null => {
    const message = { ...waiting, msisdn: waiting.msisdn ?? '' };
    const network = registrations.isLimited(waiting)
      ? (routing.networks?.networkOf(message.msisdn)?.id ?? 0)
      : undefined;
    if (registrations.allows(linkId, waiting, network)) return null;
    const { carrier_route_id } = waiting;
    const route = carrier_route_id === null ? null : routing.table.byId(carrier_route_id);
    // Its route was deleted: nobody knows where else it may go.
    if (route === undefined) return null;
    return pickLink(routing, routeOf(routing, route, message), waiting.class, messages, waiting);
  };
  const chunks = await rowsOf<Waiting & { id: number; waiting: number }>(db, LOCK_CHUNKS, [linkId, corporationId]);
  const moved = chunks.flatMap((chunk) => {
    const link = nextOf(chunk, chunk.waiting);
    return link === null ? [] : [{ id: chunk.id, link }];
  });
  await rowsOf(db, MOVE_CHUNKS, [numberArray(moved.map(({ id }) => id)), numberArray(moved.map(({ link }) => link))]);
  const retries = await rowsOf<Waiting & { message_id: number; part: number }>(db, LOCK_RETRIES, [
    linkId,
    corporationId,
  ]);
  await rowsOf(db, MOVE_RETRIES, valuesOf(linksOfRetries(retries, (each) => nextOf(each, 1))));
  await wakeSenders(db);
}
