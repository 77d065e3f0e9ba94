import type { EventType } from '@heliograph/contract/kernel/events';
import { sql } from 'kysely';
import { z } from 'zod';
import { addEvents, type NewEvent } from '#modules/events';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Found } from './find.ts';

const PAGE = 2_000;

/** Job that ends verifications whose time is over, and tells programs. */
export const endExpiredJob = defineJob('end-expired-verifications', z.object({}));

/** Returns the event by which programs learn how a verification has ended. */
export const endOf = (
  { id, corporation_id, is_test }: Pick<Found, 'id' | 'corporation_id' | 'is_test'>,
  end: string,
): NewEvent => ({
  corporation_id,
  department_id: null,
  user_id: null,
  type: `verification.${end}` as EventType,
  message_id: null,
  data: { verification_id: id, test: is_test },
});

/**
 * Ends verifications whose time is over: what could prove their codes is removed, and programs get an event, in one
 * transaction. A job that dies leaves the rest to the next one.
 */
export async function endExpired({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  for (let ended = PAGE; ended === PAGE; )
    ended = await database.transaction().execute(async (db) => {
      const { rows } = await sql<Pick<Found, 'id' | 'corporation_id' | 'is_test'>>`
        UPDATE verification v SET done_at = v.expires_at, seed = NULL, code_mac = NULL
        FROM (SELECT id FROM verification WHERE state = 'pending' AND done_at IS NULL AND expires_at <= ${clock.now().toISOString()}
          ORDER BY expires_at LIMIT ${PAGE} FOR UPDATE SKIP LOCKED) w
        WHERE v.id = w.id RETURNING v.id, v.corporation_id, v.is_test`.execute(db);
      await addEvents(
        db,
        rows.map((row) => endOf(row, 'expired')),
      );
      return rows.length;
    });
}
