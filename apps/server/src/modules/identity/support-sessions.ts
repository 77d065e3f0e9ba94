import { randomBytes } from 'node:crypto';
import { type beginSupport, SUPPORT_MINUTES } from '@heliograph/contract/identity/support';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Identity } from './session-tokens.ts';
import { isAllowedFrom, WITH_POLICY } from './sign-in-policy.ts';
import { CONSENTS, consentCounts, MAY_SUPPORT, RIGHTS, SUPPORT_TOKEN, WITH_ACTOR } from './support-callers.ts';
import { requirePerson } from './support-consents.ts';
import { recordEnds } from './support-ends.ts';
import { tokenDigest } from './tokens.ts';

const TOKEN_BYTES = 32;

interface Facts {
  name: string;
  corporation_id: number;
  allowed: string;
  may: boolean;
  usable: boolean;
  consented: boolean;
  until: string;
  rights: string;
  addresses: readonly string[] | null;
  reseller_addresses: readonly string[] | null;
}

/**
 * Begins a session in which the caller sees the console as another person does, until the consent ends and for an hour at
 * most. An earlier one of the caller ends. Throws `not_found`, `forbidden`, `support_not_allowed`,
 * `support_without_consent`, or `support_address` from an address that the person's rules do not allow.
 */
export async function beginSupportSession(
  identity: Identity,
  ctx: Context,
  id: number,
  { reason }: BodyOf<typeof beginSupport>,
): Promise<ReplyOf<typeof beginSupport>> {
  await requirePerson(ctx, id);
  const { authDb, clock } = identity;
  const { caller } = ctx;
  const now = clock.now();
  const token = `${SUPPORT_TOKEN}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  const ends = await authDb.transaction().execute(async (db) => {
    const person = await consented(db, caller, id, now.toISOString());
    const end = new Date(Math.min(now.getTime() + SUPPORT_MINUTES * 60_000, Date.parse(person.until)));
    await endSupportOf(db, caller.user_id, now);
    const session = await db
      .insertInto('session')
      // It counts neither as a sign-in of this person nor as one of their devices.
      .values({ user_id: id, verified: false, created_at: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('support_session')
      .values({
        session_id: session.id,
        token_digest: tokenDigest(token),
        actor_id: caller.user_id,
        actor_session_id: caller.session_id,
        rights: person.rights,
        reason,
        began_at: now.toISOString(),
        ends_at: end.toISOString(),
      })
      .execute();
    await audit(
      { db, clock, caller },
      {
        name: 'users',
        description: 'support session begun',
        subject_type: 'users',
        subject_id: id,
        corporation_id: person.corporation_id,
        after: { support: caller.name, reason, ends_at: end.toISOString() },
      },
    );
    return end;
  });
  await recordEnds(authDb, clock);
  return {
    access_token: token,
    expires_in: Math.floor((ends.getTime() - now.getTime()) / 1000),
    ends_at: ends.toISOString(),
  };
}

/** Answers the person whose consent counts; the consent stays locked until the transaction ends. */
async function consented(db: Kysely<Database>, caller: Context['caller'], id: number, now: string): Promise<Facts> {
  await sql`SELECT FROM support_consent WHERE user_id = ${id} FOR SHARE`.execute(db);
  const { rows } = await sql<Facts>`
    SELECT u.name, u.corporation_id, ${CONSENTS} AS allowed, ${MAY_SUPPORT} AS may, u.enabled AND coalesce(own.enabled, true) AS usable,
      ${consentCounts(now)} AS consented, c.until, ${RIGHTS} AS rights, p.addresses, rp.addresses AS reseller_addresses
    FROM user_account u LEFT JOIN corporation own ON own.id = u.corporation_id ${WITH_POLICY}
    LEFT JOIN support_consent c ON c.user_id = u.id JOIN user_account a ON a.id = ${caller.user_id} ${WITH_ACTOR}
    WHERE u.id = ${id}`.execute(db);
  const person = rows[0]!;
  if (!person.may || !person.usable) throw new BusinessError('forbidden');
  if (person.allowed === 'nobody') throw new BusinessError('support_not_allowed');
  if (!person.consented) throw new BusinessError('support_without_consent', { params: { name: person.name } });
  if (!isAllowedFrom(person, caller.address))
    throw new BusinessError('support_address', { params: { address: caller.address } });
  return person;
}

/** Ends the support sessions that a person has begun. */
async function endSupportOf(db: Kysely<Database>, actorId: number, now: Date): Promise<void> {
  await sql`UPDATE session s SET ended_at = ${now.toISOString()} FROM support_session x
    WHERE x.session_id = s.id AND x.actor_id = ${actorId} AND s.ended_at IS NULL`.execute(db);
}
