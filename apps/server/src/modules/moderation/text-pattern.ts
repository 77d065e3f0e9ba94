const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const WORD = /[\p{L}\p{M}\p{N}]/u;

/** Returns a text as patterns are compared with it: small letters, one width, single blanks, nothing invisible. */
export const folded = (text: string): string =>
  text.replace(INVISIBLE, '').normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

/**
 * Returns a test for folded texts with a pattern somewhere, in which `*` stands for any characters. Without a star at
 * its edge the pattern begins and ends with whole words. The time is linear in the length of the text for each piece.
 */
export function patternIn(pattern: string): (text: string) => boolean {
  const pieces = folded(pattern).split('*');
  const inner = pieces.filter((piece) => piece !== '');
  if (inner.length === 0) return () => pieces.length > 1;
  const [first, last] = [pieces[0] !== '', pieces.at(-1) !== ''];
  return (text) => {
    let at = 0;
    for (const [nth, piece] of inner.entries()) {
      const begins = first && nth === 0;
      const ends = last && nth === inner.length - 1;
      let found = text.indexOf(piece, at);
      while (found >= 0 && !((!begins || isEdge(text, found, -1)) && (!ends || isEdge(text, found + piece.length, 1))))
        found = text.indexOf(piece, found + 1);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Returns a test for names that a pattern fits as a whole. */
export function patternOf(pattern: string): (name: string) => boolean {
  const pieces = folded(pattern).split('*');
  return (name) => {
    const text = folded(name);
    if (pieces.length === 1) return text === pieces[0];
    const [first, last] = [pieces[0]!, pieces.at(-1)!];
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const piece of pieces.slice(1, -1)) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Tells if no letter stands beside a place: before it, or behind it. Scripts without blanks have edges everywhere. */
function isEdge(text: string, at: number, side: 1 | -1): boolean {
  const [inside, outside] = side < 0 ? [text[at], text[at - 1]] : [text[at - 1], text[at]];
  if (!outside || !inside || !WORD.test(outside) || !WORD.test(inside)) return true;
  return /\p{Script=Han}/u.test(inside) || /\p{Script=Han}/u.test(outside);
}
