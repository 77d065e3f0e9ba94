/** Signs that a person does not see: soft hyphens, marks of direction, joiners, the mark of byte order. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;

/**
 * Case folding by sign, as Unicode has it for all languages alike: the Turkish dotless ı stays a letter of its own, and
 * Cherokee folds to its capitals.
 */
function folded(sign: string): string {
  if (sign === 'ı') return sign;
  const capital = sign.toLowerCase().toUpperCase();
  return /\p{Script=Cherokee}/u.test(sign) ? capital : capital.toLowerCase();
}

/**
 * Key of a name or word: two that have the same key are the same one. Case, width, composition of letters, invisible signs
 * and the number of blanks make no difference; ß is ss. The database's `name_key` is the same rule.
 */
export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/[\s\u0085]+/gu, ' ')
    .trim();
  return Array.from(plain, folded).join('').replaceAll('ς', 'σ').normalize('NFKC');
}
