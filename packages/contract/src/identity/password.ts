import { z } from 'zod';
import { email, newSecret } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

const confirmed = { password: newSecret, password_confirmation: newSecret };

/** Six digits of a message or an authenticator app, or a recovery code such as `K7QM2-X9PBT`. */
export const secondFactor = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^(\d{6}|[A-HJ-NP-Z2-9]{5}-?[A-HJ-NP-Z2-9]{5})$/, { error: 'second_factor' });

/** Five minutes, five tries; the session is verified from then on. */
export const verifyOtp = operation({
  method: 'POST',
  path: '/api/v1/otp/verify',
  session: 'unverified',
  permission: null,
  body: z.object({ code: secondFactor }),
  reply: doneReply,
  errors: ['otp_invalid', 'otp_expired', 'otp_too_many_tries', 'password_expired'],
});

/** A new code, at most one a minute and ten a day that were not used. */
export const resendOtp = operation({
  method: 'POST',
  path: '/api/v1/otp/resend',
  session: 'unverified',
  permission: null,
  reply: doneReply,
});

/** Mails a single-use link, good for 60 minutes; the answer never tells whether the address exists. */
export const forgotPassword = operation({
  method: 'POST',
  path: '/api/v1/password/forgot-password',
  session: 'public',
  permission: null,
  body: z.object({ email }),
  reply: doneReply,
});

/** Sets a new password by the mailed link. */
export const resetPassword = operation({
  method: 'POST',
  path: '/api/v1/password/reset',
  session: 'public',
  permission: null,
  body: z.object({ token: z.string().min(1).max(200), ...confirmed }),
  reply: doneReply,
  errors: ['reset_link_invalid'],
});

/**
 * Replaces an expired password by giving it. Who has a second factor is first answered which one, with the token of a
 * session that waits for it, and gives both with the second call.
 */
export const resetExpiredPassword = operation({
  method: 'POST',
  path: '/api/v1/password/reset-expired-password',
  session: 'public',
  permission: null,
  body: z.object({
    username: z.string().min(1).max(254),
    current_password: z.string().min(1).max(200),
    ...confirmed,
    access_token: z.string().min(1).max(200).optional(),
    code: secondFactor.optional(),
  }),
  reply: doneReply.extend({
    /** Null once the password is replaced. */
    second_factor: z.enum(['otp', 'totp']).nullable(),
    /** Opens nothing but this call, a new code and the sign-out. */
    access_token: z.string().optional(),
  }),
  errors: [
    'wrong_credentials',
    'account_locked',
    'account_disabled',
    'password_not_expired',
    'otp_invalid',
    'otp_expired',
    'otp_too_many_tries',
  ],
});

/** Replaces one's own password; ends every other session. */
export const changePassword = operation({
  method: 'POST',
  path: '/api/v1/password/change',
  permission: null,
  body: z.object({ current_password: z.string().min(1).max(200), ...confirmed }),
  reply: doneReply,
});
