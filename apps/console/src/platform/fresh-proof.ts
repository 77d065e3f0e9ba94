import { create } from 'zustand';

/** Answer to the open question for a proof; null while none is asked. */
export const useProofAsked = create<{ answer: ((proved: boolean) => void) | null }>()(() => ({ answer: null }));

let asked: Promise<boolean> | null = null;

/**
 * Asks the user to prove that it is them, once for all calls that need it. Resolves to false if they close the dialog.
 */
export function askProof(): Promise<boolean> {
  asked ??= new Promise<boolean>((answer) => useProofAsked.setState({ answer })).finally(() => {
    asked = null;
    useProofAsked.setState({ answer: null });
  });
  return asked;
}
