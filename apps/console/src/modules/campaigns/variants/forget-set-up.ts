import { clearDraft } from '../composer/draft.ts';
import { dropKept } from '../composer/use-kept-draft.ts';
import { clearSetUp } from './set-up.ts';

/** Empties the draft and the test that was set up from it, once the test has started. */
export function forgetSetUp(owner: number | null): void {
  void dropKept();
  clearDraft(owner);
  clearSetUp(owner);
}
