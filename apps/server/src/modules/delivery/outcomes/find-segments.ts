import type pg from 'pg';
import { numberArray, textArray } from '#platform/database/array-literal';
import { firstChunkOfDay, messageId } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Segment, WENT_WHOLE, WHOLE } from '../segment.ts';
import { FINAL_STATES, type IncomingReceipt, keyOfId, type LinkedId, type Submission } from './entry.ts';
import { type ChunkRange, findPacked, type Recall } from './find-packed.ts';

// Finds the segments answered with one of the ids, and the one-time codes that were sent twice and got it as their other
// answer.
const FIND = {
  name: 'find-segments',
  text: `
    SELECT s.carrier_id AS wanted_id, s.link_id AS wanted_link, s.message_id, s.part,
      extract(epoch FROM s.answered_at)::float8 * 1000 AS answered_at, m.msisdn, m.parts, m.unit_price, ${WENT_WHOLE}, ${CHUNK_COLUMNS}
    FROM (
      SELECT message_id, part, carrier_id, link_id, answered_at FROM submission
      WHERE carrier_id = ANY ($1::text[]) AND message_id >= $2 AND message_id < $3
      UNION ALL
      SELECT message_id, part, first_carrier_id, link_id, resent_at FROM resend WHERE first_carrier_id = ANY ($1)
      UNION ALL
      SELECT message_id, part, second_carrier_id, link_id, resent_at FROM resend WHERE second_carrier_id = ANY ($1)
    ) s
    JOIN message m ON m.id = s.message_id
    JOIN chunk k ON k.id = s.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id`,
};

interface Found extends ChunkColumns {
  wanted_id: string;
  wanted_link: number;
  message_id: number;
  part: number;
  answered_at: number;
  msisdn: string;
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
    msisdn: row.msisdn,
    text: null,
    parts: row.parts,
    unit_price: row.unit_price,
    reference: row.went_whole ? WHOLE : 0,
    answered_at: row.answered_at,
  },
  part: row.part,
  tries: 0,
});

const DAY_MS = 86_400_000;

/**
 * Finds the segments that were answered with the ids, by `keyOfId`. Of several it takes the newest, because a carrier
 * may use an id again after weeks. Nearly all are of yesterday and today; the partitions of older days are searched only
 * for the missing ones. `recall` takes segments whose receipts are likely to come next.
 */
export async function findSegments(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  recall?: Recall,
): Promise<Map<string, Segment>> {
  const yesterday = firstChunkOfDay(Date.now() - DAY_MS);
  // A day more, because the clock of the database gives the ids.
  const found = await findBetween(client, wanted, [yesterday, firstChunkOfDay(Date.now() + 2 * DAY_MS)], recall);
  const others = wanted.filter((each) => !found.has(keyOfId(each)));
  if (others.length === 0) return found;
  return new Map([...found, ...(await findBetween(client, others, [0, yesterday]))]);
}

async function findBetween(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  range: ChunkRange,
  recall?: Recall,
): Promise<Map<string, Segment>> {
  const [{ rows }, packed] = await together([
    client.query<Found>({
      ...FIND,
      values: [textArray(wanted.map((w) => w.carrier_id)), messageId(range[0], 0), messageId(range[1], 0)],
    }),
    findPacked(client, wanted, range, recall),
  ]);
  if (rows.length === 0) return packed;
  const keys = new Set(wanted.map(keyOfId));
  for (const row of rows) {
    const key = keyOfId({ carrier_id: row.wanted_id, link_id: row.wanted_link });
    const other = packed.get(key);
    if (keys.has(key) && (!other || other.message.id < row.message_id)) packed.set(key, foundSegment(row));
  }
  return packed;
}

/** Finds the segments of receipts that memory does not know; it remembers those whose receipts are likely to come next. */
export async function findOwners(client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> {
  for (const receipt of receipts) receipt.segment ??= receipt.ids?.find(receipt.carrier_id);
  const unknown = receipts.filter((r) => !r.segment && r.carrier_id !== '');
  if (unknown.length === 0) return;
  const memories = new Map(unknown.flatMap((receipt) => linkedIds(receipt).map((id) => [id.link_id, receipt.ids])));
  const found = await findSegments(client, unknown.flatMap(linkedIds), ({ link_id, carrier_id }, segment) =>
    memories.get(link_id)?.recall(carrier_id, segment),
  );
  for (const receipt of unknown) {
    for (const id of linkedIds(receipt)) receipt.segment ??= found.get(keyOfId(id));
  }
}

/** Answers the receipt's id on each link whose message it may concern, its own link first. */
const linkedIds = ({ carrier_id, link_id, ids }: IncomingReceipt): LinkedId[] =>
  (ids?.links ?? [link_id]).map((id) => ({ carrier_id, link_id: id }));

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
