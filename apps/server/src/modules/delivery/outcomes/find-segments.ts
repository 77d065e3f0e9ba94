import type pg from 'pg';
import { numberArray, textArray } from '../array-literal.ts';
import { together } from '../postgres-session.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Segment, WENT_WHOLE, WHOLE } from '../segment.ts';
import { FINAL_STATES, type IncomingReceipt } from './entry.ts';

/**
 * The segments that bear a carrier's id on a link, as a subselect: those answered with it, and those of one-time codes
 * that were sent twice and whose other answer it was.
 */
export const segmentsOfId = (carrierId: string, linkId: string): string => `(
    SELECT message_id, part, carrier_id, answered_at FROM submission WHERE carrier_id = ${carrierId} AND link_id = ${linkId}
    UNION ALL
    SELECT message_id, part, first_carrier_id, resent_at FROM resend WHERE first_carrier_id = ${carrierId} AND link_id = ${linkId}
    UNION ALL
    SELECT message_id, part, second_carrier_id, resent_at FROM resend WHERE second_carrier_id = ${carrierId} AND link_id = ${linkId}
  )`;

// A carrier may use an id again after weeks: the newest submission is meant.
const FIND = {
  name: 'find-segments',
  text: `
    SELECT DISTINCT ON (w.carrier_id, w.link_id) w.carrier_id AS wanted_id, w.link_id AS wanted_link,
      s.message_id, s.part, extract(epoch FROM s.answered_at)::float8 * 1000 AS answered_at,
      m.parts, m.unit_price, ${WENT_WHOLE}, ${CHUNK_COLUMNS}
    FROM unnest($1::text[], $2::bigint[]) AS w(carrier_id, link_id)
    CROSS JOIN LATERAL ${segmentsOfId('w.carrier_id', 'w.link_id')} s
    JOIN message m ON m.id = s.message_id
    JOIN chunk k ON k.id = s.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id
    ORDER BY w.carrier_id, w.link_id, s.message_id DESC`,
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

/** The segment of a row that names message_id, part, parts, unit_price, answered_at, WENT_WHOLE and CHUNK_COLUMNS. */
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
    ended: false,
  },
  part: row.part,
  tries: 0,
});

/** Fills in the segments of receipts that memory did not know; those the database does not know stay as they are. */
export async function findSegments(client: pg.Client, receipts: readonly IncomingReceipt[]): Promise<void> {
  const { rows } = await client.query<Found>({
    ...FIND,
    values: [textArray(receipts.map((r) => r.carrier_id)), numberArray(receipts.map((r) => r.link_id))],
  });
  if (rows.length === 0) return;
  const found = new Map(rows.map((row) => [`${row.wanted_link}/${row.wanted_id}`, foundSegment(row)]));
  for (const receipt of receipts) {
    receipt.segment = found.get(`${receipt.link_id}/${receipt.carrier_id}`);
    receipt.looked_up = true;
  }
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

// Two transactions that record two parts of one message would each miss the other's; behind this lock the second sees
// the first. Taken for groups of messages, in one order, so that few locks are held and nobody waits in a circle.
const LOCK_GROUPS = {
  name: 'lock-message-groups',
  text: `SELECT pg_advisory_xact_lock(${0x48454c49}, grp) FROM (SELECT DISTINCT (id % 64)::integer AS grp FROM unnest($1::bigint[]) AS u(id) ORDER BY 1) g`,
};

export interface PartsSeen {
  message_id: number;
  /** Parts that have a final receipt. */
  parts: number;
  worst_state: string;
  worst_error: string;
}

/** What the receipts of messages in several parts say so far, the first final one of each part; `since` prunes partitions. */
export async function partsSeen(
  client: pg.Client,
  messageIds: readonly number[],
  since: number,
): Promise<Map<number, PartsSeen>> {
  const ids = numberArray(messageIds);
  const [, { rows }] = await together([
    client.query({ ...LOCK_GROUPS, values: [ids] }),
    client.query<PartsSeen>({ ...COMPLETE, values: [ids, since, textArray(FINAL_STATES)] }),
  ]);
  return new Map(rows.map((row) => [row.message_id, row]));
}
