import type { ownSupportConsent, supportConsent } from '@heliograph/contract/identity/support';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { REQUEST_HOURS } from '@heliograph/contract/notifications/asked';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Identity } from './session-tokens.ts';
import { WITH_POLICY } from './sign-in-policy.ts';
import { CONSENTS, consentCounts, MAY_SUPPORT, WITH_ACTOR } from './support-callers.ts';
import { recordEnds } from './support-ends.ts';

type Own = ReplyOf<typeof ownSupportConsent>;
type OfPerson = ReplyOf<typeof supportConsent>;

const HOUR_MS = 3_600_000;

interface Found {
  id: number;
  name: string;
  corporation_id: number | null;
  scope_level: number;
  until: string | null;
  given_by_name: string | null;
  allowed: Own['allowed'];
  may_begin: boolean;
  request: Own['request'];
}

/** Condition that a request `r` for consent still waits. */
export const requestWaits = (now: string) =>
  sql<boolean>`r.asked_at > ${now}::timestamptz - ${REQUEST_HOURS} * interval '1 hour'`;

/** Reads a person `u`, their consent, and whether the caller `a` may see their console. */
export async function findConsent({ authDb, clock }: Identity, callerId: number, id: number): Promise<Found> {
  const { rows } = await sql<Found>`
    SELECT u.id, u.name, u.corporation_id, u.scope_level, ${CONSENTS} AS allowed, ${MAY_SUPPORT} AS may_begin, g.name AS given_by_name,
      CASE WHEN ${consentCounts(clock.now().toISOString())} THEN c.until END AS until,
      (SELECT jsonb_build_object('by_name', b.name, 'reason', r.reason) FROM support_request r JOIN user_account b ON b.id = r.asked_by
        WHERE r.user_id = u.id AND ${requestWaits(clock.now().toISOString())}) AS request
    FROM user_account u LEFT JOIN corporation own ON own.id = u.corporation_id ${WITH_POLICY}
    LEFT JOIN support_consent c ON c.user_id = u.id LEFT JOIN user_account g ON g.id = c.given_by
    JOIN user_account a ON a.id = ${callerId} ${WITH_ACTOR} WHERE u.id = ${id}`.execute(authDb);
  return rows[0]!;
}

/** Throws `not_found` unless the caller sees this person. */
export async function requirePerson({ db }: Context, id: number): Promise<void> {
  const row = await db.selectFrom('user_row').select('id').where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
}

/** People who administer their whole corporation. */
export const isAdministrator = ({ scope_level }: { scope_level: number }) => scope_level === 2;

const shown = ({ until, given_by_name, allowed, request }: Found, mayGive: boolean): Own => ({
  until,
  given_by_name: until === null ? null : given_by_name,
  allowed,
  may_give: mayGive,
  request,
});

const mayGiveOwn = (person: Found) =>
  person.scope_level >= 2 &&
  (person.allowed === 'everyone' || (person.allowed === 'administrators' && isAdministrator(person)));

/** Whether the caller administers the corporation of another person, who is not above them. */
export const administers = ({ caller }: Context, person: Found) =>
  isAdministrator(caller) &&
  person.id !== caller.user_id &&
  person.scope_level >= 2 &&
  person.corporation_id === caller.corporation_id;

/** Shows the consent to see the caller's own console. */
export async function showOwnConsent(identity: Identity, { caller }: Context): Promise<Own> {
  const person = await findConsent(identity, caller.user_id, caller.user_id);
  return shown(person, mayGiveOwn(person));
}

/** Shows the consent of a person to those who may give or use it; throws `not_found`. */
export async function showConsent(identity: Identity, ctx: Context, id: number): Promise<OfPerson> {
  await requirePerson(ctx, id);
  const person = await findConsent(identity, ctx.caller.user_id, id);
  const gives = administers(ctx, person);
  // A consent is between the person, administrators and support: colleagues do not see it.
  const own = gives || person.may_begin ? person : { ...person, until: null, request: null };
  return {
    ...shown(own, gives && person.allowed !== 'nobody'),
    may_begin: person.may_begin && person.allowed !== 'nobody',
  };
}

/** Lets support see the caller's console. Throws `support_not_allowed` or `support_by_administrator`. */
export async function giveOwnConsent(identity: Identity, ctx: Context, hours: number): Promise<Own> {
  const person = await findConsent(identity, ctx.caller.user_id, ctx.caller.user_id);
  if (!mayGiveOwn(person))
    throw new BusinessError(person.allowed === 'administrators' ? 'support_by_administrator' : 'support_not_allowed');
  await keepConsent(identity, ctx, person, hours);
  return showOwnConsent(identity, ctx);
}

/** Gives consent for another person of the caller's corporation. Throws `not_found`, `forbidden` or `support_not_allowed`. */
export async function giveConsent(identity: Identity, ctx: Context, id: number, hours: number): Promise<Found> {
  await requirePerson(ctx, id);
  const person = await findConsent(identity, ctx.caller.user_id, id);
  if (!administers(ctx, person)) throw new BusinessError('forbidden');
  if (person.allowed === 'nobody') throw new BusinessError('support_not_allowed');
  await keepConsent(identity, ctx, person, hours);
  return person;
}

async function keepConsent(identity: Identity, { caller }: Context, person: Found, hours: number): Promise<void> {
  const { authDb, clock } = identity;
  const now = clock.now();
  const given_at = now.toISOString();
  const until = new Date(now.getTime() + hours * HOUR_MS).toISOString();
  const consent = { given_by: caller.user_id, by_administrator: isAdministrator(caller), given_at, until };
  await authDb.transaction().execute(async (db) => {
    await db
      .insertInto('support_consent')
      .values({ user_id: person.id, ...consent })
      .onConflict((on) => on.column('user_id').doUpdateSet(consent))
      .execute();
    await db.deleteFrom('support_request').where('user_id', '=', person.id).execute();
    // A shorter consent also shortens a session that runs.
    await sql`UPDATE support_session x SET ends_at = ${until} FROM session s
      WHERE s.id = x.session_id AND s.user_id = ${person.id} AND s.ended_at IS NULL AND x.ends_at > ${until}`.execute(
      db,
    );
    await log(db, identity, caller, person, 'support consent given', { until });
  });
}

/** Withdraws the caller's own consent. */
export async function withdrawOwnConsent(identity: Identity, ctx: Context): Promise<void> {
  await withdraw(identity, ctx, await findConsent(identity, ctx.caller.user_id, ctx.caller.user_id));
}

/** Withdraws the consent of another person of the caller's corporation. Throws `not_found` or `forbidden`. */
export async function withdrawConsent(identity: Identity, ctx: Context, id: number): Promise<Found> {
  await requirePerson(ctx, id);
  const person = await findConsent(identity, ctx.caller.user_id, id);
  if (!administers(ctx, person)) throw new BusinessError('forbidden');
  await withdraw(identity, ctx, person);
  return person;
}

async function withdraw(identity: Identity, { caller }: Context, person: Found): Promise<void> {
  const { authDb } = identity;
  await authDb.transaction().execute(async (db) => {
    const now = identity.clock.now().toISOString();
    const { numDeletedRows } = await db
      .deleteFrom('support_consent')
      .where('user_id', '=', person.id)
      .executeTakeFirstOrThrow();
    await sql`UPDATE session s SET ended_at = ${now} FROM support_session x
      WHERE x.session_id = s.id AND s.user_id = ${person.id} AND s.ended_at IS NULL`.execute(db);
    if (numDeletedRows > 0n) await log(db, identity, caller, person, 'support consent withdrawn');
  });
  await recordEnds(authDb, identity.clock);
}

const log = (
  db: Kysely<Database>,
  { clock }: Identity,
  caller: Context['caller'],
  { id, corporation_id }: Found,
  description: string,
  after?: object,
) =>
  audit(
    { db, clock, caller },
    { name: 'users', description, subject_type: 'users', subject_id: id, corporation_id, after: after ?? null },
  );
