import type pg from 'pg';
import { wakeSenders } from '../enqueue.ts';
import { SWITCHED_OFF } from './hold-switched-off.ts';

const LIMIT = 1_000;

// Locked in the order of their ids, as everywhere.
const OPEN = `
  WITH due AS (
    SELECT k.id FROM chunk k WHERE k.state = 'held' AND k.not_before <= now() AND NOT ${SWITCHED_OFF}
    ORDER BY k.not_before LIMIT ${LIMIT}
  ), locked AS (
    SELECT id FROM chunk WHERE id IN (SELECT id FROM due) AND state = 'held' ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE chunk SET state = 'open' FROM locked WHERE chunk.id = locked.id RETURNING chunk.id`;

/**
 * Opens chunks that were held until a time that has come, unless their corporation or department is disabled. Any
 * number of processes may run it side by side.
 */
export async function openDueChunks(pool: pg.Pool): Promise<void> {
  for (let opened = LIMIT; opened === LIMIT; ) {
    const { rowCount } = await pool.query(OPEN);
    opened = rowCount ?? 0;
    if (opened > 0) await wakeSenders(pool);
  }
}
