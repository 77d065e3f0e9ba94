import type { Session } from '../platform/session.ts';

export type Verdict = 'enter' | 'login' | 'clear-and-login';

/**
 * Decides whether a session may enter a protected screen. The rules of the specification are checked in their order.
 * `permission` is null for My Profile, which requires only a login.
 */
export function guard(
  session: Pick<Session, 'isLoggedIn' | 'permissions' | 'verify'>,
  permission: string | null,
): Verdict {
  if (!session.isLoggedIn) return 'login';
  if (session.permissions.length === 0) return 'clear-and-login';
  if (permission !== null && !session.permissions.some(({ name }) => name === permission)) return 'clear-and-login';
  if (!session.verify) return 'clear-and-login';
  return 'enter';
}

/**
 * Returns whether the session may enter /verify-otp. It may while a sign-in code is expected, or if the user is logged
 * in.
 */
export function mayVerify(session: Pick<Session, 'isLoggedIn' | 'otpStartTime'>): boolean {
  return session.otpStartTime !== null || session.isLoggedIn;
}
