import { Text } from '@mantine/core';

/** Two texts as one: words that go are struck out, words that come are underlined. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {differenceOf(before, after).map(({ kind, text }, at) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
        if (kind === 'gone') return <del key={at}>{text}</del>;
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
        return kind === 'new' ? <ins key={at}>{text}</ins> : <span key={at}>{text}</span>;
      })}
    </Text>
  );
}

interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Returns the words of two texts by what happened to them: the longest common sequence of words stays. */
export function differenceOf(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  // lengths[i][j]: words in common of the ends from i and j.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      add('same', old[i++]!);
      j++;
    } else if (j >= now.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      add('gone', old[i++]!);
    else add('new', now[j++]!);
  }
  return pieces;
}

/** Cuts a text into words, each with the blanks behind it. */
const wordsOf = (text: string): string[] => text.match(/\s+|\S+\s*/g) ?? [];
