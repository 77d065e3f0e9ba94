import type { Session } from '../platform/session.ts';

export type Verdict = 'enter' | 'login' | 'clear-and-login';

/**
 * Whether a session may enter a protected screen, by the rules of the specification in their order. `permission` is
 * null for My Profile, which needs a login alone.
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

/** Whether /verify-otp may be entered: a one-time password is waited for, or the user is logged in. */
export function mayVerify(session: Pick<Session, 'isLoggedIn' | 'otpStartTime'>): boolean {
  return session.otpStartTime !== null || session.isLoggedIn;
}
