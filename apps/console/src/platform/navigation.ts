/** Where calls may send the user. */
export type Exit = '/login' | '/unauthorized' | '/forbidden';

let navigate: (to: Exit) => Promise<void> = async (to) => location.assign(to);

/** Tells how this application moves between its screens; called once by the router. */
export function onExit(handler: (to: Exit) => Promise<void>): void {
  navigate = handler;
}

/** Leaves the current screen; done when the other is shown. */
export function exitTo(to: Exit): Promise<void> {
  return navigate(to);
}
