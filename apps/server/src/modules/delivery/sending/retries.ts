import { NO_STATUS, type StatusKind } from '@heliograph/smpp';
import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import type { MessageClass } from '#platform/database/schema';
import { IS_ANSWERED } from '../outcomes/chunk-states.ts';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Segment } from '../segment.ts';
import { SWITCHED_OFF } from '../sweeps/held-chunks.ts';
import { EAGER, PATIENT } from './link-rate.ts';
import type { Urgency } from './message-class.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Pause as long as the link's own rest after an answer "throttled". */
const THROTTLED_PAUSE_MS = { urgent: EAGER.pauseMs, bulk: PATIENT.pauseMs } as const satisfies Record<Urgency, number>;

/**
 * Answers the epoch milliseconds of the next try after the `tries`-th answer of this kind. A temporary fault concerns
 * the message, which waits longer each time. Other kinds are about the speed, the bind or the account and concern the
 * link. The link rests, and the message goes first afterwards, or later messages would pass it.
 */
export function notBefore(kind: StatusKind, urgency: Urgency, now: number, tries: number): number {
  if (kind !== 'retry') return now + THROTTLED_PAUSE_MS[urgency];
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 10));
  return now + pause * (0.75 + Math.random() / 2);
}

const COLUMNS = `r.message_id, r.part, r.tries, r.reference, r.command_status, m.msisdn, m.text, m.parts, m.unit_price, ${CHUNK_COLUMNS}`;
// A message without its own validity is not tried forever.
const EXPIRY = "coalesce(k.expires_at, c.expires_at, k.created_at + interval '24 hours')";
/** Condition that the first of two tries may have been taken. */
const PERHAPS_TAKEN = `EXISTS (SELECT FROM resend x WHERE x.message_id = r.message_id AND x.part = r.part AND coalesce(x.first_status, 0) = 0)`;

// The rows are deleted and committed before their segments leave: after a crash no sender sends them a second time.
const CLAIM = {
  name: 'claim-retries',
  text: `
    WITH due AS (
      SELECT r.message_id, r.part FROM retry r
      JOIN chunk k ON k.id = r.message_id >> 10 LEFT JOIN campaign c ON c.id = k.campaign_id
      WHERE r.link_id = $1 AND r.class = ANY ($4::message_class[]) AND r.not_before <= now() AND (c.id IS NULL OR c.state IN ('running', 'completed'))
        AND ${EXPIRY} > now() AND NOT ${SWITCHED_OFF}
        AND EXISTS (SELECT FROM lane l WHERE l.link_id = $1 AND l.class = r.class AND l.holder = $3 AND l.expires_at > now())
      ORDER BY r.class, r.not_before LIMIT $2 FOR UPDATE OF r SKIP LOCKED
    ), r AS (
      DELETE FROM retry r USING due WHERE r.message_id = due.message_id AND r.part = due.part RETURNING r.*
    )
    SELECT ${COLUMNS}, r.class = 'otp' AND EXISTS (
        SELECT FROM resend x WHERE x.message_id = r.message_id AND x.part = r.part) AS second_try
    FROM r JOIN message m ON m.id = r.message_id JOIN chunk k ON k.id = r.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id LEFT JOIN chunk_state s ON s.chunk_id = k.id
    CROSS JOIN LATERAL (SELECT r.part) p
    -- The answer to a first try may have come late, and after all.
    WHERE r.class <> 'otp' OR NOT ${IS_ANSWERED}
    ORDER BY r.class, r.not_before, r.message_id, r.part`,
};

const FIND_DEAD = {
  name: 'find-dead-retries',
  text: `
    SELECT ${COLUMNS}, coalesce(c.state IN ('stopped', 'failed', 'discarded'), false) AS cancelled,
      r.class = 'otp' AND ${PERHAPS_TAKEN} AS perhaps_taken
    FROM retry r JOIN message m ON m.id = r.message_id JOIN chunk k ON k.id = r.message_id >> 10
    LEFT JOIN campaign c ON c.id = k.campaign_id
    WHERE r.link_id = $1 AND (c.state IN ('stopped', 'failed', 'discarded') OR ${EXPIRY} <= now())
    LIMIT 2000`,
};

const FORGET = `
  DELETE FROM retry r USING unnest($1::bigint[], $2::smallint[]) AS u(message_id, part)
  WHERE r.message_id = u.message_id AND r.part = u.part`;

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
  second_try?: boolean;
}

function segmentsOf(rows: readonly RetryRow[]): Segment[] {
  const contexts = new Map<number, ReturnType<typeof chunkContext>>();
  return rows.map((row) => {
    const chunk = contexts.get(row.chunk_id) ?? chunkContext(row);
    contexts.set(row.chunk_id, chunk);
    const { message_id: id, msisdn, text, parts, unit_price, reference, part, tries } = row;
    return {
      message: { id, chunk, msisdn, text, parts, unit_price, reference, answered_at: 0 },
      part,
      tries,
      ...(row.second_try && { second_try: true }),
    };
  });
}

type DeadRow = RetryRow & { cancelled: boolean; perhaps_taken: boolean };

/** Claims up to `limit` segments of these classes that are due again on a link, otp first; the caller sends them. */
export async function claimRetries(
  client: pg.Client,
  linkId: number,
  limit: number,
  holder: string,
  classes: readonly MessageClass[],
): Promise<Segment[]> {
  const { rows } = await client.query<RetryRow>({ ...CLAIM, values: [linkId, limit, holder, [...classes]] });
  return segmentsOf(rows);
}

/** Ends segments that will not be tried again: their campaign was stopped, or their validity is over. */
export async function endDeadRetries(client: pg.Client, linkId: number, writer: OutcomeWriter): Promise<void> {
  const dead = await client.query<DeadRow>({ ...FIND_DEAD, values: [linkId] });
  const { open = [], ended: rows = [] } = Object.groupBy(dead.rows, (row) => (row.perhaps_taken ? 'open' : 'ended'));
  if (open.length > 0) {
    // The second try comes too late, but the outcome of the first is still open.
    await client.query(FORGET, [
      numberArray(open.map((row) => row.message_id)),
      numberArray(open.map((row) => row.part)),
    ]);
  }
  const at = Date.now();
  segmentsOf(rows).forEach((segment, index) => {
    const { cancelled, command_status } = rows[index]!;
    writer.add({
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
