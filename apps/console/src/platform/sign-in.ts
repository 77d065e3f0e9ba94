import { profile, signOut } from '@heliograph/contract/identity/session';
import { call } from './call.ts';
import { followProfileLanguage } from './language.ts';
import { disconnectLive } from './live.ts';
import { exitTo } from './navigation.ts';
import { queryClient } from './queries.ts';
import { forgetPlace, takePlace } from './return-place.ts';
import { clearSession, useSession } from './session.ts';

/** The path of the profile's landing page. */
export function landingPath(): string {
  return `/${(useSession.getState().profile?.landing_page || 'dashboard').replace(/^\//, '')}`;
}

/** The path after a sign-in: where the person was when the session ended, else the landing page. */
export function pathAfterSignIn(): string {
  return takePlace() ?? landingPath();
}

/** Reads the profile of a verified session, which is logged in from then on. */
export async function loadProfile(): Promise<void> {
  const reply = await call(profile);
  useSession.setState({ ...reply, verify: true, isLoggedIn: true, otpStartTime: null });
  await followProfileLanguage();
}

/** Signs out here and on the server, and goes to the sign-in screen. */
export async function leave(): Promise<void> {
  try {
    await call(signOut);
  } catch {
    // The session ends here whether or not the server could be told.
  }
  forgetPlace();
  disconnectLive();
  clearSession();
  await exitTo('/login');
  // Only now: a screen still shown would read again what is cleared.
  queryClient.clear();
}
