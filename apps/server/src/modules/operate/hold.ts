import type pg from 'pg';
import { type HeldCampaigns, holdCampaigns } from '#modules/campaigns';
import { type HeldSending, heldMessages, heldSince, holdSending, releaseSending } from '#modules/delivery';
import { createDatabase } from '#platform/db';
import { rowsOf } from '#platform/queryable';
import { StartError } from '#platform/start-error';

// What left between the moment a database was put back to and the moment it was lost is not known to it any more: without a
// hold all of that would leave a second time.

/** Jobs that are waiting to send something to people; what is not about sending is done once more. */
const CANCEL_JOBS = `UPDATE jobs.job SET state = 'cancelled', completed_on = now()
  WHERE name = ANY ($1::text[]) AND state IN ('created', 'retry', 'active') RETURNING id`;

export interface Held extends HeldCampaigns, HeldSending {
  jobs_cancelled: number;
}

/**
 * Holds everything after a restore, in one transaction: nothing leaves any link until `releaseHold`, and campaigns go on only
 * where a person resumes them. `until` is the time to which the database was put back, RFC 3339; `jobs` the queues that send.
 * Doing it again changes nothing but what came in between.
 */
export async function holdAfterRestore(
  pool: pg.Pool,
  { until, now, jobs }: { until: string; now: Date; jobs: readonly string[] },
): Promise<Held> {
  const database = createDatabase(pool);
  return database.transaction().execute(async (db) => {
    const campaigns = await holdCampaigns(db, now, `The database was put back to ${until}.`);
    const sending = await holdSending(db, until);
    const cancelled = await rowsOf(db, CANCEL_JOBS, [jobs]);
    return { ...campaigns, ...sending, jobs_cancelled: cancelled.length };
  });
}

/** What is held, for people: the moment, and messages outside campaigns. Undefined where nothing is. */
export async function holdOf(pool: pg.Pool): Promise<{ until: string; messages: number } | undefined> {
  const until = await heldSince(pool);
  return until === undefined ? undefined : { until, messages: await heldMessages(pool) };
}

/** Ends the hold. Throws a StartError where there is none. */
export async function releaseHold(pool: pg.Pool, send: boolean): Promise<void> {
  await createDatabase(pool)
    .transaction()
    .execute(async (db) => {
      if ((await heldSince(db)) === undefined)
        throw new StartError('Nothing is held: no restore waits for a decision.');
      await releaseSending(db, send);
    });
}
