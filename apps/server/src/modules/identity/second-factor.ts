import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import { noteIfEmergency } from './company-rule.ts';
import { type Proof, takeProof } from './passkey-proof.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import type { Identity } from './session-tokens.ts';
import { isPasswordExpired } from './settings.ts';
import { rulesOf } from './sign-in-policy.ts';
import { takeTotp } from './totp.ts';

export type SecondFactor = 'otp' | 'totp' | 'passkey';

const TRIES = 5;
const LIFE_MS = { otp: 5 * 60_000, totp: 15 * 60_000, passkey: 15 * 60_000 } as const;
const PAUSE_MS = 60_000;
/** Maximum unused challenges a day: with five tries each, one guess in 20,000 succeeds a day. */
const UNUSED_A_DAY = 10;
const DAY_MS = 86_400_000;

/** Job that sends the code of a challenge; its data has only the challenge's id. */
export const sendOtpJob = defineJob('send-otp', z.object({ challenge_id: z.uuid() }), { retryLimit: 3 });

/** Makes the six digits of a challenge from the server's key; they are never stored. */
export function codeOf(key: Buffer, challengeId: string): string {
  const digest = createHmac('sha256', key).update(`one-time password ${challengeId}`).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/**
 * Answers the second factor that a person needs besides the password: a passkey if they have one, else an authenticator
 * app if they use one, else a code if it is required of them, or by the rules of their corporation.
 */
export async function factorOf(db: Kysely<Database>, user: { id: number; otp: boolean }): Promise<SecondFactor | null> {
  const passkey = await db
    .selectFrom('passkey')
    .select('id')
    .where('user_id', '=', user.id)
    .limit(1)
    .executeTakeFirst();
  if (passkey) return 'passkey';
  const app = await db
    .selectFrom('user_totp')
    .select('user_id')
    .where('user_id', '=', user.id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (app) return 'totp';
  return user.otp || (await rulesOf(db, user.id)).second_factor ? 'otp' : null;
}

/**
 * Makes a session wait for its second factor; a code is sent after the transaction commits. Throws `too_many_requests`.
 */
export async function beginChallenge(
  db: Kysely<Database>,
  { clock }: Pick<Identity, 'clock'>,
  wait: { session_id: string; user_id: number; method: SecondFactor },
): Promise<void> {
  const now = clock.now();
  // The lock of the person's row keeps parallel sign-ins from missing each other in the count.
  await db.selectFrom('user_account').select('id').where('id', '=', wait.user_id).forNoKeyUpdate().execute();
  const unused = await db
    .selectFrom('otp_challenge')
    .select('created_at')
    .where('user_id', '=', wait.user_id)
    .where('used_at', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .orderBy('created_at')
    .execute();
  if (unused.length >= UNUSED_A_DAY) {
    const next = Date.parse(unused[unused.length - UNUSED_A_DAY]!.created_at) + DAY_MS;
    throw new BusinessError('too_many_requests', { retryAfter: Math.ceil((next - now.getTime()) / 1000) });
  }
  const { id } = await db
    .insertInto('otp_challenge')
    .values({
      ...wait,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + LIFE_MS[wait.method]).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (wait.method === 'otp') await enqueue(db, sendOtpJob, { challenge_id: id });
}

/**
 * Finds the newest challenge of a session, the only valid one; parallel requests of the same session wait for each
 * other.
 */
async function newestOf(db: Kysely<Database>, sessionId: string) {
  // It is a separate statement, so that the next one reads what the previous request has written.
  await db.selectFrom('session').select('id').where('id', '=', sessionId).forUpdate().execute();
  return db
    .selectFrom('otp_challenge')
    .select(['id', 'user_id', 'method', 'tries', 'created_at', 'expires_at', 'used_at'])
    .where('session_id', '=', sessionId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Lets a verified session wait for its second factor again. A challenge that can still be answered stays: asking often
 * sends no more codes, and uses up no tries of the sign-in. Throws `too_many_requests`.
 */
export async function waitForFactor(
  identity: Identity,
  caller: Pick<Caller, 'session_id' | 'user_id'>,
  method: SecondFactor,
): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    const last = await newestOf(db, caller.session_id);
    const isOpen =
      last?.method === method &&
      last.used_at === null &&
      last.tries < TRIES &&
      Date.parse(last.expires_at) > identity.clock.now().getTime();
    if (!isOpen) await beginChallenge(db, identity, { session_id: caller.session_id, user_id: caller.user_id, method });
  });
}

/** Makes a new code for a session that waits for one, at most one a minute. */
export async function renewChallenge(
  identity: Identity,
  caller: Pick<Caller, 'session_id' | 'user_id'>,
): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    const last = await newestOf(db, caller.session_id);
    if (!last || last.used_at !== null || last.method !== 'otp') throw new BusinessError('otp_invalid');
    const left = Date.parse(last.created_at) + PAUSE_MS - identity.clock.now().getTime();
    if (left > 0) throw new BusinessError('too_many_requests', { retryAfter: Math.ceil(left / 1000) });
    await beginChallenge(db, identity, { session_id: caller.session_id, user_id: caller.user_id, method: 'otp' });
  });
}

/**
 * Takes the second factor that a session waits for: valid once, five tries, also with parallel requests. Answers the
 * reason of a refusal, so that the try counts; its caller commits in both cases.
 */
export async function takeFactor(
  db: Kysely<Database>,
  identity: Identity,
  sessionId: string,
  code: string,
): Promise<'otp_invalid' | 'otp_expired' | 'otp_too_many_tries' | undefined> {
  const now = identity.clock.now();
  const challenge = await newestOf(db, sessionId);
  if (!challenge || challenge.used_at !== null) return 'otp_invalid';
  if (Date.parse(challenge.expires_at) <= now.getTime()) return 'otp_expired';
  if (challenge.tries >= TRIES) return 'otp_too_many_tries';
  await db
    .updateTable('otp_challenge')
    .set({ tries: challenge.tries + 1 })
    .where('id', '=', challenge.id)
    .execute();
  const right =
    challenge.method === 'otp'
      ? same(code, codeOf(identity.key, challenge.id))
      : /^\d{6}$/.test(code)
        ? await takeTotp(db, identity, challenge.user_id, code)
        : await takeRecoveryCode(db, identity, challenge.user_id, code);
  if (!right) return 'otp_invalid';
  await db.updateTable('otp_challenge').set({ used_at: now.toISOString() }).where('id', '=', challenge.id).execute();
  return undefined;
}

/** Throws `password_expired` if a person must choose a new password first. */
async function requirePresentPassword(db: Kysely<Database>, { clock }: Identity, userId: number): Promise<void> {
  const person = await db
    .selectFrom('user_account')
    .select(['password_changed_at', 'must_change_password'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (await isPasswordExpired(db, person, clock.now())) throw new BusinessError('password_expired');
}

/** Marks a session verified, and its person as present now. */
export const markProved = (db: Kysely<Database>, { clock }: Pick<Identity, 'clock'>, sessionId: string) =>
  db
    .updateTable('session')
    .set({ verified: true, proved_at: clock.now().toISOString() })
    .where('id', '=', sessionId)
    .execute();

/** Completes the sign-in of a session that waited for its second factor. */
async function enterProved(db: Kysely<Database>, identity: Identity, session_id: string): Promise<void> {
  await markProved(db, identity, session_id);
  await noteIfEmergency(db, identity, session_id);
}

type Waiting = Pick<Caller, 'session_id' | 'user_id'>;

/**
 * Verifies a session by its second factor. Throws `otp_invalid`, `otp_expired`, `otp_too_many_tries`, and
 * `password_expired` if a new password must be chosen first.
 */
export async function verifySession(identity: Identity, caller: Waiting, code: string): Promise<void> {
  const refusal = await identity.authDb.transaction().execute(async (db) => {
    await requirePresentPassword(db, identity, caller.user_id);
    const refused = await takeFactor(db, identity, caller.session_id, code);
    if (!refused) await enterProved(db, identity, caller.session_id);
    return refused;
  });
  if (refusal) throw new BusinessError(refusal);
}

/** Verifies a session by a passkey of its person. Throws `passkey_refused` and `password_expired`. */
export async function verifyByPasskey(identity: Identity, caller: Waiting, host: string, proof: Proof): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    await requirePresentPassword(db, identity, caller.user_id);
    const challenge = await newestOf(db, caller.session_id);
    if (!challenge || challenge.used_at !== null) throw new BusinessError('passkey_refused');
    const asked = { purpose: 'check', host, subject: caller.session_id } as const;
    const { user_id } = await takeProof(db, identity, asked, proof);
    if (user_id !== caller.user_id) throw new BusinessError('passkey_refused');
    const used_at = identity.clock.now().toISOString();
    await db.updateTable('otp_challenge').set({ used_at }).where('id', '=', challenge.id).execute();
    await enterProved(db, identity, caller.session_id);
  });
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
