import { NO_STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import type { Journal } from '../outcomes/journal.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Segment } from '../segment.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Epoch milliseconds at which a segment is tried again that was answered so for the `tries`-th time. */
export function notBefore(now: number, tries: number): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10));
  return now + pause * (0.75 + Math.random() / 2);
}

const COLUMNS = `r.message_id, r.part, r.tries, r.reference, r.command_status, m.msisdn, m.text, m.parts, m.unit_price, ${CHUNK_COLUMNS}`;
const EXPIRY = 'coalesce(k.expires_at, c.expires_at)';

// The rows are gone, and committed, before their segments leave: after a crash nobody sends them a second time.
const CLAIM = {
  name: 'claim-retries',
  text: `
    WITH due AS (
      SELECT r.message_id, r.part FROM retry r
      JOIN chunk k ON k.id = r.message_id >> 10 LEFT JOIN campaign c ON c.id = k.campaign_id
      WHERE r.link_id = $1 AND r.not_before <= now() AND (c.id IS NULL OR c.state IN ('running', 'completed'))
        AND (${EXPIRY} IS NULL OR ${EXPIRY} > now())
        AND EXISTS (SELECT FROM lane l WHERE l.link_id = $1 AND l.class = r.class AND l.holder = $3 AND l.expires_at > now())
      ORDER BY r.class, r.not_before LIMIT $2 FOR UPDATE OF r SKIP LOCKED
    ), r AS (
      DELETE FROM retry r USING due WHERE r.message_id = due.message_id AND r.part = due.part RETURNING r.*
    )
    SELECT ${COLUMNS} FROM r JOIN message m ON m.id = r.message_id JOIN chunk k ON k.id = r.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id
    ORDER BY r.class, r.not_before, r.message_id, r.part`,
};

const FIND_DEAD = {
  name: 'find-dead-retries',
  text: `
    SELECT ${COLUMNS}, coalesce(c.state IN ('stopped', 'failed', 'discarded'), false) AS cancelled
    FROM retry r JOIN message m ON m.id = r.message_id JOIN chunk k ON k.id = r.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id
    WHERE r.link_id = $1 AND (c.state IN ('stopped', 'failed', 'discarded') OR ${EXPIRY} <= now())
    LIMIT 2000`,
};

interface RetryRow extends ChunkColumns {
  message_id: number;
  part: number;
  tries: number;
  reference: number;
  command_status: number;
  msisdn: string;
  text: string | null;
  parts: number;
  unit_price: number;
}

function segmentsOf(rows: readonly RetryRow[]): Segment[] {
  const contexts = new Map<number, ReturnType<typeof chunkContext>>();
  return rows.map((row) => {
    const chunk = contexts.get(row.chunk_id) ?? chunkContext(row);
    contexts.set(row.chunk_id, chunk);
    const { message_id: id, msisdn, text, parts, unit_price, reference, part, tries } = row;
    return {
      message: { id, chunk, msisdn, text, parts, unit_price, reference, answered_at: 0, ended: false },
      part,
      tries,
    };
  });
}

/** Takes up to `limit` segments of a link that are due again, otp first; they are the caller's to send. */
export async function claimRetries(
  client: pg.Client,
  linkId: number,
  limit: number,
  holder: string,
): Promise<Segment[]> {
  const { rows } = await client.query<RetryRow>({ ...CLAIM, values: [linkId, limit, holder] });
  return segmentsOf(rows);
}

/** Brings segments to their end that will not be tried again: their campaign was stopped, or their validity is over. */
export async function endDeadRetries(client: pg.Client, linkId: number, journal: Journal): Promise<void> {
  const { rows } = await client.query<RetryRow & { cancelled: boolean }>({ ...FIND_DEAD, values: [linkId] });
  const at = Date.now();
  segmentsOf(rows).forEach((segment, index) => {
    const { cancelled, command_status } = rows[index]!;
    journal.add({
      kind: 'submission',
      segment,
      link_id: linkId,
      command_status: command_status === 0 ? NO_STATUS : command_status,
      carrier_id: null,
      at,
      end: { state: cancelled ? 'cancelled' : 'expired', error: null },
      from_retry: true,
    });
  });
}
