import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import { messageId } from '../message-id.ts';
import { CHUNK_COLUMNS, type ChunkColumns, type ChunkContext, type Message } from '../segment.ts';
import { CLASSES } from './message-class.ts';

/** Number of recipients in a generation of remembered references; at most twice as many are kept. */
const GENERATION = 100_000;

let young = new Map<string, number>();
let old = new Map<string, number>();

/**
 * Answers the next 8-bit concatenation reference for a recipient. Each recipient has a separate count. A phone gets the
 * same reference again only after 255 other messages, so parts of different messages never mix.
 */
function nextReference(msisdn: string): number {
  const last = young.get(msisdn) ?? old.get(msisdn) ?? Math.floor(Math.random() * 256);
  const next = (last + 1) % 256;
  young.set(msisdn, next);
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  return next;
}

/** Maximum messages of a chunk that is read together with others. */
export const SMALL = 50;

const JOINED = `string_agg(msisdn, ',') AS msisdns, string_agg(parts::text, ',') AS parts,
  string_agg(unit_price::text, ',') AS unit_prices, CASE WHEN count(text) > 0 THEN json_agg(text) END AS texts`;

// Finds the next chunks of every running campaign, and of every corporation's messages without a campaign. All are
// short walks along an index of open chunks, however long the queues are. Corporations are found by jumps along another
// index. Small chunks without a campaign bring their messages: on a busy machine another statement would hold up codes.
const FIND_CHUNKS = {
  name: 'find-chunks',
  text: `
    WITH RECURSIVE loose AS (
      SELECT lane.class, (SELECT min(corporation_id) FROM chunk WHERE link_id = $1 AND class = lane.class
        AND campaign_id IS NULL AND state = 'open') AS corporation_id
      FROM unnest($2::message_class[]) AS lane(class)
      UNION ALL
      SELECT loose.class, (SELECT min(corporation_id) FROM chunk WHERE link_id = $1 AND class = loose.class
        AND campaign_id IS NULL AND state = 'open' AND corporation_id > loose.corporation_id)
      FROM loose WHERE loose.corporation_id IS NOT NULL
    )
    SELECT ${CHUNK_COLUMNS}, k.size, k.cursor, NULL AS msisdns, NULL AS parts, NULL AS unit_prices, NULL::json AS texts FROM campaign c
    CROSS JOIN unnest($2::message_class[]) AS lane(class)
    CROSS JOIN LATERAL (
      SELECT * FROM chunk WHERE link_id = $1 AND class = lane.class AND campaign_id = c.id AND state = 'open'
        AND id <> ALL ($3::bigint[])
      ORDER BY id LIMIT $4
    ) k
    WHERE c.state = 'running' AND (c.expires_at IS NULL OR c.expires_at > now())
    UNION ALL
    SELECT ${CHUNK_COLUMNS}, k.size, k.cursor, m.* FROM loose
    CROSS JOIN LATERAL (
      SELECT * FROM chunk WHERE link_id = $1 AND class = loose.class AND corporation_id = loose.corporation_id
        AND campaign_id IS NULL AND state = 'open' AND id <> ALL ($3::bigint[]) AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id LIMIT $5
    ) k
    LEFT JOIN campaign c ON c.id = k.campaign_id
    LEFT JOIN LATERAL (
      SELECT ${JOINED} FROM (
        SELECT msisdn, text, parts, unit_price FROM message
        WHERE id >= (k.id << 10) + k.cursor AND id < (k.id << 10) + k.size ORDER BY id
      ) o
    ) m ON k.size - k.cursor <= ${SMALL}
    ORDER BY chunk_id`,
};

const READ_MESSAGES = {
  name: 'read-messages',
  text: `
    SELECT ${JOINED}
    FROM (SELECT msisdn, text, parts, unit_price FROM message WHERE id >= $1 AND id < $2 ORDER BY id) m`,
};

// Reads many small chunks together, each by its range of ids: one statement for each would be expensive.
const READ_MESSAGES_OF_MANY = {
  name: 'read-messages-of-many',
  text: `
    SELECT m.* FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS w(first, past, nth) CROSS JOIN LATERAL (
      SELECT ${JOINED}
      FROM (SELECT msisdn, text, parts, unit_price FROM message WHERE id >= w.first AND id < w.past ORDER BY id) o
    ) m ORDER BY w.nth`,
};

/** Messages of a chunk, in their order and each column joined; null for none. */
interface MessagesRow {
  msisdns: string | null;
  parts: string;
  unit_prices: string;
  /** Null if all have the chunk's common text. */
  texts: (string | null)[] | null;
}

/** An open chunk, with the place up to which it was handed over. A small one without a campaign brings its messages. */
export type OpenChunk = ChunkColumns & MessagesRow & { size: number; cursor: number };

/**
 * Finds the next open chunks of a link that are not in hand. It takes `ahead` of every running campaign, and `loose` of
 * every corporation's messages without one.
 */
export async function findChunks(
  client: pg.Client,
  linkId: number,
  inHand: readonly number[],
  ahead: number,
  loose: number,
): Promise<OpenChunk[]> {
  const values = [linkId, [...CLASSES], numberArray(inHand), ahead, loose];
  return (await client.query<OpenChunk>({ ...FIND_CHUNKS, values })).rows;
}

/** Range of a chunk's messages to read: from place `from` to its end. */
interface Range {
  context: ChunkContext;
  from: number;
  size: number;
  /** Its messages, if the search for the chunk brought them. */
  row: MessagesRow | undefined;
}

/** Reads the messages of some chunks, in their order. Throws if one is missing. */
export async function readMessages(client: pg.Client, ranges: readonly Range[]): Promise<Message[][]> {
  const rows = await readRows(
    client,
    ranges.filter(({ row }) => !row),
  );
  return ranges.map((range) => allOf(range, range.row ?? rows.shift()!));
}

async function readRows(client: pg.Client, ranges: readonly Range[]): Promise<MessagesRow[]> {
  if (ranges.length === 0) return [];
  const first = ranges.map(({ context, from }) => messageId(context.id, from));
  const past = ranges.map(({ context, size }) => messageId(context.id, size));
  const { rows } = await client.query<MessagesRow>(
    ranges.length === 1
      ? { ...READ_MESSAGES, values: [first[0], past[0]] }
      : { ...READ_MESSAGES_OF_MANY, values: [numberArray(first), numberArray(past)] },
  );
  return rows;
}

function allOf({ context, from, size }: Range, row: MessagesRow): Message[] {
  const messages = messagesOf(context, from, row);
  if (messages.length !== size - from) throw new Error(`the chunk ${context.id} lacks messages`);
  return messages;
}

/** Reads all messages of one chunk from one row, which costs less than a row for each. */
function messagesOf(chunk: ChunkContext, from: number, { msisdns, parts, unit_prices, texts }: MessagesRow): Message[] {
  if (msisdns === null) return [];
  const counts = parts.split(',');
  const prices = unit_prices.split(',');
  return msisdns.split(',').map((msisdn, index) => {
    const parts = Number(counts[index]);
    return {
      id: messageId(chunk.id, from + index),
      chunk,
      msisdn,
      text: texts?.[index] ?? null,
      parts,
      unit_price: Number(prices[index]),
      reference: parts > 1 ? nextReference(msisdn) : 0,
      answered_at: 0,
    };
  });
}
