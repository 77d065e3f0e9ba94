import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '#platform/clock';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/db';
import { tokenDigest } from './tokens.ts';

type CallerRow = Omit<Caller, 'permissions' | 'locale'> & { permissions: string[]; locale: Locale };

/**
 * Turns a bearer token into its caller, null where it is not or no longer good. It asks the database every time, with
 * one indexed query, so that a permission taken away or a session ended counts with the next request.
 */
export function createAuthenticator({
  authDb,
  clock,
}: {
  authDb: Kysely<Database>;
  clock: Clock;
}): (bearer: string) => Promise<Caller | null> {
  return async (bearer) => {
    const { rows } = await sql<CallerRow>`
      SELECT u.id AS user_id, u.name, u.email, r.name AS role, u.scope_level, u.corporation_id, u.department_id,
        u.billing_account_id, u.preferred_language AS locale, s.id AS session_id, s.verified,
        u.content_visible, u.skip_blacklist, u.skip_signature, u.skip_blackout,
        -- Only who administers a reseller's corporation sees those it owns; its departments see their own.
        ARRAY(SELECT c.id FROM corporation c WHERE c.id = u.corporation_id
          OR (u.scope_level = 2 AND own.is_reseller AND c.reseller_id = own.id) ORDER BY c.id) AS corporations,
        ARRAY(SELECT p.name FROM permission p WHERE p.id IN (
          SELECT permission_id FROM role_permission WHERE role_id = u.role_id
          UNION ALL SELECT permission_id FROM user_permission WHERE user_id = u.id)) AS permissions
      FROM session_token t
      JOIN session s ON s.id = t.session_id
      JOIN user_account u ON u.id = s.user_id
      JOIN role r ON r.id = u.role_id
      LEFT JOIN corporation own ON own.id = u.corporation_id
      WHERE t.access_digest = ${tokenDigest(bearer)} AND t.access_expires_at > ${clock.now().toISOString()}
        AND s.ended_at IS NULL AND u.enabled AND coalesce(own.enabled, true)`.execute(authDb);
    const row = rows[0];
    return row ? { ...row, permissions: new Set(row.permissions) } : null;
  };
}
