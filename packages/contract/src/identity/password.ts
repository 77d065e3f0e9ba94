import { z } from 'zod';
import { email, newSecret } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

const confirmed = { password: newSecret, password_confirmation: newSecret };

/** Second factor: six digits from a message or an authenticator app, or a recovery code such as `K7QM2-X9PBT`. */
export const secondFactor = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^(\d{6}|[A-HJ-NP-Z2-9]{5}-?[A-HJ-NP-Z2-9]{5})$/, { error: 'second_factor' });

/** Checks a code, within five minutes and five tries. The session is verified from then on. */
export const verifyOtp = operation({
  method: 'POST',
  path: '/api/v1/otp/verify',
  session: 'unverified',
  permission: null,
  body: z.object({ code: secondFactor }),
  reply: doneReply,
  errors: ['otp_invalid', 'otp_expired', 'otp_too_many_tries', 'password_expired'],
});

/** Sends a new code: at most one a minute, and ten unused ones a day. */
export const resendOtp = operation({
  method: 'POST',
  path: '/api/v1/otp/resend',
  session: 'unverified',
  permission: null,
  reply: doneReply,
});

/** Mails a single-use link, valid for 60 minutes. The answer never shows whether the address exists. */
export const forgotPassword = operation({
  method: 'POST',
  path: '/api/v1/password/forgot-password',
  session: 'public',
  permission: null,
  body: z.object({ email }),
  reply: doneReply,
});

/** Sets a new password with the mailed link. */
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
 * Replaces an expired password; the caller enters the old one. If the person has a second factor, the first answer
 * names it, with the token of a session that waits for it. The second call sends that token and the code.
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
    /** Second factor that is still needed; null once the password is replaced. */
    second_factor: z.enum(['otp', 'totp', 'passkey']).nullable(),
    /** Token that works only for this call, a new code and the sign-out. */
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

/** Replaces the caller's own password and ends every other session of the caller. */
export const changePassword = operation({
  method: 'POST',
  path: '/api/v1/password/change',
  permission: null,
  body: z.object({ current_password: z.string().min(1).max(200), ...confirmed }),
  reply: doneReply,
});
