import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

const codes = z.array(z.string());

/** Returns the second factors of the caller, in addition to the password. */
export const showTwoFactor = operation({
  method: 'GET',
  path: '/api/v1/two-factor',
  support: 'refused',
  permission: null,
  reply: z.object({
    /** True if a sign-in code comes by SMS and email; only an administrator can change it. */
    otp: z.boolean(),
    /** True if an authenticator app is in use. */
    totp: z.boolean(),
    /** Number of passkeys. */
    passkeys: z.int(),
    recovery_codes_left: z.int(),
    password_changed_at: z.iso.datetime({ offset: true }),
  }),
});

/**
 * Returns a new secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s). It is in use after a confirmed code.
 */
export const beginTotp = operation({
  method: 'POST',
  path: '/api/v1/two-factor/begin',
  permission: null,
  proof: 'always',
  reply: z.object({
    /** Secret in base32, to type in without a camera. */
    secret: z.string(),
    /** Secret as an otpauth:// address, to show as a QR code. */
    uri: z.string(),
  }),
});

/** Confirms the authenticator app with a code. Returns ten recovery codes, which are shown only this once. */
export const confirmTotp = operation({
  method: 'POST',
  path: '/api/v1/two-factor/confirm',
  permission: null,
  body: z.object({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, { error: 'second_factor' }),
  }),
  reply: doneReply.extend({ recovery_codes: codes }),
  errors: ['otp_invalid', 'totp_not_begun'],
});

/** Returns ten new recovery codes; the old ones are no longer valid. */
export const renewRecoveryCodes = operation({
  method: 'POST',
  path: '/api/v1/two-factor/recovery-codes',
  permission: null,
  proof: 'always',
  reply: z.object({ recovery_codes: codes }),
  errors: ['totp_not_begun'],
});

export const endTotp = operation({
  method: 'POST',
  path: '/api/v1/two-factor/end',
  permission: null,
  proof: 'always',
  reply: doneReply,
  errors: ['totp_not_begun'],
});
