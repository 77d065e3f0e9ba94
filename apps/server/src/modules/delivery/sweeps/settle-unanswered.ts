import { NO_STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import { firstChunkOfDay } from '../message-id.ts';
import { HAS_NO_END, IS_ANSWERED } from '../outcomes/chunk-states.ts';
import { type Entry, FINAL_STATES } from '../outcomes/entry.ts';
import { recordBatch } from '../outcomes/record-batch.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Message } from '../segment.ts';

/** Time after its validity in which a message may still get an answer or a receipt. */
const PATIENCE = '72 hours';
/** Validity of a message without its own. */
const LONGEST_VALIDITY = '24 hours';
const DAY_MS = 86_400_000;
const CHUNKS = 20;

const FIND_CHUNKS = `
  SELECT ${CHUNK_COLUMNS}, k.cursor, k.link_id FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id
  WHERE NOT k.settled AND k.state <> 'open' AND k.id < $1
    AND coalesce(k.expires_at, c.expires_at, k.created_at + interval '${LONGEST_VALIDITY}') + interval '${PATIENCE}' < now()
  ORDER BY k.id LIMIT ${CHUNKS}`;

// Finds handed-over parts without an answer or a waiting retry, and whether the message has ended.
const FIND_SEGMENTS = `
  SELECT m.id, m.msisdn, m.parts, m.unit_price, p.part, NOT a.answered AS unanswered, EXISTS (
      SELECT FROM receipt_row r WHERE r.chunk_id = m.id >> 10 AND r.message_id = m.id AND r.part = p.part
        AND r.state = ANY ($4::text[])) AS reported
  FROM message m CROSS JOIN generate_series(1, m.parts) AS p(part)
  LEFT JOIN chunk_state s ON s.chunk_id = m.id >> 10
  CROSS JOIN LATERAL (SELECT ${IS_ANSWERED} AS answered) a
  WHERE m.id >= $1 AND m.id < $2
    AND (NOT a.answered OR ($3 AND p.part = 1 AND ${HAS_NO_END}))
    AND NOT EXISTS (SELECT FROM retry r WHERE r.message_id = m.id AND r.part = p.part)
  ORDER BY m.id, p.part`;

interface Chunk extends ChunkColumns {
  cursor: number;
  link_id: number;
}

interface Row {
  id: number;
  msisdn: string;
  parts: number;
  unit_price: number;
  part: number;
  unanswered: boolean;
  /** True if a receipt was found for it: the carrier has taken it, even if the answer was lost. */
  reported: boolean;
}

/**
 * Ends messages that the carrier never answered, 72 hours after their validity: failed at submit, their reserve
 * released. If the account pays on delivery, those without a receipt end too, or their reserve would be kept forever.
 * Takes a bounded number of chunks; answers how many.
 */
export async function settleUnanswered(client: pg.Client, cause: string): Promise<number> {
  // Ids begin with the day, so only the old end of the index of unsettled chunks is read.
  const { rows: chunks } = await client.query<Chunk>(FIND_CHUNKS, [firstChunkOfDay(Date.now() - 2 * DAY_MS)]);
  for (const chunk of chunks) {
    const entries = await unansweredOf(client, chunk);
    if (entries.length > 0) await recordBatch(client, entries, `${cause}:${chunk.chunk_id}`);
    await client.query('UPDATE chunk SET settled = true WHERE id = $1', [chunk.chunk_id]);
  }
  return chunks.length;
}

async function unansweredOf(client: pg.Client, chunk: Chunk): Promise<Entry[]> {
  const first = chunk.chunk_id * 1_024;
  const onDelivery = chunk.charge_on_delivery || chunk.reseller_charge_on_delivery === true;
  const { rows } = await client.query<Row>(FIND_SEGMENTS, [first, first + chunk.cursor, onDelivery, FINAL_STATES]);
  const context = chunkContext(chunk);
  const at = Date.now();
  return rows.map(({ id, msisdn, parts, unit_price, part, unanswered, reported }): Entry => {
    const message: Message = {
      id,
      chunk: context,
      msisdn,
      text: null,
      parts,
      unit_price,
      reference: 0,
      answered_at: 0,
    };
    const taken = unanswered && reported;
    const end = unanswered
      ? { state: 'failed_submit' as const, error: 'no_answer' }
      : { state: 'failed_other' as const, error: 'no_receipt' };
    // An answered part has its row already, and only the end is new.
    return {
      kind: 'submission',
      segment: { message, part, tries: 0 },
      link_id: chunk.link_id,
      command_status: taken ? 0 : NO_STATUS,
      carrier_id: null,
      at,
      end: taken ? undefined : end,
      from_retry: false,
    };
  });
}
