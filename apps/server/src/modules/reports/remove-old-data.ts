import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readSettings } from '#platform/operator/settings';
import { countAllDestinations } from './count-destinations.ts';

/** Job that removes texts, and whole days of messages, when their configured retention is over. */
export const removeOldDataJob = defineJob('remove-old-data', z.object({}), { statementSeconds: 900 });

const DAY_MS = 86_400_000;
/**
 * Minimum days of retention, whatever is configured. Receipts of newer days may still arrive. Reports look back a year,
 * at least a month at a time.
 */
const LEAST_DAYS = { texts_kept_days: 7, messages_kept_days: 31 } as const;
type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/** Returns the first UTC day that is kept, as `2026-01-31`, or null if everything is. */
async function keptFrom({ database, clock }: Worker, key: keyof typeof LEAST_DAYS): Promise<string | null> {
  const days = Number((await readSettings(database, [key])).get(key) ?? 0);
  if (!(days > 0)) return null;
  const oldest = clock.now().getTime() - Math.max(days, LEAST_DAYS[key]) * DAY_MS;
  return new Date(oldest).toISOString().slice(0, 10);
}

/** Redacts and removes data day by day, each day in its own transaction. It is safe to repeat and to interrupt. */
export async function removeOldData(worker: Worker, signal: AbortSignal): Promise<void> {
  const { database, log } = worker;
  const messages = await keptFrom(worker, 'messages_kept_days');
  const texts = await keptFrom(worker, 'texts_kept_days');
  const { rows } = await sql<{ day: string; redacted: boolean }>`
    SELECT d::text AS day, EXISTS (SELECT FROM redacted_day r WHERE r.day = d) AS redacted
    FROM partitioned_days() AS d`.execute(database);
  for (const { day, redacted } of rows) {
    signal.throwIfAborted();
    if (messages !== null && day < messages) {
      const dropped = await sql<{ done: boolean }>`SELECT drop_messages(${day}::date) AS done`.execute(database);
      if (!dropped.rows[0]!.done) log.warn({ day }, 'messages of the day still in progress; kept');
      else log.info({ day }, 'messages of the day removed');
    } else if (texts !== null && day < texts && !redacted) {
      await sql`SELECT redact_texts(${day}::date)`.execute(database);
      log.info({ day }, 'message texts of the day removed');
    }
  }
  await forgetTexts(database, texts);
  await countAllDestinations(worker, signal);
}

/** Days for which web addresses that broke the rules stay counted. */
const WEB_LINK_DAYS = 90;

/** Removes what moderation has kept of texts before a day, and old counts of web addresses. */
async function forgetTexts(db: Worker['database'], before: string | null): Promise<void> {
  if (before !== null)
    await sql`UPDATE moderation_item SET samples = '{}' WHERE created_at < ${before}::date AND samples <> '{}'`.execute(
      db,
    );
  await sql`DELETE FROM web_link WHERE day < current_date - ${WEB_LINK_DAYS}::integer`.execute(db);
}
