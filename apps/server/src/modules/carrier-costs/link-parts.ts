import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';

/** Part of a message that a link's carrier accepted. */
export interface LinkPart {
  message_id: number;
  link_id: number;
  carrier_id: string;
  /** Epoch milliseconds of the carrier's answer. */
  at: number;
  msisdn: string;
  /** Network that a lookup told for the number; null if it is the one of its prefix. */
  ported: number | null;
  class: MessageClass;
  sender_id: string;
  corporation_id: number;
  /** Corporation that pays the platform: the reseller, if the corporation has one. */
  payer_id: number;
  campaign_id: number | null;
  carrier_route_id: number | null;
  /** Thousandths of the payer's currency for a part. */
  unit_price: number;
  charge_on_delivery: boolean;
  /** Final state; null without one. */
  state: string | null;
}

/** Chunks that are read at a time: at most some hundred thousand parts. */
const CHUNKS = 100;
/** Message ids of a chunk. */
const MESSAGES_OF_CHUNK = 1_024;
/** Longest time in ms between the first answer of a pack and its last. */
const PACK_MS = 3_600_000;

// Answers are packed by chunk; those of messages of several parts, and all others, have rows of their own.
const CHUNKS_OF_LINK = `
SELECT DISTINCT chunk_id AS id FROM (
  SELECT chunk_id FROM answer_pack WHERE ($1::bigint IS NULL OR link_id = $1) AND at >= $2 AND at < $3
  UNION ALL
  SELECT message_id >> 10 FROM submission WHERE ($1::bigint IS NULL OR link_id = $1) AND command_status = 0 AND answered_at >= $2 AND answered_at < $3
) c ORDER BY id`;

const PARTS_OF_CHUNKS = `
SELECT s.message_id, s.link_id, s.carrier_id, extract(epoch FROM s.answered_at)::float8 * 1000 AS at, m.msisdn, k.class, k.sender_id,
  k.corporation_id, coalesce(k.reseller_corporation_id, k.corporation_id) AS payer_id,
  k.campaign_id, k.carrier_route_id,
  CASE WHEN k.ported IS NOT NULL THEN (SELECT k.ported[i + 1] FROM generate_subscripts(k.ported, 1) AS i
    WHERE i % 2 = 1 AND k.ported[i] = s.message_id & 1023) END AS ported, coalesce(k.reseller_unit_price, m.unit_price) AS unit_price,
  coalesce(k.reseller_charge_on_delivery, k.charge_on_delivery) AS charge_on_delivery,
  end_of(flags_of(c.states, s.message_id & 1023)) AS state
FROM unnest($1::bigint[]) AS w(id)
CROSS JOIN LATERAL (
  SELECT (p.chunk_id << 10) + e.place::bigint AS message_id, p.link_id, e.carrier_id, p.at + e.delay::float8 * interval '1 ms' AS answered_at
  FROM answer_pack p CROSS JOIN LATERAL ROWS FROM (
    string_to_table(p.places, ','), string_to_table(p.delays, ','), string_to_table(p.carrier_ids, E'\\x1f')
  ) AS e(place, delay, carrier_id)
  WHERE p.chunk_id = w.id AND ($2::bigint IS NULL OR p.link_id = $2)
  UNION ALL
  SELECT r.message_id, r.link_id, coalesce(r.carrier_id, ''), r.answered_at FROM submission r
  WHERE r.message_id >= w.id << 10 AND r.message_id < (w.id + 1) << 10 AND ($2::bigint IS NULL OR r.link_id = $2) AND r.command_status = 0
) s
JOIN chunk k ON k.id = w.id
JOIN message m ON m.id = s.message_id
LEFT JOIN chunk_state c ON c.chunk_id = w.id
WHERE s.answered_at >= $3 AND s.answered_at < $4`;

/** Reads the parts of one message that carriers accepted, in the order of their answers. */
export async function partsOfMessage(db: Kysely<Database>, messageId: number): Promise<LinkPart[]> {
  const chunk = Math.floor(messageId / MESSAGES_OF_CHUNK);
  const parts = await rowsOf<LinkPart>(db, PARTS_OF_CHUNKS, [[chunk], null, '-infinity', 'infinity']);
  return parts.filter(({ message_id }) => message_id === messageId).sort((a, b) => a.at - b.at);
}

/** Reads the parts of chunks that carriers accepted at any time, some hundred thousand at a time. */
export async function* partsOfChunks(db: Queryable, chunks: readonly number[]): AsyncGenerator<LinkPart[]> {
  for (let from = 0; from < chunks.length; from += CHUNKS)
    yield await rowsOf<LinkPart>(db, PARTS_OF_CHUNKS, [
      chunks.slice(from, from + CHUNKS),
      null,
      '-infinity',
      'infinity',
    ]);
}

/**
 * Reads the parts that a link's carrier accepted from one instant (RFC 3339) up to another, in the order of chunks; null
 * stands for all links.
 */
export async function* linkParts(
  db: Kysely<Database>,
  linkId: number | null,
  { start, end }: { start: string; end: string },
): AsyncGenerator<LinkPart[]> {
  const earlier = new Date(Date.parse(start) - PACK_MS).toISOString();
  const chunks = await rowsOf<{ id: number }>(db, CHUNKS_OF_LINK, [linkId, earlier, end]);
  for (let from = 0; from < chunks.length; from += CHUNKS) {
    const ids = chunks.slice(from, from + CHUNKS).map(({ id }) => id);
    yield await rowsOf<LinkPart>(db, PARTS_OF_CHUNKS, [ids, linkId, start, end]);
  }
}

/** Parts of an account's messages that cost the same, to one number. */
export interface AccountParts {
  msisdn: string;
  ported: number | null;
  /** Thousandths of the account's currency for a part. */
  unit_price: number;
  parts: number;
}

/** Days before a month in which messages of it may have been written. */
const WRITTEN_BEFORE = '40 days';

const CHUNKS_OF_ACCOUNT = `
SELECT k.id FROM chunk k WHERE k.corporation_id = (SELECT corporation_id FROM billing_account WHERE id = $1) AND k.billing_account_id = $1
  AND k.created_at >= $2::timestamptz - interval '${WRITTEN_BEFORE}' AND k.created_at < $3
UNION
SELECT k.id FROM chunk k WHERE k.reseller_account_id = $1
  AND k.created_at >= $2::timestamptz - interval '${WRITTEN_BEFORE}' AND k.created_at < $3
ORDER BY 1`;

const CHARGED_PARTS = `
SELECT p.msisdn, p.ported, p.price::bigint AS unit_price, count(*) AS parts FROM (
  SELECT s.*, CASE WHEN k.reseller_account_id = $5 THEN k.reseller_unit_price ELSE m.unit_price END AS price,
    CASE WHEN k.reseller_account_id = $5 THEN k.reseller_charge_on_delivery ELSE k.charge_on_delivery END AS later
  FROM (${PARTS_OF_CHUNKS}) s JOIN chunk k ON k.id = s.message_id >> 10 JOIN message m ON m.id = s.message_id
) p WHERE p.price > 0 AND (NOT p.later OR p.state = 'delivered') GROUP BY p.msisdn, p.ported, p.price`;

/**
 * Reads the parts that an account paid and that carriers accepted from one instant (RFC 3339) up to another; of those
 * that are paid on delivery only the delivered ones.
 */
export async function* accountParts(
  db: Kysely<Database>,
  accountId: number,
  { start, end }: { start: string; end: string },
): AsyncGenerator<AccountParts[]> {
  const chunks = await rowsOf<{ id: number }>(db, CHUNKS_OF_ACCOUNT, [accountId, start, end]);
  for (let from = 0; from < chunks.length; from += CHUNKS) {
    const ids = chunks.slice(from, from + CHUNKS).map(({ id }) => id);
    const rows = await rowsOf<AccountParts>(db, CHARGED_PARTS, [ids, null, start, end, accountId]);
    yield rows.map((row) => ({ ...row, parts: Number(row.parts), unit_price: Number(row.unit_price) }));
  }
}
