import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

const password = z.string().min(1).max(200);
const codes = z.array(z.string());

/** How the caller proves who they are beside the password. */
export const showTwoFactor = operation({
  method: 'GET',
  path: '/api/v1/two-factor',
  permission: null,
  reply: z.object({
    /** A one-time password by SMS and e-mail, which an administrator switches. */
    otp: z.boolean(),
    /** An authenticator app is in use. */
    totp: z.boolean(),
    recovery_codes_left: z.int(),
    password_changed_at: z.iso.datetime({ offset: true }),
  }),
});

/** A new secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s); in use once a code of it was confirmed. */
export const beginTotp = operation({
  method: 'POST',
  path: '/api/v1/two-factor/begin',
  permission: null,
  body: z.object({ password }),
  reply: z.object({
    /** Base32, to be typed where no camera is at hand. */
    secret: z.string(),
    /** The same as an otpauth:// address, to be shown as a QR code. */
    uri: z.string(),
  }),
});

/** Puts the authenticator app to use; answers ten recovery codes, which are shown this once. */
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

/** Ten new recovery codes; the old ones are no longer good. */
export const renewRecoveryCodes = operation({
  method: 'POST',
  path: '/api/v1/two-factor/recovery-codes',
  permission: null,
  body: z.object({ password }),
  reply: z.object({ recovery_codes: codes }),
  errors: ['totp_not_begun'],
});

export const endTotp = operation({
  method: 'POST',
  path: '/api/v1/two-factor/end',
  permission: null,
  body: z.object({ password }),
  reply: doneReply,
  errors: ['totp_not_begun'],
});
