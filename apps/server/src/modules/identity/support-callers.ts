import { isSeenBySupport, SUPPORT_PERMISSION } from '@heliograph/contract/access/role-permissions';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SessionReader } from '#platform/access/session-watch';
import type { Clock } from '#platform/clock';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import {
  CALLER,
  type CallerRow,
  callerOf,
  createAuthenticator,
  createSessionReader,
  PERSON,
  USABLE,
} from './authenticate.ts';
import { isAllowedFrom, POLICY, requireOpen, type SessionRules, WITH_POLICY } from './sign-in-policy.ts';
import { tokenDigest } from './tokens.ts';

/** Beginning of the token of a support session; those of other sessions begin otherwise. */
export const SUPPORT_TOKEN = 'hgs_';

/** Joins the person who acts, `a`, with their corporation `ac` and rules `ap` and `arp`. */
export const WITH_ACTOR = sql`LEFT JOIN corporation ac ON ac.id = a.corporation_id
  LEFT JOIN sign_in_policy ap ON ap.owner = coalesce(a.corporation_id, 0) LEFT JOIN sign_in_policy arp ON arp.owner = ac.reseller_id`;

/**
 * Condition that `a` may see the console as `u`: the platform's people as those of customers, and people of a whole reseller
 * as those of its customers.
 */
export const MAY_SUPPORT = sql<boolean>`(u.scope_level >= 2 AND NOT u.is_service AND (a.scope_level < 2
  OR (a.scope_level = 2 AND ac.is_reseller AND coalesce(own.reseller_id = ac.id, false))))`;

/** Roles and places of both people, as a text that changes with them. */
export const RIGHTS = sql<string>`ROW(a.role_id, a.scope_level, a.corporation_id, u.role_id, u.scope_level, u.corporation_id,
  u.department_id)::text`;

/** The stricter of the rules about consent, for a person `u` with policies `p` and `rp`. */
export const CONSENTS = sql<'everyone' | 'administrators' | 'nobody'>`CASE
  WHEN 'nobody' IN (p.support, rp.support) THEN 'nobody'
  WHEN 'administrators' IN (p.support, rp.support) THEN 'administrators' ELSE 'everyone' END`;

/** Condition that a consent `c` counts at a moment. */
export const consentCounts = (now: string): RawBuilder<boolean> => sql<boolean>`coalesce(c.until > ${now}
  AND (${CONSENTS} = 'everyone' OR (${CONSENTS} = 'administrators' AND c.by_administrator)), false)`;

/** Tables of support sessions `x`: session `s`, the person who is seen and their consent, the person who acts and theirs. */
export const SUPPORT = sql`${PERSON} ${WITH_POLICY} JOIN session s ON s.user_id = u.id
  JOIN support_session x ON x.session_id = s.id LEFT JOIN support_consent c ON c.user_id = u.id
  JOIN user_account a ON a.id = x.actor_id JOIN session mine ON mine.id = x.actor_session_id ${WITH_ACTOR}`;

/** Condition that a support session still counts at a moment. */
export const supportLasts = (
  now: string,
): RawBuilder<boolean> => sql<boolean>`(s.ended_at IS NULL AND x.ends_at > ${now}
  AND mine.ended_at IS NULL AND a.enabled AND coalesce(ac.enabled, true) AND ${USABLE} AND ${MAY_SUPPORT}
  AND x.rights = ${RIGHTS} AND ${consentCounts(now)} AND EXISTS (SELECT FROM permission k WHERE k.name = ${SUPPORT_PERMISSION}
    AND k.id IN (SELECT permission_id FROM role_permission WHERE role_id = a.role_id
      UNION ALL SELECT permission_id FROM user_permission WHERE user_id = a.id)))`;

type SupportRow = CallerRow &
  SessionRules & {
    actor_id: number;
    actor_reads: boolean;
    actor_sees_numbers: boolean;
    actor_addresses: readonly string[] | null;
    actor_reseller_addresses: readonly string[] | null;
    began_at: string;
    ends_at: string;
    lasts: boolean;
  };

interface Deps {
  authDb: Kysely<Database>;
  clock: Clock;
}

async function find({ authDb, clock }: Deps, which: RawBuilder<boolean>): Promise<SupportRow | undefined> {
  const { rows } = await sql<SupportRow>`
    SELECT ${CALLER}, ${POLICY}, x.session_id, true AS verified, NULL::timestamptz AS proved_at, x.actor_id, x.began_at, x.ends_at,
      a.content_visible AS actor_reads, a.numbers_visible AS actor_sees_numbers, ap.addresses AS actor_addresses, arp.addresses AS actor_reseller_addresses,
      ${supportLasts(clock.now().toISOString())} AS lasts
    FROM ${SUPPORT} WHERE ${which}`.execute(authDb);
  return rows[0];
}

/**
 * Makes a caller of a support session: the person who is seen, without the permissions about security, with texts and
 * full numbers only if both people may see them.
 */
function supportCaller(row: SupportRow, address: string): Caller {
  const {
    actor_id,
    actor_reads,
    actor_sees_numbers,
    actor_addresses,
    actor_reseller_addresses,
    began_at,
    ends_at,
    lasts,
    ...rest
  } = row;
  const { idle_minutes, session_hours, addresses, reseller_addresses, passkeys_from, ...person } = rest;
  const caller = callerOf({ ...person, needs_passkey: false }, address)!;
  return {
    ...caller,
    permissions: new Set([...caller.permissions].filter(isSeenBySupport)),
    content_visible: caller.content_visible && actor_reads,
    numbers_visible: caller.numbers_visible && actor_sees_numbers,
    support: { user_id: actor_id, ends_at },
  };
}

/**
 * Turns a bearer token into its caller, as `createAuthenticator` of a person's own sessions does. Throws
 * `support_session_over` for a support session that ended: it does not come back, even if what ended it is undone.
 */
export function createAuthenticatorOfAll(deps: Deps): ReturnType<typeof createAuthenticator> {
  const own = createAuthenticator(deps);
  return async (bearer, address = '') => {
    if (!bearer.startsWith(SUPPORT_TOKEN)) return own(bearer, address);
    const row = await find(deps, sql<boolean>`x.token_digest = ${tokenDigest(bearer)}`);
    if (!row) return null;
    const now = deps.clock.now();
    if (!row.lasts) {
      await deps.authDb
        .updateTable('session')
        .set({ ended_at: now.toISOString() })
        .where('id', '=', row.session_id)
        .where('ended_at', 'is', null)
        .execute();
      throw new BusinessError('support_session_over');
    }
    // The addresses of both count; the pause does not, since a support session is short.
    requireOpen(row, { began_at: row.began_at, issued_at: now.toISOString() }, address, now);
    const { actor_addresses, actor_reseller_addresses } = row;
    if (!isAllowedFrom({ addresses: actor_addresses, reseller_addresses: actor_reseller_addresses }, address))
      throw new BusinessError('session_address');
    return supportCaller(row, address);
  };
}

/** Reads open sessions, those of support too. */
export function createReaderOfAll(deps: Deps): SessionReader {
  const own = createSessionReader(deps);
  return {
    async callerOf(sessionId) {
      const caller = await own.callerOf(sessionId);
      if (caller) return caller;
      const row = await find(deps, sql<boolean>`x.session_id = ${sessionId}`);
      return row?.lasts ? supportCaller(row, '') : null;
    },
    async stampsOf(sessionIds) {
      const stamps = await own.stampsOf(sessionIds);
      const others = sessionIds.filter((id) => !stamps.has(id));
      if (others.length === 0) return stamps;
      const { rows } = await sql<{ id: string; stamp: string }>`
        SELECT id, md5(t::text) AS stamp FROM (SELECT x.session_id AS id, ${CALLER}, a.content_visible AS actor_reads, a.numbers_visible AS actor_sees_numbers
          FROM ${SUPPORT} WHERE x.session_id = ANY (${others}::uuid[]) AND ${supportLasts(deps.clock.now().toISOString())}) t`.execute(
        deps.authDb,
      );
      for (const { id, stamp } of rows) stamps.set(id, stamp);
      return stamps;
    },
  };
}
