import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type PauseCampaigns, recordEvent, type Sender } from './life.ts';
import { todayOf } from './registrations.ts';
import { tellSenderNews } from './tell-senders.ts';

/** Job that ends approvals of sender IDs whose last day is over, and notifies people about sender IDs. */
export const expireSendersJob = defineJob('expire-senders', z.object({}));

/**
 * Ends the approvals whose last day is over in the platform's time zone, and pauses their campaigns. Then notifies people
 * of everything new.
 */
export async function expireSenders(
  { database, clock }: Pick<WorkerContext, 'database' | 'clock'>,
  pauseCampaigns: PauseCampaigns,
): Promise<void> {
  const today = await todayOf(database, clock.now());
  const due = await database
    .selectFrom('sender_id')
    .select('id')
    .where('state', '=', 'approved')
    .where('expires_on', '<', today)
    .orderBy('id')
    .execute();
  for (const { id } of due)
    await database.transaction().execute(async (db) => {
      const { rows } = await sql<Sender>`UPDATE sender_id SET state = 'expired'
        WHERE id = ${id} AND state = 'approved' AND expires_on < ${today}
        RETURNING id, corporation_id, sender_id, state, requested_by, held_name, expires_on`.execute(db);
      const [sender] = rows;
      if (!sender) return;
      await recordEvent(db, sender, { from: 'approved', to: 'expired', user_id: null, expires_on: sender.expires_on });
      await pauseCampaigns(db, sender);
    });
  await tellSenderNews({ database }, today);
}
