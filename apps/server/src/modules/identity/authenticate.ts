import { isReading, READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import type { SessionReader } from '#platform/access/session-watch';
import type { Clock } from '#platform/clock';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { POLICY, requireOpen, type SessionRules, WITH_POLICY } from './sign-in-policy.ts';
import { tokenDigest } from './tokens.ts';

/** Caller as a query reads it. */
export type CallerRow = Omit<Caller, 'permissions' | 'locale' | 'seen_level' | 'address'> & {
  permissions: string[];
  locale: Locale;
};

/** Facts of the session of a token, besides its caller. */
interface Session extends SessionRules {
  ended: boolean;
  ended_because: string | null;
  usable: boolean;
  began_at: string;
  issued_at: string;
}

/** Columns of a person `u` with role `r` and own corporation `own`, as a caller. */
export const CALLER = sql`u.id AS user_id, u.name, u.email, r.name AS role, u.scope_level, u.corporation_id, u.department_id,
  u.billing_account_id, u.preferred_language AS locale,
  u.content_visible, u.numbers_visible, u.skip_blacklist, u.skip_signature, u.skip_blackout,
  -- Only who administers a reseller's corporation sees those it owns; its departments see their own.
  ARRAY(SELECT c.id FROM corporation c WHERE c.id = u.corporation_id
    OR (u.scope_level = 2 AND own.is_reseller AND c.reseller_id = own.id) ORDER BY c.id) AS corporations,
  ARRAY(SELECT p.name FROM permission p WHERE p.id IN (
    SELECT permission_id FROM role_permission WHERE role_id = u.role_id
    UNION ALL SELECT permission_id FROM user_permission WHERE user_id = u.id)) AS permissions`;
/** Tables of `CALLER`. */
export const PERSON = sql`user_account u JOIN role r ON r.id = u.role_id LEFT JOIN corporation own ON own.id = u.corporation_id`;
/** Condition that a person's department is enabled; people who see the whole corporation do not need it. */
export const IN_DEPARTMENT = sql<boolean>`(u.scope_level < 3
  OR coalesce((SELECT d.enabled FROM department d WHERE d.id = u.department_id), true))`;
/** Condition that such a person may use the product. */
export const USABLE = sql`u.enabled AND coalesce(own.enabled, true) AND ${IN_DEPARTMENT}`;

/**
 * Makes a caller of a person. Read-only people see the whole department or corporation, and hold no right that changes
 * it.
 */
export function callerOf(row: CallerRow | undefined, address = ''): Caller | null {
  if (!row) return null;
  const { role, scope_level, department_id } = row;
  if (role !== READ_ONLY_ROLE)
    return { ...row, address, seen_level: scope_level, permissions: new Set(row.permissions) };
  const seen_level = scope_level < 2 ? scope_level : department_id === null ? 2 : 3;
  return { ...row, address, seen_level, permissions: new Set(row.permissions.filter(isReading)) };
}

/**
 * Turns a bearer token into its caller, null if it is not valid, or not any more. It asks the database every time, with
 * one indexed query. A removed permission or an ended session therefore counts with the next request, and so do the
 * rules for sessions. Throws `session_address`, `session_idle` or `session_over` by these, and `session_ended` if another person, or a new password, ended the session: its person gets that message.
 */
export function createAuthenticator({
  authDb,
  clock,
}: {
  authDb: Kysely<Database>;
  clock: Clock;
}): (bearer: string, address?: string) => Promise<Caller | null> {
  return async (bearer, address = '') => {
    const { rows } = await sql<CallerRow & Session>`
      SELECT ${CALLER}, ${POLICY}, s.created_at AS began_at, t.created_at AS issued_at, s.id AS session_id, s.verified, s.proved_at, s.ended_at IS NOT NULL AS ended, s.ended_because, ${USABLE} AS usable
      FROM ${PERSON} ${WITH_POLICY} JOIN session s ON s.user_id = u.id JOIN session_token t ON t.session_id = s.id
      WHERE t.access_digest = ${tokenDigest(bearer)} AND t.access_expires_at > ${clock.now().toISOString()}`.execute(
      authDb,
    );
    const [row] = rows;
    if (!row) return null;
    const { ended, ended_because, usable, began_at, issued_at, ...rest } = row;
    const { idle_minutes, session_hours, addresses, reseller_addresses, passkeys_from, ...caller } = rest;
    if (ended && ended_because !== null) throw new BusinessError('session_ended');
    if (ended || !usable) return null;
    requireOpen(row, row, address, clock.now());
    return callerOf(caller, address);
  };
}

/**
 * Condition for open, verified sessions `s` of people who may use the product, which can still be renewed at a moment.
 */
const openAt = (now: Date) => sql`s.ended_at IS NULL AND s.verified AND ${USABLE} AND EXISTS (
  SELECT FROM session_token t WHERE t.session_id = s.id AND t.refresh_expires_at > ${now.toISOString()})`;

/**
 * Reads open sessions, regardless of the state of their access tokens. The stamp of a session changes with everything
 * that decides its caller's rights. It is cheap to read for all sessions of a process, several times a second.
 */
export function createSessionReader({ authDb, clock }: { authDb: Kysely<Database>; clock: Clock }): SessionReader {
  return {
    async callerOf(sessionId) {
      const { rows } = await sql<CallerRow>`
        SELECT ${CALLER}, s.id AS session_id, s.verified, s.proved_at, false AS needs_passkey FROM ${PERSON} JOIN session s ON s.user_id = u.id
        WHERE s.id = ${sessionId} AND ${openAt(clock.now())}`.execute(authDb);
      return callerOf(rows[0]);
    },
    async stampsOf(sessionIds) {
      const { rows } = await sql<{ id: string; stamp: string }>`
        WITH role_rights AS MATERIALIZED (
          SELECT role_id, md5(string_agg(permission_id::text, ',' ORDER BY permission_id)) AS rights
          FROM role_permission GROUP BY role_id)
        SELECT s.id, ROW(u.role_id, h.rights, u.scope_level, u.corporation_id, u.department_id, u.content_visible, u.numbers_visible,
          (SELECT string_agg(permission_id::text, ',' ORDER BY permission_id) FROM user_permission p WHERE p.user_id = u.id),
          CASE WHEN u.scope_level = 2 AND own.is_reseller THEN
            (SELECT md5(string_agg(c.id::text, ',' ORDER BY c.id)) FROM corporation c WHERE c.reseller_id = own.id) END)::text AS stamp
        FROM ${PERSON} JOIN session s ON s.user_id = u.id LEFT JOIN role_rights h ON h.role_id = u.role_id
        WHERE s.id = ANY (${sessionIds}::uuid[]) AND ${openAt(clock.now())}`.execute(authDb);
      return new Map(rows.map(({ id, stamp }) => [id, stamp]));
    },
  };
}

/** Loads a person as a caller for background work in their name; null if they may not use the product any more. */
export async function loadCaller(db: Kysely<Database>, userId: number): Promise<Caller | null> {
  const { rows } = await sql<CallerRow>`
    SELECT ${CALLER}, '' AS session_id, true AS verified, NULL::timestamptz AS proved_at, false AS needs_passkey FROM ${PERSON} WHERE u.id = ${userId} AND ${USABLE}`.execute(
    db,
  );
  return callerOf(rows[0]);
}
