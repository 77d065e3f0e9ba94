// A tab shows another person's console in a support session. Its session, and everything else that it keeps, is in the storage
// of this tab only: the person's own session in other tabs, and after the end in this one, is untouched.

/** Key under which a tab of support keeps what it held of its own person before, and the screen to return to. */
export const OWN_TAB = 'own_tab';
const NOTICE = 'support_notice';

const isMarked = () => OWN_TAB in sessionStorage;

/** True if this page shows another person's console. It never changes while a page lives: each change loads a new one. */
export const IS_SUPPORT: boolean = isMarked();

/** Returns whether the page is about to be replaced by one of the other kind; it then stores nothing any more. */
export const isLeaving = (): boolean => isMarked() !== IS_SUPPORT;

/** Returns this tab to its own person. Nothing of the other person stays: not in the storage, nor in memory. */
export function leaveSupport(notice = ''): void {
  if (isLeaving()) return;
  const { path, ...own } = JSON.parse(sessionStorage[OWN_TAB]) as Record<string, string>;
  sessionStorage.clear();
  Object.assign(sessionStorage, own, { [NOTICE]: notice });
  location.replace(path!);
}

/** Returns the sentence that the page before left for this one, once. */
export function takeNotice(): string {
  const notice = sessionStorage.getItem(NOTICE) ?? '';
  sessionStorage.removeItem(NOTICE);
  return notice;
}
