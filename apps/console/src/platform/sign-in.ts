import { profile, signOut } from '@heliograph/contract/identity/session';
import { call, freshToken, headersFor } from './call.ts';
import { followProfileLanguage } from './language.ts';
import { disconnectLive } from './live.ts';
import { exitTo } from './navigation.ts';
import { queryClient } from './queries.ts';
import { forgetPlace, takePlace } from './return-place.ts';
import { clearSession, useSession } from './session.ts';
import { IS_SUPPORT, leaveSupport } from './support-tab.ts';

/** Returns the path of the profile's landing page. */
export function landingPath(): string {
  return `/${(useSession.getState().profile?.landing_page || 'dashboard').replace(/^\//, '')}`;
}

/**
 * Returns the path after a sign-in: the screen on which the session ended, otherwise the landing page. People who must
 * add a passkey first do that.
 */
export function pathAfterSignIn(): string {
  if (useSession.getState().profile?.passkey_needed === 'now') return '/verify-otp';
  return takePlace() ?? landingPath();
}

/** Reads the profile of a verified session. From then on, the session is logged in. */
export async function loadProfile(): Promise<void> {
  const reply = await call(profile);
  useSession.setState({ ...reply, verify: true, isLoggedIn: true, otpStartTime: null });
  await followProfileLanguage();
}

/** Signs out here and on the server, and goes to the sign-in screen; out of a support session, to the own console. */
export async function leave(): Promise<void> {
  if (IS_SUPPORT) {
    await call(signOut).catch(() => undefined);
    disconnectLive();
    return leaveSupport();
  }
  const token = await freshToken().catch(() => useSession.getState().token);
  // All tabs forget the session before the server ends it: a call under way that is then refused says nothing.
  forgetPlace();
  disconnectLive();
  clearSession();
  if (token !== null) void endSession(token);
  await exitTo('/login');
  // The cache is cleared last: a screen still shown would read the cleared data again.
  queryClient.clear();
}

/** Ends a session on the server, even if the tab closes. Here it has ended even if the server cannot be reached. */
const endSession = (token: string): Promise<unknown> =>
  fetch(signOut.path, { method: signOut.method, headers: headersFor(token), keepalive: true }).catch(() => undefined);
