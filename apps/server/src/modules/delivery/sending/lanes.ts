import type pg from 'pg';
import type { OwnNode } from '#modules/nodes';
import { numberArray } from '#platform/database/array-literal';
import type { MessageClass } from '#platform/database/schema';
import { tell } from '#platform/fan-out/tell';
import type { Teller } from '#platform/fan-out/transport';
import { WAKE_SENDERS } from '../enqueue.ts';
import { CLASSES } from './message-class.ts';

/** Duration of a lease without renewal, by the database's clock; as long as a node counts as live. */
export const LEASE_MS = 3_500;
/** Time before the end of a lease, by our own clock, at which sending stops, so that no other sender can have begun. */
export const LEASE_MARGIN_MS = 500;
/** Text of the wake-up that tells senders about changed links and free lanes. */
export const LANES_FREE = 'lanes';

const LEASE = `now() + interval '${LEASE_MS} ms'`;
const ENSURE = `INSERT INTO lane (link_id, class) SELECT $1, unnest($2::message_class[]) ON CONFLICT DO NOTHING`;
const LOCK = `SELECT FROM lane WHERE link_id = $1 ORDER BY class FOR NO KEY UPDATE`;
const TAKE = `
  UPDATE lane SET holder = $2, expires_at = ${LEASE},
    fence = fence + CASE WHEN holder = $2 AND expires_at > now() THEN 0 ELSE 1 END
  WHERE link_id = $1 AND (holder IS NULL OR holder = $2 OR expires_at <= now())
  RETURNING class, fence`;

/** Fences of the lanes of one held link, by class. */
export type Fences = ReadonlyMap<MessageClass, number>;

/**
 * Takes all lanes of a link together, because its window and rate have one keeper. Answers their fences; undefined if
 * another sender holds them. A fence grows with every new holder.
 */
export async function holdLanes(pool: pg.Pool, linkId: number, holder: string): Promise<Fences | undefined> {
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

// An expired lease that no other sender took gets a new fence: work prepared under the old one is refused.
const RENEW = `
  WITH mine AS (
    SELECT link_id, class FROM lane WHERE link_id = ANY ($3::bigint[]) AND holder = $1 ORDER BY link_id, class
    FOR NO KEY UPDATE
  )
  UPDATE lane l SET expires_at = ${LEASE}, fence = l.fence + CASE WHEN l.expires_at > now() THEN 0 ELSE 1 END
  FROM mine WHERE l.link_id = mine.link_id AND l.class = mine.class AND l.holder = $1
  RETURNING l.link_id, l.class, l.fence`;

/**
 * Sends the heartbeat of a holder and renews its lanes of some links in one statement; answers their fences. Missing ones
 * belong to another sender.
 */
export async function renewLanes(
  node: Pick<OwnNode, 'beat' | 'beatWith'>,
  linkIds: readonly number[],
): Promise<ReadonlyMap<number, Fences>> {
  if (linkIds.length === 0) {
    await node.beat();
    return new Map();
  }
  type Row = { link_id: number; class: MessageClass; fence: number };
  const rows = await node.beatWith<Row>(RENEW, [numberArray(linkIds)]);
  const byLink = new Map<number, Map<MessageClass, number>>();
  for (const row of rows) {
    const fences = byLink.get(row.link_id) ?? new Map<MessageClass, number>();
    byLink.set(row.link_id, fences.set(row.class, row.fence));
  }
  return new Map([...byLink].filter(([, fences]) => fences.size === CLASSES.length));
}

/** Lets senders read the links and their holders now, after the transaction has committed. */
export const lookAtLinks = (db: Teller): Promise<void> => tell(db, WAKE_SENDERS, LANES_FREE);

const RELEASE = `
  UPDATE lane SET holder = NULL, expires_at = NULL WHERE link_id = $1 AND holder = $2`;

/** Returns the lanes of a link, so that another sender may take them now. */
export async function releaseLanes(pool: pg.Pool, linkId: number, holder: string): Promise<void> {
  const { rowCount } = await pool.query(RELEASE, [linkId, holder]);
  if (rowCount) await lookAtLinks(pool);
}

const STANDINGS = `
  SELECT
    (SELECT coalesce(json_agg(json_build_object('name', name, 'settled', started_at < now() - interval '2 seconds')
        ORDER BY name), '[]')
      FROM node WHERE kind = 'sender' AND node_is_live(seen_at) AND NOT draining AND NOT leaving) AS senders,
    (SELECT coalesce(json_agg(json_build_object('link_id', link_id, 'holder', holder,
        'left_ms', extract(epoch FROM expires_at - now()) * 1000)), '[]')
      FROM lane WHERE class = 'bulk' AND holder IS NOT NULL AND expires_at > now()) AS leases`;

/** Current senders and holders of links. */
export interface Standings {
  /** Senders that may take more links; `settled` is false for one that was just started. */
  senders: readonly { name: string; settled: boolean }[];
  leases: readonly { link_id: number; holder: string; left_ms: number }[];
}

/** Reads the current senders and holders of links. */
export async function readStandings(pool: pg.Pool): Promise<Standings> {
  const { rows } = await pool.query<Standings>(STANDINGS);
  return rows[0]!;
}
