/** Where calls may send the user. */
export type Exit = '/login' | '/unauthorized' | '/forbidden';

let navigate: (to: Exit) => void = (to) => location.assign(to);

/** Tells how this application moves between its screens; called once by the router. */
export function onExit(handler: (to: Exit) => void): void {
  navigate = handler;
}

/** Leaves the current screen. */
export function exitTo(to: Exit): void {
  navigate(to);
}
