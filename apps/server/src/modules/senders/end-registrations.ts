import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type MoveWaiting, recordStep, todayOf } from './registrations.ts';

/** Ends the registrations whose last day is over in the platform's time zone, and moves what waits for their links. */
export async function endRegistrations(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  moveWaiting: MoveWaiting,
): Promise<void> {
  const today = await todayOf(database, clock.now());
  const due = await database
    .selectFrom('sender_registration')
    .select('id')
    .where('state', '=', 'registered')
    .where('expires_on', '<', today)
    .orderBy('id')
    .execute();
  for (const { id } of due)
    await database.transaction().execute(async (db) => {
      const { rows } = await sql<{ sender_id_id: number; link_id: number; expires_on: string }>`
        UPDATE sender_registration SET state = 'ended', changed_by = NULL, changed_at = now()
        WHERE id = ${id} AND state = 'registered' AND expires_on < ${today}
        RETURNING sender_id_id, link_id, expires_on`.execute(db);
      const [row] = rows;
      if (!row) return;
      const corporation = await recordStep(db, { ...row, state: 'ended', reason: null }, null);
      await moveWaiting(db, row.link_id, corporation);
    });
}
