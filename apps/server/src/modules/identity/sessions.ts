import type { sessions } from '@heliograph/contract/identity/session';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Caller } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { endSession, endSessionsOf, type Identity } from './session-tokens.ts';
import { SUPPORT, supportLasts } from './support-callers.ts';
import { recordEnds } from './support-ends.ts';

/** Lists a person's sessions that can still be used, the newest first. */
export async function listSessions(
  { authDb, clock }: Identity,
  caller: Pick<Caller, 'user_id' | 'session_id'>,
): Promise<ReplyOf<typeof sessions>> {
  const now = clock.now().toISOString();
  const { rows } = await sql<Omit<ReplyOf<typeof sessions>['data'][number], 'current'>>`
    SELECT * FROM (
      SELECT s.id, s.ip, s.user_agent, s.verified, s.created_at, max(t.created_at) AS used_at, NULL::json AS support
      FROM session s JOIN session_token t ON t.session_id = s.id
      WHERE s.user_id = ${caller.user_id} AND s.ended_at IS NULL
      GROUP BY s.id HAVING max(t.refresh_expires_at) > ${now}
      UNION ALL
      SELECT s.id, NULL, NULL, true, s.created_at, s.created_at,
        json_build_object('name', a.name, 'reason', x.reason, 'ends_at', to_char(x.ends_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM ${SUPPORT} WHERE u.id = ${caller.user_id} AND ${supportLasts(now)}) each
    ORDER BY created_at DESC, id LIMIT 200`.execute(authDb);
  return { data: rows.map((row) => ({ ...row, current: row.id === caller.session_id })) };
}

/**
 * Ends one session of the caller, all others, or all; a session that another one ends gets the reason. Throws
 * `not_found`.
 */
export async function signOutElsewhere(
  identity: Identity,
  caller: Pick<Caller, 'user_id' | 'session_id' | 'corporation_id'>,
  which: string,
): Promise<void> {
  const { authDb, clock } = identity;
  await authDb.transaction().execute(async (db) => {
    const now = clock.now();
    if (which === 'others' || which === 'all') {
      const except = caller.session_id;
      await endSessionsOf(db, { user_id: caller.user_id, except, because: 'elsewhere' }, now);
      if (which === 'all') await endSession(db, caller.session_id, now);
    } else if (which === caller.session_id) await endSession(db, which, now);
    else {
      const { numUpdatedRows } = await db
        .updateTable('session')
        .set({ ended_at: now.toISOString(), ended_because: 'elsewhere' })
        .where('id', '=', which)
        .where('user_id', '=', caller.user_id)
        .where('ended_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw new BusinessError('not_found');
    }
    await audit(
      { db, clock, caller },
      { name: 'sessions', description: 'signed out', subject_type: 'users', subject_id: caller.user_id },
    );
  });
  await recordEnds(authDb, clock);
}
