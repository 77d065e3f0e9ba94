import type pg from 'pg';
import { FINAL_STATES } from '../outcomes/entry.ts';
import { foundSegment, segmentsOfId } from '../outcomes/find-segments.ts';
import type { Journal } from '../outcomes/journal.ts';
import { CHUNK_COLUMNS, type ChunkColumns, WENT_WHOLE } from '../segment.ts';

const LIMIT = 2_000;

// A carrier may send receipts through another link of the same account than the one that carried the message.
const FIND = `
  SELECT DISTINCT ON (r.received_at, r.link_id, r.carrier_id) r.link_id AS receipt_link, r.carrier_id, r.state, r.error,
    extract(epoch FROM r.received_at)::float8 * 1000 AS at, s.message_id, s.part,
    extract(epoch FROM s.answered_at)::float8 * 1000 AS answered_at, m.parts, m.unit_price, ${WENT_WHOLE}, ${CHUNK_COLUMNS}
  FROM receipt r
  JOIN link mine ON mine.id = r.link_id
  JOIN link same ON same.host = mine.host AND same.system_id = mine.system_id
  CROSS JOIN LATERAL ${segmentsOfId('r.carrier_id', 'same.id')} s
  JOIN message m ON m.id = s.message_id
  JOIN chunk k ON k.id = s.message_id >> 10
  LEFT JOIN campaign c ON c.id = k.campaign_id
  WHERE r.message_id IS NULL AND r.carrier_id <> '' AND r.state = ANY ($1::text[])
    AND r.received_at > now() - make_interval(secs => $2)
  ORDER BY r.received_at, r.link_id, r.carrier_id, s.message_id DESC
  LIMIT ${LIMIT}`;

interface Parked extends ChunkColumns {
  receipt_link: number;
  carrier_id: string;
  state: string;
  error: string | null;
  at: number;
  message_id: number;
  part: number;
  answered_at: number;
  parts: number;
  unit_price: number;
  went_whole?: boolean;
}

/**
 * Gives receipts of the last `seconds` that were stored without their message to the journal, where the message is
 * known by now: their response was recorded by another process, or after this one began anew.
 */
export async function adoptReceipts(pool: pg.Pool, journal: Journal, seconds: number): Promise<void> {
  const { rows } = await pool.query<Parked>(FIND, [FINAL_STATES, seconds]);
  for (const row of rows) {
    const { receipt_link: link_id, carrier_id, state, at } = row;
    journal.add({
      kind: 'adoption',
      link_id,
      carrier_id,
      state,
      error: row.error ?? '',
      at,
      segment: foundSegment(row),
    });
  }
}
