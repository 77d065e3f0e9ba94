import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { countFailure, isForgotten } from '#platform/access/lock-out';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';

const FAILURES = 5;

/** Target of the counted attempts: all accounts of an address, or a name that nobody has. */
export type Target = { user_ids: readonly number[] } | { name: string };

/** Account that was not locked; `locked_until` is set if the attempt locked it. */
export interface Counted {
  id: number;
  locked_until: string | null;
}

const COLUMNS = { failures: 'failed_sign_ins', first: 'first_failure_at', locked: 'locked_until' };
const COUNT = sql.raw(countFailure(COLUMNS, 't', 'moment', String(FAILURES)));
const FORGOTTEN = sql.raw(isForgotten(COLUMNS, 'moment'));

/** Values of an account without failures. */
export const UNLOCKED = { failed_sign_ins: 0, first_failure_at: null, locked_until: null } as const;

/**
 * Counts an attempt before its password is checked: parallel attempts get no more tries than sequential ones. The fifth
 * within 15 minutes locks for 15 minutes. Throws `account_locked` while that lasts for all of them, whatever the
 * password.
 */
export async function countAttempt(db: Kysely<Database>, target: Target, now: Date): Promise<Counted[]> {
  const clock = sql`(SELECT ${now.toISOString()}::timestamptz AS moment) AS clock`;
  if ('user_ids' in target) {
    const { rows } = await sql<Counted>`UPDATE user_account t SET ${COUNT} FROM ${clock}
      WHERE id = ANY (${[...target.user_ids]}::bigint[]) AND (locked_until IS NULL OR locked_until <= moment)
      RETURNING id, locked_until`.execute(db);
    if (rows.length === 0) throw new BusinessError('account_locked');
    return rows;
  }
  const digest = createHash('sha256').update(target.name).digest();
  await sql`DELETE FROM unknown_sign_in USING ${clock} WHERE name_digest <> ${digest} AND ${FORGOTTEN}`.execute(db);
  await sql`INSERT INTO unknown_sign_in (name_digest) VALUES (${digest}) ON CONFLICT DO NOTHING`.execute(db);
  const { rows } = await sql`UPDATE unknown_sign_in t SET ${COUNT} FROM ${clock}
    WHERE name_digest = ${digest} AND (locked_until IS NULL OR locked_until <= moment) RETURNING name_digest`.execute(
    db,
  );
  if (rows.length === 0) throw new BusinessError('account_locked');
  return [];
}

/** Resets a person's failures: the password was right. */
export async function forgetFailures(db: Kysely<Database>, userId: number): Promise<void> {
  await db.updateTable('user_account').set(UNLOCKED).where('id', '=', userId).execute();
}

/**
 * Takes an attempt back from the other accounts of an address: the password belonged to one of them. A lock by another
 * attempt stays.
 */
export async function takeBackAttempt(db: Kysely<Database>, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`UPDATE user_account u SET failed_sign_ins = greatest(u.failed_sign_ins - 1, 0), locked_until = NULL
    FROM unnest(${counted.map(({ id }) => id)}::bigint[], ${counted.map((each) => each.locked_until)}::timestamptz[])
      AS c (id, locked_until)
    WHERE u.id = c.id AND (u.locked_until IS NULL OR u.locked_until = c.locked_until)`.execute(db);
}
