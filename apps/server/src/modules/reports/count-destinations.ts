import { callingCodeAt, callingCodePlace } from '@heliograph/contract/kernel/calling-codes';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Brings the statistics by destination and link up to date. */
export const countDestinationsJob = defineJob('count-destinations', z.object({}), { statementSeconds: 900 });

/** What can still change lies in so many days; older quarters are counted once more where a rebuild changed them. */
const RECENT_DAYS = 10;
const DAYS = 400;
const DAY_MS = 86_400_000;
/** A quarter of an hour rests so many times as long as counting it took, so that a long campaign costs a twentieth. */
const REST = 20;
/** A run leaves the rest to the next one. */
const RUN_MS = 20_000;

/** The calling code of each three digits that a number may begin with, from 000. */
const CODES = Array.from({ length: 1_000 }, (_, digits) =>
  callingCodeAt(callingCodePlace(String(digits).padStart(3, '0'))),
);

/**
 * Counts by destination and link each quarter of an hour whose statistics have changed since it was counted, the newest
 * first. Idempotent: a quarter is counted from what is recorded of its messages.
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

/** The same for everything that is kept, once a night. */
export const countAllDestinations = (worker: Pick<WorkerContext, 'database' | 'clock'>, signal: AbortSignal) =>
  countDestinations(worker, signal, DAYS);
