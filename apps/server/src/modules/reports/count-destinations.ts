import { callingCodeAt, callingCodePlace } from '@heliograph/contract/kernel/calling-codes';
import { sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { readNumberPlaces } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';

/** Job that updates the statistics by destination, link and network. */
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
/** Maximum time of a run, each minute and at night. The next run does the rest. */
const RUN_MS = 20_000;
const NIGHT_MS = 300_000;
const QUARTER_MS = 900_000;

/** Calling code for each three digits that a number may begin with, from 000. */
const CODES = Array.from({ length: 1_000 }, (_, digits) =>
  callingCodeAt(callingCodePlace(String(digits).padStart(3, '0'))),
);

type Worker = Pick<WorkerContext, 'database' | 'clock'>;

/** Statistics that are counted from the records of messages, a quarter of an hour at a time. */
interface Counting {
  /** Table of the quarters that are counted. */
  counted: 'counted_quarter' | 'counted_network_quarter';
  /** Expression for the sum of a quarter's statistics; it differs after each change that counts. */
  sums: string;
  /** Condition on the quarters that can be counted. */
  where: string;
  count(db: Transaction<Database>, quarter: string): Promise<unknown>;
}

const DESTINATIONS: Counting = {
  counted: 'counted_quarter',
  sums: 'messages + 3 * delivered + 5 * failed + 7 * blocked + 11 * expired',
  where: 'true',
  count: (db, quarter) => sql`SELECT count_destinations(${quarter}::timestamptz, ${CODES}::text[])`.execute(db),
};

const NETWORKS: Counting = {
  counted: 'counted_network_quarter',
  sums: 'messages + 2 * parts + 3 * delivered + 5 * failed + 7 * blocked + 11 * expired + 13 * spend + 17 * cost',
  // Days before the upgrade whose messages were removed have nothing left to count.
  where: `q.quarter >= (SELECT min(d)::timestamp AT TIME ZONE 'UTC' FROM partitioned_days() d)`,
  count: countNetworks,
};

/** Counts the messages of a quarter by network. Each part of it is counted by the prefixes of its time. */
async function countNetworks(db: Transaction<Database>, quarter: string): Promise<void> {
  const end = new Date(Date.parse(quarter) + QUARTER_MS).toISOString();
  await sql`DELETE FROM traffic_network WHERE quarter = ${quarter}::timestamptz`.execute(db);
  const times = await readNumberPlaces((text, values) => rowsOf(db, text, values), quarter, end);
  // Without any prefixes all numbers are in no network.
  if (times.length === 0) times.push({ from: quarter, places: { bounds: [], owners: [0] } });
  for (const [i, { from, places }] of times.entries())
    await sql`SELECT count_networks(${quarter}::timestamptz, ${from}::timestamptz, ${times[i + 1]?.from ?? end}::timestamptz,
      ${`{${places.bounds.join()}}`}::bigint[], ${`{${places.owners.join()}}`}::bigint[])`.execute(db);
}

/**
 * Counts each quarter of an hour with changed statistics, the newest first, for at most `mostMs`. Idempotent: a quarter
 * is counted from the records of its messages.
 */
async function countQuarters(
  { database, clock }: Worker,
  signal: AbortSignal,
  { counted, sums, where, count }: Counting,
  days: number,
  mostMs: number,
): Promise<void> {
  const started = clock.now().getTime();
  const { rows } = await sql<{ quarter: string; sums: number }>`
    SELECT q.quarter, q.sums FROM (
      SELECT quarter, sum(${sql.raw(sums)})::bigint AS sums
      FROM traffic_quarter WHERE quarter >= ${new Date(started - days * DAY_MS).toISOString()} GROUP BY quarter
    ) q LEFT JOIN ${sql.table(counted)} c ON c.quarter = q.quarter
    WHERE c.quarter IS NULL AND ${sql.raw(where)}
      OR c.sums <> q.sums AND c.counted_at + ${REST} * c.took_ms * interval '1 ms' < ${new Date(started).toISOString()}
    ORDER BY q.quarter DESC`.execute(database);
  for (const { quarter, sums } of rows) {
    signal.throwIfAborted();
    const from = performance.now();
    await database.transaction().execute(async (db) => {
      await count(db, quarter);
      const values = { sums, counted_at: clock.now().toISOString(), took_ms: Math.ceil(performance.now() - from) };
      await db
        .insertInto(counted)
        .values({ quarter, ...values })
        .onConflict((conflict) => conflict.column('quarter').doUpdateSet(values))
        .execute();
    });
    if (clock.now().getTime() - started > mostMs) return;
  }
}

/** Counts recent quarters by destination and link, and by network. */
export async function countDestinations(
  worker: Worker,
  signal: AbortSignal,
  days = RECENT_DAYS,
  mostMs = RUN_MS,
): Promise<void> {
  for (const counting of [DESTINATIONS, NETWORKS]) await countQuarters(worker, signal, counting, days, mostMs);
}

/** Counts all quarters that are stored, once a night. */
export const countAllDestinations = (worker: Worker, signal: AbortSignal) =>
  countDestinations(worker, signal, DAYS, NIGHT_MS);
