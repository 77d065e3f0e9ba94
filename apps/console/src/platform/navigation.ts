/** Screens to which a failed call may send the user. */
export type Exit = '/login' | '/unauthorized' | '/forbidden' | '/verify-otp';

let navigate: (to: Exit) => Promise<void> = async (to) => location.assign(to);

/** Sets how this application moves between its screens. The router calls it once. */
export function onExit(handler: (to: Exit) => Promise<void>): void {
  navigate = handler;
}

/** Leaves the current screen. Resolves when the other screen is shown. */
export function exitTo(to: Exit): Promise<void> {
  return navigate(to);
}
