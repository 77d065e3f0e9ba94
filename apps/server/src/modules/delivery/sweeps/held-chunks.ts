import type pg from 'pg';
import { wakeSenders } from '../enqueue.ts';

const LIMIT = 1_000;

/** Condition that the corporation or the department of a chunk `k` is disabled. */
export const SWITCHED_OFF = `(EXISTS (SELECT FROM corporation o WHERE o.id = k.corporation_id AND NOT o.enabled)
  OR EXISTS (SELECT FROM department d WHERE d.id = k.department_id AND NOT d.enabled))`;

// Locked in the order of their ids, as everywhere. They are due all the time, and open once it is enabled again.
const HOLD = `
  WITH off AS (
    SELECT id AS corporation_id, NULL::bigint AS department_id FROM corporation WHERE NOT enabled
    UNION ALL SELECT corporation_id, id FROM department WHERE NOT enabled
  ), due AS (
    SELECT k.id FROM off CROSS JOIN link l CROSS JOIN unnest(enum_range(NULL::message_class)) AS lane(class)
    CROSS JOIN LATERAL (
      SELECT id FROM chunk WHERE link_id = l.id AND class = lane.class AND corporation_id = off.corporation_id
        AND campaign_id IS NULL AND state = 'open'
        AND (off.department_id IS NULL OR department_id = off.department_id)
      ORDER BY id LIMIT ${LIMIT}
    ) k
  ), locked AS (
    SELECT id FROM chunk WHERE id IN (SELECT id FROM due) AND state = 'open' ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE chunk SET state = 'held', not_before = coalesce(not_before, now()) FROM locked WHERE chunk.id = locked.id`;

/** Holds messages outside campaigns of disabled corporations or departments. Any number of processes may run it. */
export async function holdSwitchedOff(pool: pg.Pool): Promise<void> {
  for (let held = LIMIT; held >= LIMIT; ) held = (await pool.query(HOLD)).rowCount ?? 0;
}

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
