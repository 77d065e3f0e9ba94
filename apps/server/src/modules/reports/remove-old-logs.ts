import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Job that deletes old entries of the application log. */
export const removeOldLogsJob = defineJob('remove-old-logs', z.object({}), { statementSeconds: 900 });

const KEPT_DAYS = 14;
/** Maximum entries that are kept, however much is logged. */
const KEPT_ENTRIES = 1_000_000;

/** Deletes entries of the application log that are too old or too many. */
export async function removeOldLogs({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const oldest = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
  await sql`DELETE FROM application_log WHERE logged_at < ${oldest}
    OR id <= (SELECT max(id) FROM application_log) - ${KEPT_ENTRIES}`.execute(database);
}
