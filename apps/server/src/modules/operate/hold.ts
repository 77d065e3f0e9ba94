import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import { type HeldCampaigns, holdCampaigns } from '#modules/campaigns';
import { type HeldSending, heldMessages, heldSince, holdSending, releaseSending } from '#modules/delivery';
import { createDatabase } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';

// A restored database does not know the messages that were sent after its moment. Without a hold all of them would be
// sent a second time.

/** Statement that cancels the waiting jobs that send something to people; jobs of other kinds simply run again. */
const CANCEL_JOBS = `UPDATE jobs.job SET state = 'cancelled', completed_on = now()
  WHERE name = ANY ($1::text[]) AND state IN ('created', 'retry', 'active') RETURNING id`;

export interface Held extends HeldCampaigns, HeldSending {
  jobs_cancelled: number;
}

/**
 * Holds everything after a restore, in one transaction. No link sends anything until `releaseHold`, and campaigns
 * continue only if a person resumes them. `until` is the time to which the database was restored, RFC 3339; `jobs` are
 * the queues that send. A second call only adds data that arrived in between.
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

/**
 * Answers the hold for people: its moment, and the number of messages outside campaigns. Undefined if nothing is held.
 */
export async function holdOf(pool: pg.Pool): Promise<{ until: string; messages: number } | undefined> {
  const until = await heldSince(pool);
  return until === undefined ? undefined : { until, messages: await heldMessages(pool) };
}

/** Ends the hold. Throws a StartError if there is none. */
export async function releaseHold(pool: pg.Pool, send: boolean): Promise<void> {
  await createDatabase(pool)
    .transaction()
    .execute(async (db) => {
      if ((await heldSince(db)) === undefined)
        throw new StartError('Nothing is on hold: no restore waits for a decision.');
      await releaseSending(db, send);
    });
}
