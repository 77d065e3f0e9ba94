import type { Receipt } from '@heliograph/smpp';

const ERROR = 'err:';

/**
 * The state a receipt reports: by the link's own table of `err:CODE=state` and `WORD=state`, in this order, else by the
 * standard; `unrecognised` for a word that neither knows. An intermediate notification is never a final state.
 */
export function receiptStates(table: readonly string[]): (receipt: Receipt) => string {
  const states = new Map(
    table.map((entry) => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at).toLowerCase(), entry.slice(at + 1)];
    }),
  );
  const standard = (receipt: Receipt) => receipt.state ?? 'unrecognised';
  const own = (receipt: Receipt) =>
    (receipt.error === '' ? undefined : states.get(ERROR + receipt.error.toLowerCase())) ??
    states.get(receipt.word.toLowerCase());
  const final = states.size === 0 ? standard : (receipt: Receipt) => own(receipt) ?? standard(receipt);
  return (receipt) => (receipt.intermediate ? 'enroute' : final(receipt));
}
