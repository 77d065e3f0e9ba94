import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';

/** Job that joins and compresses what days recorded whose messages have all ended. */
export const closeDaysJob = defineJob('close-days', z.object({}), { statementSeconds: 900 });

const DAY_MS = 86_400_000;
/** Age of a day at which it is closed. Its messages have ended by then, and nearly all receipts have come. */
const CLOSED_AFTER_DAYS = 4;
/** Chunks whose packs are copied in one transaction. */
const CHUNKS = 100;
/** Longest pause after a transaction. */
const LONGEST_PAUSE_MS = 5_000;
/** Number of tries to put the copies in place, which fails while a report reads the partition. */
const TRIES = 20;
const TRY_AGAIN_MS = 3_000;

const PARENTS = ['answer_pack', 'receipt_pack'] as const;

/** PostgreSQL's code for a lock that could not be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/**
 * Closes every day that can be closed, the oldest first. Work is done in short transactions, with a pause as long as
 * each took, so that senders keep the disk. It is safe to repeat and to interrupt: what was copied stays copied.
 */
export async function closeDays({ database, clock, log }: Worker, signal: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - CLOSED_AFTER_DAYS * DAY_MS).toISOString().slice(0, 10);
  const { rows } = await sql<{ day: string }>`SELECT d::text AS day FROM closable_days(${before}::date) AS d`.execute(
    database,
  );
  for (const { day } of rows) {
    if (await closeDay(database, day, signal)) log.info({ day }, 'day closed');
    else log.info({ day }, 'day changed while it was closed; retrying tomorrow');
  }
}

/** Closes a day, `chunks` in each transaction; answers false if its packs changed meanwhile. */
export async function closeDay(
  db: Worker['database'],
  day: string,
  signal: AbortSignal,
  chunks = CHUNKS,
): Promise<boolean> {
  for (const parent of PARENTS) {
    for (let more = true; more; ) {
      signal.throwIfAborted();
      const began = performance.now();
      const copied = await sql<{ more: boolean }>`
        SELECT close_day_copy(${day}::date, ${parent}, ${chunks}) AS more`.execute(db);
      more = copied.rows[0]!.more;
      if (more) await sleep(Math.min(performance.now() - began, LONGEST_PAUSE_MS), undefined, { signal });
    }
    await sql`SELECT close_day_index(${day}::date, ${parent})`.execute(db);
  }
  for (let tries = 1; ; tries++) {
    try {
      const { rows } = await sql<{ done: boolean }>`SELECT close_day_swap(${day}::date) AS done`.execute(db);
      return rows[0]!.done;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || tries === TRIES) throw error;
      await sleep(TRY_AGAIN_MS, undefined, { signal });
    }
  }
}
