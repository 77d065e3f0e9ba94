import { useSession } from './session.ts';

const KEY = 'return_place';
/** Paths of our own screens; nothing that a browser could read as another host. */
const OWN_SCREEN = /^\/[a-z]/;
const PUBLIC_SCREEN = /^\/(?:login|verify-otp|unauthorized|forbidden|not-found|forgot-password|reset-)/;

/** Whether an address is one of our screens for people who are signed in. */
export const isScreen = (path: string): boolean => OWN_SCREEN.test(path) && !PUBLIC_SCREEN.test(path);

/** Keeps the screen that a session is about to be taken from, for the same person in this tab. */
export function keepPlace(): void {
  const path = location.pathname + location.search;
  const user = useSession.getState().profile?.id;
  if (user !== undefined && isScreen(path)) sessionStorage.setItem(KEY, JSON.stringify({ user, path }));
}

/** Forgets the screen, as when somebody signs out. */
export function forgetPlace(): void {
  sessionStorage.removeItem(KEY);
}

/** Answers the screen that was kept for the person who has signed in, once. */
export function takePlace(): string | undefined {
  const kept = sessionStorage.getItem(KEY);
  forgetPlace();
  if (kept === null) return undefined;
  const { user, path } = JSON.parse(kept) as { user: unknown; path: unknown };
  const same = user === useSession.getState().profile?.id;
  return same && typeof path === 'string' && isScreen(path) ? path : undefined;
}
