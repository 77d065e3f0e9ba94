import { callingCodeAt, callingCodePlace } from '@heliograph/contract/kernel/calling-codes';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';

/** Job that updates the statistics by destination and link. */
export const countDestinationsJob = defineJob('count-destinations', z.object({}), { statementSeconds: 900 });

/** Days in which figures can still change. Older quarters are counted again only after a rebuild. */
const RECENT_DAYS = 10;
const DAYS = 400;
const DAY_MS = 86_400_000;
/**
 * Factor of a pause: a quarter of an hour is not counted again for this many times its last counting time. So a long
 * campaign costs a twentieth.
 */
const REST = 20;
/** Maximum time of a run. The next run does the rest. */
const RUN_MS = 20_000;

/** Calling code for each three digits that a number may begin with, from 000. */
const CODES = Array.from({ length: 1_000 }, (_, digits) =>
  callingCodeAt(callingCodePlace(String(digits).padStart(3, '0'))),
);

/**
 * Counts by destination and link each quarter of an hour with changed statistics, the newest first. Idempotent: a
 * quarter is counted from the records of its messages.
 */
export async function countDestinations(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  signal: AbortSignal,
  days = RECENT_DAYS,
): Promise<void> {
  const started = clock.now().getTime();
  const { rows } = await sql<{ quarter: string; sums: number }>`
    SELECT q.quarter, q.sums FROM (
      SELECT quarter, sum(messages + 3 * delivered + 5 * failed + 7 * blocked + 11 * expired)::bigint AS sums
      FROM traffic_quarter WHERE quarter >= ${new Date(started - days * DAY_MS).toISOString()} GROUP BY quarter
    ) q LEFT JOIN counted_quarter c ON c.quarter = q.quarter
    WHERE c.quarter IS NULL
      OR c.sums <> q.sums AND c.counted_at + ${REST} * c.took_ms * interval '1 ms' < ${new Date(started).toISOString()}
    ORDER BY q.quarter DESC`.execute(database);
  for (const { quarter, sums } of rows) {
    signal.throwIfAborted();
    const from = performance.now();
    await database.transaction().execute(async (db) => {
      await sql`SELECT count_destinations(${quarter}::timestamptz, ${CODES}::text[])`.execute(db);
      const counted = { sums, counted_at: clock.now().toISOString(), took_ms: Math.ceil(performance.now() - from) };
      await db
        .insertInto('counted_quarter')
        .values({ quarter, ...counted })
        .onConflict((conflict) => conflict.column('quarter').doUpdateSet(counted))
        .execute();
    });
    if (clock.now().getTime() - started > RUN_MS) return;
  }
}

/** Counts all quarters that are stored, once a night. */
export const countAllDestinations = (worker: Pick<WorkerContext, 'database' | 'clock'>, signal: AbortSignal) =>
  countDestinations(worker, signal, DAYS);
