import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';

const FIELDS = 'input:not([type=hidden]):enabled, textarea:enabled, [contenteditable=true]';
const ENTERABLE = `${FIELDS}, button:enabled, [tabindex]`;

/** Submits a form with Ctrl+Enter or ⌘+Enter, from any of its fields. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** Focuses the first field of a form, or the one with `autoFocus`. A dialog's focus trap reads the mark. */
export function useFirstFocus(form: RefObject<HTMLFormElement | null>): void {
  useLayoutEffect(() => {
    const active = document.activeElement;
    const chosen = form.current?.contains(active) ? active : form.current?.querySelector(FIELDS);
    if (!(chosen instanceof HTMLElement)) return;
    chosen.setAttribute('data-autofocus', '');
    chosen.focus({ preventScroll: true });
  }, [form]);
}

/** Focuses the first field with an error, in the order of the form. `names` are the fields with errors. */
export function focusFault(form: HTMLFormElement | null, names: readonly string[]): void {
  const wanted = new Set(names.map((name) => name.split('.')[0]));
  const marked = form?.querySelectorAll<HTMLElement>('[aria-invalid="true"], [data-field]') ?? [];
  const fault = [...marked].find((each) => each.ariaInvalid === 'true' || wanted.has(each.dataset['field']));
  if (!fault) return;
  const target = fault.matches(ENTERABLE) ? fault : fault.querySelector<HTMLElement>(ENTERABLE);
  target?.focus();
  fault.scrollIntoView({ block: 'nearest' });
}
