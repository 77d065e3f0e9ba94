import type pg from 'pg';
import type { MessageClass } from '#platform/schema';
import { CLASSES } from './read-chunks.ts';

/** How long a lane is ours without a renewal. */
export const LEASE_MS = 10_000;

const ENSURE = `INSERT INTO lane (link_id, class) SELECT $1, unnest($2::message_class[]) ON CONFLICT DO NOTHING`;
const LOCK = `SELECT FROM lane WHERE link_id = $1 ORDER BY class FOR NO KEY UPDATE`;
const TAKE = `
  UPDATE lane SET holder = $2, expires_at = now() + interval '${LEASE_MS} ms',
    fence = fence + CASE WHEN holder = $2 AND expires_at > now() THEN 0 ELSE 1 END
  WHERE link_id = $1 AND (holder IS NULL OR holder = $2 OR expires_at <= now())
  RETURNING class, fence`;

/**
 * Takes, or renews, all lanes of a link: they go together, since a link's window and rate have one keeper. Answers
 * their fences, or undefined where another holds them. A fence grows with every new holder.
 */
export async function holdLanes(
  pool: pg.Pool,
  linkId: number,
  holder: string,
): Promise<Map<MessageClass, number> | undefined> {
  const client = await pool.connect();
  try {
    await client.query(ENSURE, [linkId, [...CLASSES]]);
    await client.query('BEGIN');
    await client.query(LOCK, [linkId]);
    const { rows } = await client.query<{ class: MessageClass; fence: number }>(TAKE, [linkId, holder]);
    const all = rows.length === CLASSES.length;
    await client.query(all ? 'COMMIT' : 'ROLLBACK');
    return all ? new Map(rows.map((row) => [row.class, row.fence])) : undefined;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** Gives the lanes of a link back, so that another may take them at once. */
export async function releaseLanes(pool: pg.Pool, linkId: number, holder: string): Promise<void> {
  await pool.query(`UPDATE lane SET holder = NULL, expires_at = NULL WHERE link_id = $1 AND holder = $2`, [
    linkId,
    holder,
  ]);
}
