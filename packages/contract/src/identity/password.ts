import { z } from 'zod';
import { email } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply } from '../kernel/resource.ts';

/** A password as it is typed; whether it is good enough is the operator's `password_policy`, which the server knows. */
const newPassword = z.string().min(8).max(200);

const confirmed = { password: newPassword, password_confirmation: newPassword };

/** Six digits, five minutes, five tries. */
export const verifyOtp = operation({
  method: 'POST',
  path: '/api/v1/otp/verify',
  session: 'unverified',
  permission: null,
  body: z.object({ code: z.string().regex(/^\d{6}$/) }),
  reply: doneReply,
  errors: ['otp_invalid', 'otp_expired', 'otp_too_many_tries'],
});

/** A new code, at most one a minute. */
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

/** Replaces an expired password by one's own present one. */
export const resetExpiredPassword = operation({
  method: 'POST',
  path: '/api/v1/password/reset-expired-password',
  session: 'public',
  permission: null,
  body: z.object({ username: z.string().min(1).max(254), current_password: z.string().min(1).max(200), ...confirmed }),
  reply: doneReply,
  errors: ['wrong_credentials', 'account_locked', 'account_disabled'],
});
