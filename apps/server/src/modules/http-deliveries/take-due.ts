import { type Queryable, rowsOf } from '#platform/database/queryable';
import { SOON } from '#platform/jobs/work-watch';
import { type DeliveryKind, type Due, HELD_SECONDS } from './kind.ts';
import { FIRST_ROOM } from './lanes.ts';

const AT_ONCE = 5_000;

const waiting = (name: DeliveryKind['name'], target: DeliveryKind['target']): string => `
  WITH RECURSIVE waiting(id) AS (
    (SELECT ${target} FROM ${name} WHERE state = 'waiting' ORDER BY ${target} LIMIT 1)
    UNION ALL
    SELECT (SELECT d.${target} FROM ${name} d WHERE d.state = 'waiting' AND d.${target} > w.id
      ORDER BY d.${target} LIMIT 1) FROM waiting w WHERE w.id IS NOT NULL
  )`;

/** Returns the SQL of the sign that deliveries of a kind are due before the next look for work. */
export const dueSoon = ({ name, target, awake = '' }: DeliveryKind): string => `
  ${waiting(name, target)}
  SELECT EXISTS (SELECT FROM waiting w ${awake} WHERE EXISTS (
      SELECT FROM ${name} l WHERE l.${target} = w.id AND l.state = 'waiting' AND l.next_at <= ${SOON}))
    OR EXISTS (SELECT FROM ${name} WHERE test AND state = 'waiting' AND next_at <= ${SOON})`;

// The first part finds targets with waiting deliveries, by one index lookup each. Then it takes the oldest deliveries of
// each target, as many as there is room for. Moving the due time holds a delivery for its taker. Samples are taken even
// if the target is paused or disabled. The statement names the partition, whose statistics then decide the plan.
const take = ({ name, target, brings, awake = '' }: DeliveryKind): string => `
  ${waiting(name, target)}, usual AS (
    SELECT o.id FROM waiting w ${awake} LEFT JOIN unnest($1::bigint[], $2::bigint[]) AS r(id, room) ON r.id = w.id
    CROSS JOIN LATERAL (
      SELECT l.id FROM ${name} l WHERE l.${target} = w.id AND l.state = 'waiting' AND l.next_at <= now()
      ORDER BY l.next_at LIMIT coalesce(r.room, ${FIRST_ROOM}) FOR UPDATE SKIP LOCKED
    ) o LIMIT ${AT_ONCE}
  ), tests AS (
    SELECT id FROM ${name} WHERE test AND state = 'waiting' AND next_at <= now()
    ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
  )
  UPDATE ${name} d SET next_at = now() + interval '${HELD_SECONDS} s'
  FROM (SELECT id FROM usual UNION SELECT id FROM tests) due ${brings.from ?? ''}
  WHERE d.id = due.id ${brings.where ?? ''}
  RETURNING d.id, d.${target} AS target, d.url, d.tries, d.test, ${brings.columns}`;

/** Takes deliveries that are due, for each target as many as there is room for. The caller holds them for a minute. */
export const takeDue = <D extends Due>(
  db: Queryable,
  kind: DeliveryKind<D>,
  rooms: ReadonlyMap<number, number>,
): Promise<D[]> => rowsOf<D>(db, take(kind), [[...rooms.keys()], [...rooms.values()]]);

/** Gives back deliveries that were taken but not tried. Other workers may take them now. */
export const giveBack = (db: Queryable, kind: DeliveryKind, ids: readonly number[]): Promise<unknown> =>
  rowsOf(db, `UPDATE ${kind.name} SET next_at = now() WHERE id = ANY ($1::bigint[]) AND state = 'waiting'`, [ids]);
