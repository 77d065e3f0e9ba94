import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/db';
import { BusinessError } from '#platform/errors';

const FAILURES = 5;
const MINUTES = 15;

/** Whose attempts are counted: a person's, or those with a name nobody has. */
export type Target = { user_id: number } | { name: string };

/**
 * Counts an attempt before its password is looked at, so that many at once get no more tries than one after another.
 * The fifth within 15 minutes locks for 15 minutes. Throws `account_locked` while that lasts, whatever the password.
 */
export async function countAttempt(db: Kysely<Database>, target: Target, now: Date): Promise<void> {
  const at = now.toISOString();
  const next = sql`
    failed_sign_ins = CASE WHEN locked_until IS NULL AND first_failure_at > window_start THEN failed_sign_ins + 1 ELSE 1 END,
    first_failure_at = CASE WHEN locked_until IS NULL AND first_failure_at > window_start THEN first_failure_at ELSE moment END,
    locked_until = CASE WHEN locked_until IS NULL AND first_failure_at > window_start AND failed_sign_ins + 1 >= ${FAILURES}
      THEN moment + interval '1 minute' * ${MINUTES}::integer END`;
  const clock = sql`(SELECT ${at}::timestamptz AS moment, ${at}::timestamptz - interval '1 minute' * ${MINUTES}::integer AS window_start) AS clock`;
  let counted: number;
  if ('user_id' in target) {
    const { rows } = await sql`UPDATE user_account SET ${next} FROM ${clock}
      WHERE id = ${target.user_id} AND (locked_until IS NULL OR locked_until <= moment) RETURNING id`.execute(db);
    counted = rows.length;
  } else {
    const digest = createHash('sha256').update(target.name).digest();
    await sql`DELETE FROM unknown_sign_in
      WHERE name_digest <> ${digest} AND coalesce(locked_until, first_failure_at + interval '1 minute' * ${MINUTES}::integer) < ${at}`.execute(
      db,
    );
    await sql`INSERT INTO unknown_sign_in (name_digest) VALUES (${digest}) ON CONFLICT DO NOTHING`.execute(db);
    const { rows } = await sql`UPDATE unknown_sign_in SET ${next} FROM ${clock}
      WHERE name_digest = ${digest} AND (locked_until IS NULL OR locked_until <= moment) RETURNING name_digest`.execute(
      db,
    );
    counted = rows.length;
  }
  if (counted === 0) throw new BusinessError('account_locked');
}

/** Forgets a person's failures: the password was right. */
export async function forgetFailures(db: Kysely<Database>, userId: number): Promise<void> {
  await db
    .updateTable('user_account')
    .set({ failed_sign_ins: 0, first_failure_at: null, locked_until: null })
    .where('id', '=', userId)
    .execute();
}
