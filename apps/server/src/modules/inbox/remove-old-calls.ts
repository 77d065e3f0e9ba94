import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Forgets which messages were handed on long ago, and what the addresses answered. */
export const removeOldCallsJob = defineJob('remove-old-calls', z.object({}));

export const EVERY_NIGHT = '53 3 * * *';
/** Days for which a call can be looked at and made again. */
const KEPT_DAYS = 30;
const AT_ONCE = 1_000;

/** Removes calls of routings, with their tries, that ended and are older than 30 days. The messages stay. */
export async function removeOldCalls(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  // The oldest come first by their ids, so one look tells that there are no more.
  for (let removed = 1; removed > 0; ) {
    signal.throwIfAborted();
    const { rows } = await sql<{ id: number }>`
      DELETE FROM routing_call l USING (SELECT id FROM routing_call ORDER BY id LIMIT ${AT_ONCE}) oldest
      WHERE l.id = oldest.id AND l.created_at < ${before} AND l.state <> 'waiting' RETURNING l.id`.execute(database);
    removed = rows.length;
  }
}
