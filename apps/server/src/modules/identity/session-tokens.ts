import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { IN_DEPARTMENT } from './authenticate.ts';
import { rulesOf, type SessionRules } from './sign-in-policy.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS, tokenDigest, tokenMaker } from './tokens.ts';

/** Services of sign-in: the database under its own role, the server's key, the time. */
export interface Identity {
  authDb: Kysely<Database>;
  key: Buffer;
  clock: Clock;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: 'Bearer';
  /** Seconds until the access token ends. */
  expires_in: number;
}

/** Time in ms for which a used refresh token answers the same successor, for two tabs that wake together. */
const GRACE_MS = 30_000;
/** Maximum age of a session, in ms after the sign-in, however often it is refreshed. */
const SESSION_MS = 90 * 24 * 3_600_000;

const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000);

async function addPair(
  db: Kysely<Database>,
  { key, clock }: Identity,
  session: { id: string; created_at: string },
  { idle_minutes, session_hours }: Pick<SessionRules, 'idle_minutes' | 'session_hours'>,
): Promise<{ id: string; tokens: Tokens }> {
  const make = tokenMaker(key);
  const id = randomUUID();
  const now = clock.now();
  const most = session_hours === null ? SESSION_MS : Math.min(SESSION_MS, session_hours * 3_600_000);
  const end = new Date(Date.parse(session.created_at) + most);
  const idleSeconds = idle_minutes === null ? REFRESH_SECONDS : Math.min(REFRESH_SECONDS, idle_minutes * 60);
  const refreshEnd = later(now, idleSeconds);
  // A call renews the tokens twice within the allowed pause, so that only a pause ends the session.
  const expires_in = Math.min(ACCESS_SECONDS, Math.floor(idleSeconds / 2));
  const access_token = make('access', id);
  const refresh_token = make('refresh', id);
  await db
    .insertInto('session_token')
    .values({
      id,
      session_id: session.id,
      access_digest: tokenDigest(access_token),
      refresh_digest: tokenDigest(refresh_token),
      access_expires_at: later(now, expires_in).toISOString(),
      refresh_expires_at: (refreshEnd < end ? refreshEnd : end).toISOString(),
      created_at: now.toISOString(),
    })
    .execute();
  return { id, tokens: { access_token, refresh_token, token_type: 'Bearer', expires_in } };
}

/** Ways to come in; `emergency` is with one's own means although the company's identity provider is required. */
export type SessionWay = 'password' | 'passkey' | 'oidc' | 'saml' | 'emergency';

/** Begins a session, and runs `also` in the same transaction; answers its first tokens. */
export function beginSession(
  identity: Identity,
  person: { user_id: number; verified: boolean; way?: SessionWay; ip: string; userAgent: string },
  also: (db: Kysely<Database>, sessionId: string) => Promise<void> = async () => undefined,
): Promise<Tokens> {
  return identity.authDb.transaction().execute(async (db) => {
    const session = await db
      .insertInto('session')
      .values({
        user_id: person.user_id,
        verified: person.verified,
        way: person.way ?? 'password',
        ip: person.ip,
        user_agent: person.userAgent.slice(0, 300),
        // A complete sign-in proves that the person is present.
        proved_at: person.verified ? identity.clock.now().toISOString() : null,
        created_at: identity.clock.now().toISOString(),
      })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow();
    await also(db, session.id);
    return (await addPair(db, identity, session, await rulesOf(db, person.user_id))).tokens;
  });
}

/**
 * Exchanges a refresh token for the next pair. Used again within 30 s it answers that same pair. Used again later, by a
 * thief or after one, it ends the session with all its tokens. Throws `refresh_token_invalid`.
 */
export async function refreshSession(identity: Identity, refreshToken: string): Promise<Tokens> {
  const tokens = await identity.authDb.transaction().execute(async (db) => {
    const now = identity.clock.now();
    const pair = await db
      .selectFrom('session_token')
      .innerJoin('session', 'session.id', 'session_token.session_id')
      .innerJoin('user_account as u', 'u.id', 'session.user_id')
      .leftJoin('corporation', 'corporation.id', 'u.corporation_id')
      .where('refresh_digest', '=', tokenDigest(refreshToken))
      .where('session.ended_at', 'is', null)
      .where('refresh_expires_at', '>', now.toISOString())
      .where('u.enabled', '=', true)
      .where(IN_DEPARTMENT)
      .where((eb) => eb.or([eb('corporation.id', 'is', null), eb('corporation.enabled', '=', true)]))
      .select(['session_token.id', 'session_id', 'session.created_at', 'session_token.created_at as issued_at'])
      .select(['used_at', 'successor_id', 'u.id as user_id'])
      .forUpdate('session_token')
      .executeTakeFirst();
    if (!pair) return undefined;
    if (pair.used_at === null || pair.successor_id === null) {
      const rules = await rulesOf(db, pair.user_id);
      const pause = now.getTime() - Date.parse(pair.issued_at);
      if (rules.idle_minutes !== null && pause >= rules.idle_minutes * 60_000) return undefined;
      const next = await addPair(db, identity, { id: pair.session_id, created_at: pair.created_at }, rules);
      await db
        .updateTable('session_token')
        .set({ used_at: now.toISOString(), successor_id: next.id })
        .where('id', '=', pair.id)
        .execute();
      return next.tokens;
    }
    if (now.getTime() - Date.parse(pair.used_at) <= GRACE_MS) return sameSuccessor(db, identity, pair.successor_id);
    await endSession(db, pair.session_id, now);
    return undefined;
  });
  if (!tokens) throw new BusinessError('refresh_token_invalid');
  return tokens;
}

async function sameSuccessor(db: Kysely<Database>, { key, clock }: Identity, id: string): Promise<Tokens> {
  const make = tokenMaker(key);
  const { access_expires_at } = await db
    .selectFrom('session_token')
    .select('access_expires_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const left = Math.floor((Date.parse(access_expires_at) - clock.now().getTime()) / 1000);
  return {
    access_token: make('access', id),
    refresh_token: make('refresh', id),
    token_type: 'Bearer',
    expires_in: Math.max(left, 0),
  };
}

/** Ends a session: its tokens are invalid from now on. */
export async function endSession(db: Kysely<Database>, sessionId: string, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: now.toISOString() })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends these sessions as far as they are open; answers how many were. Their people are told that they were ended. */
export async function endSessions(db: Kysely<Database>, ids: readonly string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: now.toISOString(), ended_because: 'elsewhere' })
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Reasons for which sessions end without a sign-out by their person. */
export type EndedBecause = 'elsewhere' | 'password' | 'administrator';

/** Ends every open session of a person, except for one if given; each gets the reason. */
export async function endSessionsOf(
  db: Kysely<Database>,
  person: { user_id: number; except?: string | undefined; because: EndedBecause },
  now: Date,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ended_at: now.toISOString(), ended_because: person.because })
    .where('user_id', '=', person.user_id)
    .where('ended_at', 'is', null)
    .$if(person.except !== undefined, (q) => q.where('id', '<>', person.except!))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
