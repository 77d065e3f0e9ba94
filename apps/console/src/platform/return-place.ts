import { useSession } from './session.ts';

const KEY = 'return_place';
/** Pattern of our own paths. It matches no address that a browser could read as another host. */
const OWN_SCREEN = /^\/[a-z]/;
const PUBLIC_SCREEN = /^\/(?:login|sso\/|verify-otp|unauthorized|forbidden|not-found|forgot-password|reset-)/;

/** Returns whether an address is one of our screens for signed-in users. */
export const isScreen = (path: string): boolean => OWN_SCREEN.test(path) && !PUBLIC_SCREEN.test(path);

/** Stores the current screen when the session is about to end, for the same person in this tab. */
export function keepPlace(): void {
  const path = location.pathname + location.search;
  const user = useSession.getState().profile?.id;
  if (user !== undefined && isScreen(path)) sessionStorage.setItem(KEY, JSON.stringify({ user, path }));
}

/** Forgets the stored screen, for example at sign-out. */
export function forgetPlace(): void {
  sessionStorage.removeItem(KEY);
}

/** Returns the screen stored for the person who has signed in, and forgets it. */
export function takePlace(): string | undefined {
  const kept = sessionStorage.getItem(KEY);
  forgetPlace();
  if (kept === null) return undefined;
  const { user, path } = JSON.parse(kept) as { user: unknown; path: unknown };
  const same = user === useSession.getState().profile?.id;
  return same && typeof path === 'string' && isScreen(path) ? path : undefined;
}
