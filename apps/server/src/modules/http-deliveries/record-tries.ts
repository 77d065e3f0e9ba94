import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { isRefused } from '#platform/database/transient-error';
import { failpoint } from '#platform/failpoints';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { DeliveryKind, Tried } from './kind.ts';

/** Maximum tries that are stored for a delivery. */
const KEPT = 30;

const APPENDED = `
  CASE WHEN jsonb_array_length(d.attempts) >= ${KEPT} THEN d.attempts - 0 ELSE d.attempts END || u.attempt::jsonb`;

// A try counts if nothing else has changed the delivery since it was taken. Its state is not compared with 'waiting':
// without statistics the planner would read the index of all waiting deliveries instead of the primary key.
const recorded = (kind: DeliveryKind): string => `
  UPDATE ${kind.name} d SET state = u.state, tries = d.tries + 1,
    next_at = CASE WHEN u.again IS NULL THEN d.next_at ELSE now() + make_interval(secs => u.again) END,
    done_at = CASE WHEN u.state = 'waiting' THEN NULL ELSE now() END,
    attempts = ${APPENDED}
  FROM unnest($1::bigint[], $2::integer[], $3::text[], $4::float8[], $5::text[]) AS u(id, tries, state, again, attempt)
  WHERE d.id = u.id AND d.tries = u.tries AND d.state NOT IN ('done', 'failed') RETURNING d.id`;

// Otherwise another worker made the same try after a long silence, or a person replays the delivery: the try is only
// logged. If the session broke before a commit was acknowledged, the try is logged already.
const logged = (kind: DeliveryKind): string => `
  UPDATE ${kind.name} d SET attempts = ${APPENDED}
  FROM unnest($1::bigint[], $2::text[]) AS u(id, attempt)
  WHERE d.id = u.id AND NOT d.attempts @> jsonb_build_array(u.attempt::jsonb)`;

/**
 * Records tries and what follows from them in one transaction. A try that is given several times is recorded once. If
 * the database refuses a record, its delivery is given up.
 */
export async function recordTries(
  worker: Pick<WorkerContext, 'database' | 'log'>,
  kind: DeliveryKind,
  tried: readonly Tried[],
): Promise<void> {
  try {
    await worker.database.transaction().execute((db) => record(db, kind, tried));
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (tried.length > 1) {
      for (const each of tried) await recordTries(worker, kind, [each]);
      return;
    }
    const { id } = tried[0]!.due;
    worker.log.error(
      { err: error, kind: kind.name, delivery_id: id },
      'could not store result of HTTP delivery; delivery abandoned',
    );
    await worker.database
      .updateTable('http_delivery')
      .set({ state: 'failed' })
      .where('kind', '=', kind.name)
      .where('id', '=', id)
      .execute();
  }
  failpoint('deliveries.recorded');
}

async function record(db: Kysely<Database>, kind: DeliveryKind, tried: readonly Tried[]): Promise<void> {
  // One fixed order of locks, so that two workers never wait for each other in a circle.
  const sorted = tried.toSorted((a, b) => a.due.id - b.due.id);
  const attemptOf = ({ attempt }: Tried) => JSON.stringify(attempt);
  const rows = await rowsOf<{ id: number }>(db, recorded(kind), [
    sorted.map(({ due }) => due.id),
    sorted.map(({ due }) => due.tries),
    sorted.map(({ state }) => state),
    sorted.map(({ again }) => again),
    sorted.map(attemptOf),
  ]);
  const current = new Set(rows.map(({ id }) => id));
  const late = sorted.filter(({ due }) => !current.has(due.id));
  if (late.length > 0) await rowsOf(db, logged(kind), [late.map(({ due }) => due.id), late.map(attemptOf)]);
  await kind.recorded(db, tried, current);
}
