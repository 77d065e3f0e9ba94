import type { Entry } from './thread.tsx';

/** Part of a thread: a rule before a day, one entry, or campaign messages that stand behind a button. */
export type Piece =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'entry'; key: string; entry: Entry }
  | { kind: 'folded'; key: string; entries: readonly Entry[] };

/** Consecutive campaign messages from which on all but the last are folded. */
const FOLD_FROM = 3;

const keyOf = ({ kind, id }: Entry) => `${kind} ${id}`;

/**
 * Arranges entries, oldest first: a rule where a day begins, and one line for campaign messages that nobody answered.
 * The last of them stays visible, because a reply is about it. `opened` has the keys of opened folds.
 */
export function piecesOf(
  entries: readonly Entry[],
  dayOf: (at: string) => string,
  opened: ReadonlySet<string>,
): Piece[] {
  const pieces: Piece[] = [];
  let day = '';
  const add = (entry: Entry) => {
    const own = dayOf(entry.at);
    if (own !== day) pieces.push({ kind: 'day', key: own, at: entry.at });
    day = own;
    pieces.push({ kind: 'entry', key: keyOf(entry), entry });
  };
  for (let at = 0; at < entries.length; ) {
    let end = at;
    while (end < entries.length && entries[end]!.kind === 'out' && entries[end]!.campaign_id !== null) end++;
    const run = entries.slice(at, end);
    // The key is that of the last one: older messages that are loaded later join the fold.
    const key = run.length > 0 ? `fold ${keyOf(run.at(-1)!)}` : '';
    if (run.length >= FOLD_FROM && !opened.has(key)) {
      pieces.push({ kind: 'folded', key, entries: run.slice(0, -1) });
      add(run.at(-1)!);
    } else for (const entry of run.length > 0 ? run : [entries[at]!]) add(entry);
    at = Math.max(end, at + 1);
  }
  return pieces;
}
