/** Signs of the private use area, which no text contains: they mark the words that the database found. */
export const HIT_START = '\ue000';
export const HIT_END = '\ue001';

interface Piece {
  text: string;
  hit: boolean;
}

/** Characters shown on each side of words that only a plain comparison finds. */
const AROUND = 70;

/** Splits an excerpt into pieces, from the marks of the database, or from the first place with the typed text. */
export function excerptOf(marked: string, plain: string, wanted: string): Piece[] {
  const at = plain.toLowerCase().indexOf(wanted.toLowerCase());
  const text = marked.includes(HIT_START) || at < 0 ? marked : around(plain, at, wanted.length);
  return text
    .split(HIT_START)
    .flatMap((part, index): Piece[] => {
      const [found, ...rest] = part.split(HIT_END);
      return index === 0
        ? [{ text: part, hit: false }]
        : [
            { text: found!, hit: true },
            { text: rest.join(''), hit: false },
          ];
    })
    .filter((piece) => piece.text !== '');
}

function around(plain: string, at: number, length: number): string {
  const from = Math.max(0, at - AROUND);
  const to = Math.min(plain.length, at + length + AROUND);
  const [before, found, behind] = [plain.slice(from, at), plain.slice(at, at + length), plain.slice(at + length, to)];
  return `${from > 0 ? '…' : ''}${before}${HIT_START}${found}${HIT_END}${behind}${to < plain.length ? '…' : ''}`;
}
