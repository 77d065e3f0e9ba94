import type pg from 'pg';
import { numberArray, textArray } from '#platform/database/array-literal';
import { firstChunkOfDay, messageId } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Segment, WENT_WHOLE, WHOLE } from '../segment.ts';
import { type AnswerPack, idHash, unpackAnswers } from './compact-outcomes.ts';
import { FINAL_STATES, type Submission } from './entry.ts';

// Finds the segments answered with the id, and the one-time codes that were sent twice and got the id as their other
// answer.
const FIND = {
  name: 'find-segments',
  text: `
    SELECT DISTINCT ON (w.carrier_id, w.link_id) w.carrier_id AS wanted_id, w.link_id AS wanted_link,
      s.message_id, s.part, extract(epoch FROM s.answered_at)::float8 * 1000 AS answered_at,
      m.parts, m.unit_price, ${WENT_WHOLE}, ${CHUNK_COLUMNS}
    FROM unnest($1::text[], $2::bigint[]) AS w(carrier_id, link_id)
    CROSS JOIN LATERAL (
      SELECT message_id, part, carrier_id, answered_at FROM submission
      WHERE carrier_id = w.carrier_id AND link_id = w.link_id AND message_id >= $3
      UNION ALL
      SELECT message_id, part, first_carrier_id, resent_at FROM resend WHERE first_carrier_id = w.carrier_id AND link_id = w.link_id
      UNION ALL
      SELECT message_id, part, second_carrier_id, resent_at FROM resend WHERE second_carrier_id = w.carrier_id AND link_id = w.link_id
    ) s
    JOIN message m ON m.id = s.message_id
    JOIN chunk k ON k.id = s.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id
    ORDER BY w.carrier_id, w.link_id, s.message_id DESC`,
};

// A pack is read whole and only once, however many of its ids are searched: receipts of messages that left together
// come together.
const FIND_PACKS = {
  name: 'find-answer-packs',
  text: `
    SELECT chunk_id, link_id, extract(epoch FROM at)::float8 * 1000 AS at, places, delays, carrier_ids
    FROM answer_pack WHERE id_hashes && $1::integer[] AND chunk_id >= $2`,
};

const READ_PACKED = {
  name: 'read-packed-messages',
  text: `
    SELECT m.id AS message_id, 1 AS part, m.parts, m.unit_price, ${CHUNK_COLUMNS}
    FROM unnest($1::bigint[]) AS w(id) JOIN message m ON m.id = w.id JOIN chunk k ON k.id = m.id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id`,
};

interface Found extends ChunkColumns {
  wanted_id: string;
  wanted_link: number;
  message_id: number;
  part: number;
  answered_at: number;
  parts: number;
  unit_price: number;
  went_whole?: boolean;
}

/**
 * Builds the segment from a row with message_id, part, parts, unit_price, answered_at, WENT_WHOLE and CHUNK_COLUMNS.
 */
export const foundSegment = (row: Omit<Found, 'wanted_id' | 'wanted_link'>): Segment => ({
  message: {
    id: row.message_id,
    chunk: chunkContext(row),
    msisdn: '',
    text: null,
    parts: row.parts,
    unit_price: row.unit_price,
    reference: row.went_whole ? WHOLE : 0,
    answered_at: row.answered_at,
  },
  part: row.part,
  tries: 0,
});

/** A carrier's id on one of its links. */
export interface LinkedId {
  carrier_id: string;
  link_id: number;
}

export const keyOfId = ({ carrier_id, link_id }: LinkedId): string => `${link_id}/${carrier_id}`;

const DAY_MS = 86_400_000;

/**
 * Finds the segments that were answered with the ids, by `keyOfId`. Of several it takes the newest, because a carrier
 * may use an id again after weeks. Nearly all are of yesterday and today; the partitions of all days are searched only
 * for the missing ones.
 */
export async function findSegments(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
): Promise<Map<string, Segment>> {
  const found = await findSince(client, wanted, firstChunkOfDay(Date.now() - DAY_MS));
  const others = wanted.filter((each) => !found.has(keyOfId(each)));
  if (others.length === 0) return found;
  return new Map([...found, ...(await findSince(client, others, 0))]);
}

async function findSince(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  firstChunk: number,
): Promise<Map<string, Segment>> {
  const [{ rows }, packed] = await together([
    client.query<Found>({
      ...FIND,
      values: [
        textArray(wanted.map((w) => w.carrier_id)),
        numberArray(wanted.map((w) => w.link_id)),
        messageId(firstChunk, 0),
      ],
    }),
    findPacked(client, wanted, firstChunk),
  ]);
  for (const row of rows) {
    const key = keyOfId({ carrier_id: row.wanted_id, link_id: row.wanted_link });
    const other = packed.get(key);
    if (!other || other.message.id < row.message_id) packed.set(key, foundSegment(row));
  }
  return packed;
}

async function findPacked(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  firstChunk: number,
): Promise<Map<string, Segment>> {
  const { rows: packs } = await client.query<AnswerPack>({
    ...FIND_PACKS,
    values: [numberArray(wanted.map((w) => idHash(w.carrier_id))), firstChunk],
  });
  const keys = new Set(wanted.map(keyOfId));
  const found = new Map<string, { id: number; answered_at: number }>();
  for (const pack of packs)
    for (const { carrier_id, message_id: id, answered_at } of unpackAnswers(pack)) {
      const key = keyOfId({ carrier_id, link_id: pack.link_id });
      if (keys.has(key) && (found.get(key)?.id ?? 0) < id) found.set(key, { id, answered_at });
    }
  if (found.size === 0) return new Map();
  const { rows } = await client.query<Omit<Found, 'answered_at'>>({
    ...READ_PACKED,
    values: [numberArray([...found.values()].map(({ id }) => id))],
  });
  const byId = new Map(rows.map((row) => [row.message_id, row]));
  return new Map(
    [...found].flatMap(([key, { id, answered_at }]) => {
      const row = byId.get(id);
      return row ? [[key, foundSegment({ ...row, answered_at })]] : [];
    }),
  );
}

const ANSWERED_PARTS = {
  name: 'answered-parts',
  text: `SELECT message_id || '/' || part AS key FROM submission WHERE message_id = ANY ($1::bigint[])`,
};

/** Answers which parts (`message/part`) of these multipart messages were answered before. */
export async function answeredParts(client: pg.Client, submissions: readonly Submission[]): Promise<Set<string>> {
  const ids = new Set(submissions.flatMap(({ segment: { message } }) => (message.parts > 1 ? [message.id] : [])));
  if (ids.size === 0) return new Set();
  const { rows } = await client.query<{ key: string }>({ ...ANSWERED_PARTS, values: [numberArray([...ids])] });
  return new Set(rows.map(({ key }) => key));
}

const COMPLETE = {
  name: 'complete-messages',
  text: `
    SELECT message_id, count(*) AS parts,
      (array_agg(state ORDER BY state = 'delivered', state = 'expired', part))[1] AS worst_state,
      (array_agg(error ORDER BY state = 'delivered', state = 'expired', part))[1] AS worst_error
    FROM (
      SELECT DISTINCT ON (message_id, part) message_id, part, state, error FROM receipt
      WHERE message_id = ANY ($1::bigint[]) AND received_at >= to_timestamp($2::float8 / 1000) AND state = ANY ($3::text[])
      ORDER BY message_id, part, received_at
    ) first GROUP BY message_id`,
};

export interface PartsSeen {
  message_id: number;
  /** Number of parts that have a final receipt. */
  parts: number;
  worst_state: string;
  worst_error: string;
}

/**
 * Answers the receipts of multipart messages until now, the first final one of each part; `since` limits the
 * partitions.
 */
export async function partsSeen(
  client: pg.Client,
  messageIds: readonly number[],
  since: number,
): Promise<Map<number, PartsSeen>> {
  const { rows } = await client.query<PartsSeen>({
    ...COMPLETE,
    values: [numberArray(messageIds), since, textArray(FINAL_STATES)],
  });
  return new Map(rows.map((row) => [row.message_id, row]));
}
