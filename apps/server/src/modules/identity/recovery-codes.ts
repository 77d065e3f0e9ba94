import { createHmac, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Identity } from './session-tokens.ts';

const RECOVERY_CODES = 10;
/** Letters of recovery codes, without 0, 1, I and O, which people confuse. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const digestOf = ({ key }: Identity, userId: number, code: string) =>
  createHmac('sha256', key)
    .update(`recovery ${userId} ${code.replace('-', '').toUpperCase()}`)
    .digest();

/** Tells whether a code is one of the person's recovery codes; this uses it up. */
export async function takeRecoveryCode(
  db: Kysely<Database>,
  identity: Identity,
  userId: number,
  code: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: identity.clock.now().toISOString() })
    .where('user_id', '=', userId)
    .where('digest', '=', digestOf(identity, userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Replaces a person's recovery codes; answers the ten new ones, which are not stored. */
export async function newRecoveryCodes(db: Kysely<Database>, identity: Identity, userId: number): Promise<string[]> {
  const half = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  const codes = Array.from({ length: RECOVERY_CODES }, () => `${half()}-${half()}`);
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, digest: digestOf(identity, userId, code) })))
    .execute();
  return codes;
}

/** Tells whether a person has a second factor that recovery codes stand in for: an authenticator app or a passkey. */
export async function needsRecovery(db: Kysely<Database>, userId: number): Promise<boolean> {
  const app = db.selectFrom('user_totp').select('user_id').where('user_id', '=', userId);
  const passkey = db.selectFrom('passkey').select('user_id').where('user_id', '=', userId);
  return (await app.where('confirmed_at', 'is not', null).union(passkey).limit(1).executeTakeFirst()) !== undefined;
}

/** Removes the recovery codes of a person who has nothing left that they stand in for. */
export async function dropUselessCodes(db: Kysely<Database>, userId: number): Promise<void> {
  if (!(await needsRecovery(db, userId))) await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
}
