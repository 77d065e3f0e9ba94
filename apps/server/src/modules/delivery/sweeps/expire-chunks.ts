import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { applyDeltas } from '../outcomes/apply-deltas.ts';
import { Deltas } from '../outcomes/deltas.ts';
import { tellUnsent } from '../outcomes/event-of.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext } from '../segment.ts';

const LIMIT = 200;

const OVERDUE = `
    SELECT k.id FROM campaign c JOIN chunk k ON k.campaign_id = c.id AND k.state = 'open'
    WHERE c.state IN ('running', 'paused') AND coalesce(k.expires_at, c.expires_at) <= now()
    UNION ALL
    SELECT id FROM chunk WHERE campaign_id IS NULL AND state = 'open' AND expires_at <= now()
    UNION ALL
    SELECT id FROM chunk WHERE campaign_id IS NULL AND state = 'held' AND not_before <= now() AND expires_at <= now()
    UNION ALL
    SELECT chunk_id FROM moderation_item i WHERE i.state IN ('waiting', 'rejected') AND i.expires_at <= now()
      AND EXISTS (SELECT FROM chunk h WHERE h.id = i.chunk_id AND h.state = 'held')`;
/** SQL of the sign that messages were not handed over within their validity. */
export const EXPIRED = `EXISTS (${OVERDUE})`;

// Found by campaign or by time, then locked in the order of ids, as everywhere.
const EXPIRE = `
  WITH due AS (${OVERDUE}
    ORDER BY id LIMIT ${LIMIT}
  ), locked AS (
    SELECT id FROM chunk WHERE id IN (SELECT id FROM due) AND state IN ('open', 'held') ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), k AS (
    UPDATE chunk SET state = 'expired' FROM locked WHERE chunk.id = locked.id RETURNING chunk.*
  ), undecided AS (
    UPDATE moderation_item i SET state = 'withdrawn' FROM k WHERE i.chunk_id = k.id AND i.state = 'waiting'
  ), told AS (
    ${tellUnsent('k', 'expired')}
  )
  SELECT ${CHUNK_COLUMNS}, k.size - k.cursor AS messages, unsent.parts, unsent.amount
  FROM k LEFT JOIN campaign c ON c.id = k.campaign_id CROSS JOIN LATERAL (
    SELECT coalesce(sum(m.parts), 0) AS parts, coalesce(sum(m.parts * m.unit_price), 0)::bigint AS amount FROM message m
    WHERE m.id >= (k.id << 10) + k.cursor AND m.id < (k.id << 10) + k.size) unsent`;

/** Expires messages that were not handed over within their validity, without charge. Answers their campaigns. */
export async function expireChunks(pool: pg.Pool): Promise<number[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<ChunkColumns & { messages: number; parts: number; amount: number }>(EXPIRE);
    if (rows.length === 0) {
      await client.query('COMMIT');
      return [];
    }
    const deltas = new Deltas();
    const processed = new Map<number, number>();
    for (const row of rows) {
      deltas.unsentExpired(chunkContext(row), row.messages, row.parts, row.amount);
      const { campaign_id } = row;
      if (campaign_id !== null) processed.set(campaign_id, (processed.get(campaign_id) ?? 0) + row.messages);
    }
    return await applyDeltas(client, deltas, `expire:${randomUUID()}`, processed);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
