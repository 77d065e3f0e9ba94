import { useState } from 'react';
import { faultOf, problemFrom, sentenceOf } from './problem.ts';
import { toast } from './toast.ts';

/**
 * Runs the work of a button or form. `busy` is true meanwhile. A failure is shown as a toast, or in the form: as
 * `failure`, `fault` (the fault of a single field, if there is one) and `errors` of the fields.
 */
export function useAction(shown: 'toast' | 'form' = 'toast') {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
      if (shown === 'toast') void toast('error', sentenceOf(thrown));
    } finally {
      setBusy(false);
    }
  }
  const errors: Record<string, string[]> = problemFrom(error)?.errors ?? {};
  return { busy, run, errors, failure: error ? sentenceOf(error) : null, fault: error ? faultOf(error) : null };
}
