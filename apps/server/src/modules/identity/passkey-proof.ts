import type { passkeyProof } from '@heliograph/contract/identity/passkey';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { lookOf } from '#platform/operator/brand';
import { isAddress, isLoopback } from '#platform/process/loopback';
import { publicUrl } from '#platform/process/shutdown';
import { type Asked, isChallenge, makeChallenge, useChallenge } from './passkey-challenge.ts';
import type { Identity } from './session-tokens.ts';

export type Proof = z.output<typeof passkeyProof>;

/** Loads the library at the first use: it is an eighth of what a process reads when it starts. */
export const webauthn = () => import('@simplewebauthn/server');

/**
 * Throws `passkey_host` unless the console is served on this host: the platform's, or a reseller's. Browsers make no
 * passkeys for an IP address; on the machine itself, `localhost` stands for it.
 */
export async function requireHost(identity: Identity, config: ConnectedConfig, host: string): Promise<void> {
  if (!(await isPasskeyHost(identity, config, host))) throw new BusinessError('passkey_host');
}

/** Tells whether passkeys can work on a host. */
export async function isPasskeyHost({ authDb }: Identity, config: ConnectedConfig, host: string): Promise<boolean> {
  const { hostname } = new URL(publicUrl(config));
  if (host === hostname && !isAddress(host)) return true;
  if (host === 'localhost' && isLoopback(hostname)) return true;
  return (await lookOf(authDb, host)).reseller;
}

/**
 * Reads the origin of a browser's answer. Throws `passkey_refused` if it is not a page of this host that came over TLS;
 * only the machine itself may do without.
 */
export function originOf(clientDataJSON: string, host: string): string {
  try {
    const { origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { origin: string };
    const { protocol, hostname } = new URL(origin);
    if (hostname === host && (protocol === 'https:' || (protocol === 'http:' && host === 'localhost'))) return origin;
  } catch {
    // An origin that cannot be read is refused as well.
  }
  throw new BusinessError('passkey_refused');
}

/** Options with which the browser asks for a passkey; `userId` limits it to those of one person. */
export async function optionsFor(identity: Identity, asked: Asked, userId?: number): Promise<{ challenge: string }> {
  const { generateAuthenticationOptions } = await webauthn();
  const own = userId === undefined ? [] : await passkeysOn(identity.authDb, userId, asked.host);
  return {
    ...(await generateAuthenticationOptions({
      rpID: asked.host,
      challenge: makeChallenge(identity, asked),
      userVerification: 'required',
      allowCredentials: own.map(({ credential_id, transports }) => ({
        id: credential_id.toString('base64url'),
        transports,
      })),
    })),
  };
}

/** Passkeys of a person that work on a host. */
export const passkeysOn = (db: Kysely<Database>, userId: number, host: string) =>
  db
    .selectFrom('passkey')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', userId)
    .where('host', '=', host)
    .execute();

/**
 * Checks a proof with a passkey, and records its use; answers the person whose passkey it is. The device must have
 * checked who uses it. A proof counts once, for one purpose and host. Throws `passkey_refused`; its reasons are not
 * told.
 */
export async function takeProof(
  db: Kysely<Database>,
  identity: Identity,
  asked: Asked,
  proof: Proof,
): Promise<{ user_id: number }> {
  const origin = originOf(proof.response.clientDataJSON, asked.host);
  const { verifyAuthenticationResponse } = await webauthn();
  const passkey = await db
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', Buffer.from(proof.id, 'base64url'))
    .where('host', '=', asked.host)
    .forUpdate()
    .executeTakeFirst();
  if (!passkey) throw new BusinessError('passkey_refused');
  let answered = '';
  const { userHandle, ...rest } = proof.response;
  const { authenticationInfo: info } = await verifyAuthenticationResponse({
    response: {
      ...proof,
      response: { ...rest, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: (challenge) => {
      answered = challenge;
      return isChallenge(identity, asked, challenge);
    },
    expectedOrigin: origin,
    expectedRPID: asked.host,
    requireUserVerification: true,
    credential: {
      id: proof.id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.counter,
      transports: passkey.transports,
    },
  })
    .then((result) => (result.verified ? result : Promise.reject(new Error('the signature is wrong'))))
    .catch((cause: unknown) => {
      throw new BusinessError('passkey_refused', { cause });
    });
  await useChallenge(db, identity, answered);
  await db
    .updateTable('passkey')
    .set({
      counter: info.newCounter,
      synced: info.credentialBackedUp,
      last_used_at: identity.clock.now().toISOString(),
    })
    .where('id', '=', passkey.id)
    .execute();
  return { user_id: passkey.user_id };
}
