import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import { SUPPORT, supportLasts } from './support-callers.ts';

/** Job that ends support sessions whose time or rights are over, and records their ends. It runs every minute. */
export const supportEndsJob = defineJob('support-ends', z.object({}));

interface Ended {
  session_id: string;
  user_id: number;
  corporation_id: number | null;
  actor_id: number;
  actor_name: string;
  reason: string;
  began_at: string;
  ended_at: string;
}

/** Writes into the activity log each support session that has ended since, with its times. Each is written once. */
export async function recordEnds(base: Kysely<Database>, clock: Clock): Promise<void> {
  await base.transaction().execute(async (db) => {
    const now = clock.now().toISOString();
    const { rows } = await sql<Ended>`
      SELECT x.session_id, u.id AS user_id, u.corporation_id, x.actor_id, a.name AS actor_name, x.reason, x.began_at,
        least(s.ended_at, x.ends_at, ${now}) AS ended_at
      FROM ${SUPPORT} WHERE x.recorded_at IS NULL AND NOT ${supportLasts(now)}
      ORDER BY x.began_at, x.session_id FOR UPDATE OF x SKIP LOCKED`.execute(db);
    for (const { session_id, user_id, actor_id, actor_name, reason, began_at, ended_at, corporation_id } of rows) {
      await db
        .updateTable('session')
        .set({ ended_at })
        .where('id', '=', session_id)
        .where('ended_at', 'is', null)
        .execute();
      await db.updateTable('support_session').set({ recorded_at: now }).where('session_id', '=', session_id).execute();
      await audit(
        { db, clock, caller: { user_id: actor_id, corporation_id } },
        {
          name: 'users',
          description: 'support session ended',
          subject_type: 'users',
          subject_id: user_id,
          corporation_id,
          after: { support: actor_name, reason, began_at, ended_at },
        },
      );
    }
  });
}
