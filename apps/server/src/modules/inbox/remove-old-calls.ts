import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Job that deletes old calls of routings and the answers to them. */
export const removeOldCallsJob = defineJob('remove-old-calls', z.object({}));

export const EVERY_NIGHT = '53 3 * * *';
/** Days for which a call can be viewed and made again. */
const KEPT_DAYS = 30;
const AT_ONCE = 1_000;

/** Deletes calls of routings that ended and are older than 30 days, with their tries. The messages stay. */
export async function removeOldCalls(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  // Ids grow with time, so one query for the oldest shows if any are left.
  for (let removed = 1; removed > 0; ) {
    signal.throwIfAborted();
    const { rows } = await sql<{ id: number }>`
      DELETE FROM routing_call l USING (SELECT id FROM routing_call ORDER BY id LIMIT ${AT_ONCE}) oldest
      WHERE l.id = oldest.id AND l.created_at < ${before} AND l.state <> 'waiting' RETURNING l.id`.execute(database);
    removed = rows.length;
  }
}
