import { createHmac } from 'node:crypto';
import { type addPasskey, MAX_PASSKEYS, type passkeys } from '@heliograph/contract/identity/passkey';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Kysely } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Caller, Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { brandOf, lookOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { translate } from '#platform/text/i18n';
import { type Asked, isChallenge, makeChallenge, useChallenge } from './passkey-challenge.ts';
import { originOf, passkeysOn, webauthn } from './passkey-proof.ts';
import { dropUselessCodes, newRecoveryCodes } from './recovery-codes.ts';
import type { Identity } from './session-tokens.ts';

type Person = Pick<Caller, 'user_id' | 'corporation_id' | 'email' | 'name'>;

const log = (db: Kysely<Database>, { clock }: Identity, caller: Person, description: string, name: string) =>
  audit(
    { db, clock, caller },
    { name: 'passkeys', description, subject_type: 'users', subject_id: caller.user_id, after: { name } },
  );

const toAdd = ({ user_id }: Person, host: string): Asked => ({ purpose: 'add', host, subject: String(user_id) });

/** Signatures that are accepted, by their numbers in COSE: Ed25519, ES256 and RS256, which all devices together know. */
const ALGORITHMS = [-8, -7, -257];

/** Handle by which devices know a person. It is the same for all of their passkeys, and tells nothing about them. */
const handleOf = ({ key }: Identity, userId: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHmac('sha256', key).update(`passkey handle ${userId}`).digest());

/** Lists a person's passkeys, newest first. */
export async function listPasskeys(
  { authDb }: Identity,
  { user_id }: Pick<Caller, 'user_id'>,
): Promise<ReplyOf<typeof passkeys>> {
  const data = await authDb
    .selectFrom('passkey')
    .select(['id', 'name', 'host', 'synced', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .execute();
  return { data };
}

/** Locks a person's row, so that parallel requests see each other, and throws `passkey_limit` if there are enough. */
async function requireRoom(db: Kysely<Database>, userId: number): Promise<void> {
  await db.selectFrom('user_account').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { count } = await db
    .selectFrom('passkey')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_PASSKEYS) throw new BusinessError('passkey_limit', { params: { count: MAX_PASSKEYS } });
}

/** Options with which the browser makes a passkey that needs neither a name nor a password to sign in. */
export async function passkeyOptions(identity: Identity, person: Person, host: string): Promise<{ challenge: string }> {
  const { authDb } = identity;
  await authDb.transaction().execute((db) => requireRoom(db, person.user_id));
  const { generateRegistrationOptions } = await webauthn();
  const present = await passkeysOn(authDb, person.user_id, host);
  return {
    ...(await generateRegistrationOptions({
      rpName: (await lookOf(authDb, host)).name,
      rpID: host,
      userName: person.email,
      userDisplayName: person.name,
      userID: handleOf(identity, person.user_id),
      challenge: makeChallenge(identity, toAdd(person, host)),
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      excludeCredentials: present.map(({ credential_id, transports }) => ({
        id: credential_id.toString('base64url'),
        transports,
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })),
  };
}

/**
 * Adds a passkey that the browser has made; answers ten recovery codes with the first, unless there are some. Throws
 * `passkey_refused` and `passkey_limit`.
 */
export async function keepPasskey(
  identity: Identity,
  person: Person,
  { name, host, credential }: BodyOf<typeof addPasskey>,
): Promise<string[]> {
  const origin = originOf(credential.response.clientDataJSON, host);
  const { verifyRegistrationResponse } = await webauthn();
  let answered = '';
  const { transports, ...rest } = credential.response;
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { ...rest, ...(transports !== undefined && { transports }) },
      clientExtensionResults: {},
    },
    expectedChallenge: (challenge) => {
      answered = challenge;
      return isChallenge(identity, toAdd(person, host), challenge);
    },
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((cause: unknown) => {
    throw new BusinessError('passkey_refused', { cause });
  });
  if (!info) throw new BusinessError('passkey_refused');
  return identity.authDb.transaction().execute(async (db) => {
    await requireRoom(db, person.user_id);
    await useChallenge(db, identity, answered);
    const added = await db
      .insertInto('passkey')
      .values({
        user_id: person.user_id,
        host,
        name,
        credential_id: Buffer.from(info.credential.id, 'base64url'),
        public_key: Buffer.from(info.credential.publicKey),
        counter: info.credential.counter,
        transports: transports ?? [],
        synced: info.credentialBackedUp,
        created_at: identity.clock.now().toISOString(),
      })
      .onConflict((c) => c.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst();
    // A credential of another person stays theirs.
    if (!added) throw new BusinessError('passkey_refused');
    await log(db, identity, person, 'passkey added', name);
    const left = await db
      .selectFrom('recovery_code')
      .select('user_id')
      .where('user_id', '=', person.user_id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return left ? [] : newRecoveryCodes(db, identity, person.user_id);
  });
}

/** Gives a passkey another name. Throws `not_found`. */
export async function namePasskey(identity: Identity, person: Person, id: number, name: string): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('passkey')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', person.user_id)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new BusinessError('not_found');
    await log(db, identity, person, 'passkey renamed', name);
  });
}

/** Removes a passkey; with the last second factor go the recovery codes. Throws `not_found`. */
export async function dropPasskey(identity: Identity, person: Person, id: number): Promise<void> {
  await identity.authDb.transaction().execute(async (db) => {
    const removed = await db
      .deleteFrom('passkey')
      .where('id', '=', id)
      .where('user_id', '=', person.user_id)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new BusinessError('not_found');
    await dropUselessCodes(db, person.user_id);
    await log(db, identity, person, 'passkey removed', removed.name);
  });
}

/** Mails a person that a passkey was added to their account, in case it was not them. */
export async function tellOfPasskey(
  { authDb }: Identity,
  { caller, config, log: logger }: Pick<Context, 'caller' | 'config' | 'log'>,
  passkey: string,
): Promise<void> {
  const { app, url, mail } = await brandOf(authDb, config, caller.corporation_id);
  const words = { app, url, passkey, name: caller.name };
  await sendMail(
    config,
    {
      to: caller.email,
      subject: translate(caller.locale, 'passkeys.mail_subject', words),
      text: translate(caller.locale, 'passkeys.mail_text', words),
    },
    logger,
    mail(),
  );
}
