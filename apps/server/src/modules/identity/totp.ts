import type { Kysely } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { audit } from '#platform/access/audit';
import type { Caller } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { readSettings } from '#platform/operator/settings';
import { open, seal } from '#platform/process/seal';
import { dropUselessCodes, needsRecovery, newRecoveryCodes } from './recovery-codes.ts';
import type { Identity } from './session-tokens.ts';

const PERIOD_S = 30;
/** Maximum difference of a clock, in steps to either side. */
const WINDOW = 1;
const SECRET_BYTES = 20;

type Person = Pick<Caller, 'user_id' | 'corporation_id' | 'email'>;

/** Context with which the secret of a person's authenticator app is sealed. */
export const totpContext = (userId: number): string => `user_totp.secret_sealed:${userId}`;

/** Codes of RFC 6238 with the parameters that every authenticator app supports: SHA-1, six digits, 30 seconds. */
const generator = (secret: Secret, issuer = '', label = '') =>
  new TOTP({ secret, issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD_S });

/** Makes a secret that waits for its confirmation; a secret in use stays until then. */
export async function beginTotp(identity: Identity, person: Person): Promise<{ secret: string; uri: string }> {
  const { authDb, key, clock } = identity;
  const issuer = (await readSettings(authDb)).get('app_name') ?? 'Heliograph';
  const secret = new Secret({ size: SECRET_BYTES });
  const row = {
    secret_sealed: seal(key, secret.base32, totpContext(person.user_id)),
    confirmed_at: null,
    last_step: 0,
    created_at: clock.now().toISOString(),
  };
  const present = await authDb
    .insertInto('user_totp')
    .values({ user_id: person.user_id, ...row })
    .onConflict((c) => c.column('user_id').doUpdateSet(row).where('user_totp.confirmed_at', 'is', null))
    .returning('user_id')
    .executeTakeFirst();
  // The present app must be removed first: otherwise a stolen session could replace it without notice.
  if (!present) throw new BusinessError('changed_meanwhile');
  return { secret: secret.base32, uri: generator(secret, issuer, person.email).toString() };
}

/** Takes a code of the person's secret, each step at most once; `confirmed` decides which secrets count. */
async function takeStep(db: Kysely<Database>, identity: Identity, userId: number, code: string, confirmed: boolean) {
  const row = await db
    .selectFrom('user_totp')
    .select(['secret_sealed', 'last_step'])
    .where('user_id', '=', userId)
    .where('confirmed_at', confirmed ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return 'none';
  const secret = Secret.fromBase32(open(identity.key, row.secret_sealed, totpContext(userId)));
  const timestamp = identity.clock.now().getTime();
  const delta = generator(secret).validate({ token: code, timestamp, window: WINDOW });
  if (delta === null) return 'wrong';
  const step = Math.floor(timestamp / 1000 / PERIOD_S) + delta;
  if (step <= row.last_step) return 'wrong';
  await db.updateTable('user_totp').set({ last_step: step }).where('user_id', '=', userId).execute();
  return 'right';
}

/** Tells whether a code is the authenticator app's present one; this uses it up. */
export const takeTotp = async (db: Kysely<Database>, identity: Identity, userId: number, code: string) =>
  (await takeStep(db, identity, userId, code, true)) === 'right';

const log = (db: Kysely<Database>, { clock }: Identity, caller: Person, description: string) =>
  audit({ db, clock, caller }, { name: 'two-factor', description, subject_type: 'users', subject_id: caller.user_id });

/**
 * Confirms a secret by one of its codes, and puts it to use; answers ten recovery codes. Throws `totp_not_begun` or
 * `otp_invalid`.
 */
export async function confirmTotp(identity: Identity, person: Person, code: string): Promise<string[]> {
  return identity.authDb.transaction().execute(async (db) => {
    const verdict = await takeStep(db, identity, person.user_id, code, false);
    if (verdict !== 'right') throw new BusinessError(verdict === 'none' ? 'totp_not_begun' : 'otp_invalid');
    await db
      .updateTable('user_totp')
      .set({ confirmed_at: identity.clock.now().toISOString() })
      .where('user_id', '=', person.user_id)
      .execute();
    const codes = await newRecoveryCodes(db, identity, person.user_id);
    await log(db, identity, person, 'authenticator added');
    return codes;
  });
}

/** Replaces the recovery codes. Throws `totp_not_begun` if there is neither an app nor a passkey. */
export async function renewRecoveryCodes(identity: Identity, person: Person): Promise<string[]> {
  return identity.authDb.transaction().execute(async (db) => {
    await db.selectFrom('user_account').select('id').where('id', '=', person.user_id).forNoKeyUpdate().execute();
    if (!(await needsRecovery(db, person.user_id))) throw new BusinessError('totp_not_begun');
    const codes = await newRecoveryCodes(db, identity, person.user_id);
    await log(db, identity, person, 'recovery codes renewed');
    return codes;
  });
}

/** Removes the authenticator app; without a passkey, the recovery codes go too. Throws `totp_not_begun` if none is in use. */
export async function endTotp(identity: Identity, person: Person): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    const { numDeletedRows } = await db
      .deleteFrom('user_totp')
      .where('user_id', '=', person.user_id)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new BusinessError('totp_not_begun');
    await dropUselessCodes(db, person.user_id);
    await log(db, identity, person, 'authenticator removed');
  });
}
