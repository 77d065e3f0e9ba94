import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';
import { signIn } from './session.ts';

/** Number of passkeys that a person may have. */
export const MAX_PASSKEYS = 20;

/** Name that a person gives a passkey, such as the device that keeps it. */
export const passkeyName = z.string().trim().min(1).max(60);
/** Host on which the browser shows the console. A passkey works only on the host for which it was made. */
export const passkeyHost = z.string().trim().toLowerCase().min(1).max(253);
const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/);
/** Options for the browser, in the JSON form of WebAuthn level 3, section 5.1.8 or 5.1.9. */
const options = z.looseObject({ challenge: z.string() });
const credentialId = base64url(1_400);
const credential = { id: credentialId, rawId: credentialId, type: z.literal('public-key') };

/** A new passkey as the browser answers it: `RegistrationResponseJSON` of WebAuthn level 3. */
export const newPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

/** A proof with a passkey as the browser answers it: `AuthenticationResponseJSON` of WebAuthn level 3. */
export const passkeyProof = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(100).optional(),
  }),
});

/** Lists the caller's passkeys, newest first. */
export const passkeys = operation({
  method: 'GET',
  path: '/api/v1/passkeys',
  support: 'refused',
  session: 'entering',
  permission: null,
  reply: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        /** Host on which it works. */
        host: z.string(),
        /** True if its owner's password manager keeps it on several devices. */
        synced: z.boolean(),
        created_at: instant,
        last_used_at: instant.nullable(),
      }),
    ),
  }),
});

/** Returns the options with which the browser makes a new passkey. Valid for five minutes. */
export const beginPasskey = operation({
  method: 'POST',
  path: '/api/v1/passkeys/begin',
  session: 'entering',
  permission: null,
  proof: 'always',
  body: z.object({ host: passkeyHost }),
  reply: z.object({ options }),
  errors: ['passkey_host', 'passkey_limit'],
});

/** Adds a passkey. With the first one, returns ten recovery codes, which are shown only this once. */
export const addPasskey = operation({
  method: 'POST',
  path: '/api/v1/passkeys',
  session: 'entering',
  permission: null,
  body: z.object({ name: passkeyName, host: passkeyHost, credential: newPasskey }),
  reply: doneReply.extend({ recovery_codes: z.array(z.string()) }),
  errors: ['passkey_refused', 'passkey_limit', 'passkey_host'],
});

const one = z.object({ id: z.coerce.number().int().positive() });

export const renamePasskey = operation({
  method: 'PATCH',
  path: '/api/v1/passkeys/:id',
  permission: null,
  params: one,
  body: z.object({ name: passkeyName }),
  reply: doneReply,
  errors: ['not_found'],
});

/** Removes a passkey. */
export const removePasskey = operation({
  method: 'POST',
  path: '/api/v1/passkeys/:id/end',
  permission: null,
  proof: 'always',
  params: one,
  reply: doneReply,
  errors: ['not_found'],
});

/** Returns the options with which the browser asks for a passkey in place of the password. Valid for five minutes. */
export const beginPasskeySignIn = operation({
  method: 'POST',
  path: '/api/v1/oauth/passkey/begin',
  session: 'public',
  permission: null,
  body: z.object({ host: passkeyHost }),
  reply: z.object({ options }),
  errors: ['passkey_host'],
});

/** Signs in with a passkey: neither a password nor a second factor is needed. */
export const passkeySignIn = operation({
  method: 'POST',
  path: '/api/v1/oauth/passkey',
  session: 'public',
  permission: null,
  body: z.object({ host: passkeyHost, credential: passkeyProof }),
  reply: signIn.reply,
  errors: ['passkey_refused', 'account_disabled', 'passkey_host', 'sign_on_required', 'sign_in_address'],
});

/** Returns the options with which the browser asks for a passkey as the second factor. Valid for five minutes. */
export const beginPasskeyCheck = operation({
  method: 'POST',
  path: '/api/v1/otp/passkey/begin',
  session: 'unverified',
  permission: null,
  body: z.object({ host: passkeyHost }),
  reply: z.object({ options }),
  errors: ['passkey_host'],
});

/** Checks a passkey as the second factor. The session is verified from then on. */
export const checkPasskey = operation({
  method: 'POST',
  path: '/api/v1/otp/passkey',
  session: 'unverified',
  permission: null,
  body: z.object({ host: passkeyHost, credential: passkeyProof }),
  reply: doneReply,
  errors: ['passkey_refused', 'passkey_host', 'password_expired'],
});
