import type { AnyRouter } from '@tanstack/react-router';

const PATIENCE_MS = 30_000;
const OPENERS = 'main :is(a, button, tr[tabindex])';
/** Drawers, dialogs, menus and calendars: they open above a screen and are removed when they close. */
const ABOVE = '[data-portal], [role=dialog], [role=alertdialog]';
/** Places of the focus that are remembered; dialogs within dialogs are far fewer. */
const LONGEST_TRAIL = 20;

/** Keeps the focus where a person expects it: when something above the screen closes, and from screen to screen. */
export function keepFocus(router: AnyRouter): void {
  returnFromAbove();
  followScreens(router);
}

/** Tells whether nothing has the focus. */
const isFree = () => document.activeElement === null || document.activeElement === document.body;

const focusContent = () => document.getElementById('content')?.focus({ preventScroll: true });

/** Returns the focus to what opened a dialog or menu, once that is removed with the focus in it. */
function returnFromAbove(): void {
  let trail: { element: HTMLElement; path: string; above: boolean }[] = [];
  document.addEventListener('focusin', ({ target: element }) => {
    if (!(element instanceof HTMLElement)) return;
    const kept = trail.filter((place) => place.element.isConnected && place.element !== element);
    const above = element.closest(ABOVE) !== null;
    trail = [...kept.slice(-LONGEST_TRAIL), { element, path: location.pathname, above }];
  });
  new MutationObserver(() => {
    const last = trail.at(-1);
    if (!last?.above || last.element.isConnected || !isFree()) return;
    const back = trail.findLast(({ element }) => element.isConnected && element.checkVisibility());
    if (back?.path === location.pathname) back.element.focus({ preventScroll: true });
    else focusContent();
  }).observe(document.body, { childList: true, subtree: true });
}

/** Returns what tells an element of a screen from the others, after the screen was drawn again. */
function markOf(element: Element): string | undefined {
  // A menu is closed by the choice; its button stays.
  const button = element.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = (button && document.getElementById(button)) || element;
  if (!opener.matches(OPENERS)) return undefined;
  const link = opener.matches('tr') ? opener.querySelector('a') : opener;
  const name = opener.getAttribute('aria-label') ?? link?.getAttribute('href') ?? opener.textContent;
  return `${opener.localName} ${name}`;
}

const find = (mark: string) =>
  [...document.querySelectorAll<HTMLElement>(OPENERS)].find((element) => markOf(element) === mark);

/**
 * The way back leads to the element that opened the screen; any other way leads to the content, unless the screen or
 * its menu entry takes the focus.
 */
function followScreens(router: AnyRouter): void {
  const marks = new Map<string, string>();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
    // A quick way there and back must not be answered by the first of the two visits.
    if (pathChanged) clearTimeout(waiting);
    if (!fromLocation || !pathChanged || !document.activeElement) return;
    const mark = markOf(document.activeElement);
    if (mark) marks.set(fromLocation.href, mark);
  });
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    const mark = marks.get(toLocation.href);
    marks.delete(toLocation.href);
    const end = Date.now() + PATIENCE_MS;
    const place = () => {
      if (!isFree() || router.state.location.pathname !== toLocation.pathname) return;
      const opener = mark === undefined ? undefined : find(mark);
      if (opener) opener.focus({ preventScroll: true });
      else if (mark === undefined || Date.now() > end) focusContent();
      else waiting = setTimeout(place, 50);
    };
    clearTimeout(waiting);
    // A form focuses its first field when it is drawn.
    waiting = setTimeout(place, mark === undefined ? 150 : 0);
  });
}
