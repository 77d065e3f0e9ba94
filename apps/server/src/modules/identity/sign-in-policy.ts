import { ADMINISTRATOR_LEVEL } from '@heliograph/contract/identity/sign-in-policy';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { addressList } from '#platform/http/address-list';

/** Joins the rules for a person `u` of corporation `own`: its own, `p`, and those of its reseller, `rp`. */
export const WITH_POLICY = sql`LEFT JOIN sign_in_policy p ON p.owner = coalesce(u.corporation_id, 0)
  LEFT JOIN sign_in_policy rp ON rp.owner = own.reseller_id`;

const needs = (policy: 'p' | 'rp') => {
  const column = (name: string) => sql.ref(`${policy}.${name}`);
  return sql`CASE WHEN ${column('passkeys')} = 'everyone'
    OR (${column('passkeys')} = 'administrators' AND u.scope_level <= ${sql.lit(ADMINISTRATOR_LEVEL)})
    THEN coalesce(${column('passkeys_from')}, '-infinity') END`;
};

/** Columns of the stricter of the two rules. `passkeys_from` is set for a person who needs a passkey and has none. */
export const POLICY = sql`least(p.idle_minutes, rp.idle_minutes) AS idle_minutes,
  least(p.session_hours, rp.session_hours) AS session_hours, p.addresses, rp.addresses AS reseller_addresses,
  CASE WHEN coalesce(p.passkeys, 'optional') <> 'optional' OR coalesce(rp.passkeys, 'optional') <> 'optional' THEN
    CASE WHEN NOT EXISTS (SELECT FROM passkey k WHERE k.user_id = u.id)
      THEN nullif(least(${needs('p')}, ${needs('rp')})::text, '-infinity') END END AS passkeys_from,
  CASE WHEN coalesce(p.passkeys, 'optional') <> 'optional' OR coalesce(rp.passkeys, 'optional') <> 'optional' THEN
    coalesce(least(${needs('p')}, ${needs('rp')}) <= current_date, false)
      AND NOT EXISTS (SELECT FROM passkey k WHERE k.user_id = u.id) ELSE false END AS needs_passkey`;

/** Rules for the sessions of a person, as the query of each request reads them. */
export interface SessionRules {
  idle_minutes: number | null;
  session_hours: number | null;
  addresses: readonly string[] | null;
  reseller_addresses: readonly string[] | null;
  /** First day on which a person without a passkey can only add one; null if none is needed, or for now. */
  passkeys_from: string | null;
  /** True if the person must add a passkey before anything else. */
  needs_passkey: boolean;
}

/** Rules for a person's sign-in, besides those for sessions. */
export interface SignInRules extends SessionRules {
  second_factor: boolean;
  min_password_length: number | null;
  device_mail: boolean;
}

/** Reads the rules for one person; the stricter ones of the corporation and its reseller. */
export async function rulesOf(db: Kysely<Database>, userId: number): Promise<SignInRules> {
  const { rows } = await sql<SignInRules>`SELECT ${POLICY},
      coalesce(p.second_factor, false) OR coalesce(rp.second_factor, false) AS second_factor,
      greatest(p.min_password_length, rp.min_password_length) AS min_password_length,
      coalesce(p.device_mail, false) OR coalesce(rp.device_mail, false) AS device_mail
    FROM user_account u LEFT JOIN corporation own ON own.id = u.corporation_id ${WITH_POLICY} WHERE u.id = ${userId}`.execute(
    db,
  );
  return rows[0]!;
}

/** Person who gets a password, or the corporation of a new one. */
export type PasswordOwner = { user_id: number } | { corporation_id: number | null };

/** Returns the length of the shortest password that the rules for a person allow; null for the operator's rule. */
export async function shortestPassword(db: Kysely<Database>, whose: PasswordOwner): Promise<number | null> {
  if ('user_id' in whose) return (await rulesOf(db, whose.user_id)).min_password_length;
  const { rows } = await sql<{
    shortest: number | null;
  }>`SELECT greatest(p.min_password_length, rp.min_password_length) AS shortest
    FROM (SELECT ${whose.corporation_id}::bigint AS corporation_id) u LEFT JOIN corporation own ON own.id = u.corporation_id
    ${WITH_POLICY}`.execute(db);
  return rows[0]!.shortest;
}

/** Compiled lists of addresses, by their text. A process serves few different ones. */
const compiled = new Map<string, (address: string) => boolean>();
const LISTS = 1_000;

function lists(entries: readonly string[], address: string): boolean {
  const key = entries.join(' ');
  const known = compiled.get(key);
  if (known) return known(address);
  if (compiled.size >= LISTS) compiled.clear();
  const test = addressList(entries);
  compiled.set(key, test);
  return test(address);
}

/** Tells whether people may come from an address: each list that is not empty must have it. */
export function isAllowedFrom(rules: Pick<SessionRules, 'addresses' | 'reseller_addresses'>, address: string): boolean {
  return [rules.addresses, rules.reseller_addresses].every(
    (entries) => entries === null || entries.length === 0 || lists(entries, address),
  );
}

/**
 * Throws if a session may not be used any more: `session_address` from an address that is not allowed, `session_idle`
 * after too long a pause, `session_over` after too long a time. `issued_at` is the time of its newest token.
 */
export function requireOpen(
  rules: SessionRules,
  session: { began_at: string; issued_at: string },
  address: string,
  now: Date,
): void {
  if (!isAllowedFrom(rules, address)) throw new BusinessError('session_address');
  const minutes = (since: string) => (now.getTime() - Date.parse(since)) / 60_000;
  if (rules.session_hours !== null && minutes(session.began_at) >= rules.session_hours * 60)
    throw new BusinessError('session_over');
  if (rules.idle_minutes !== null && minutes(session.issued_at) >= rules.idle_minutes)
    throw new BusinessError('session_idle');
}
