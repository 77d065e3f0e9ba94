/** Invisible characters: soft hyphens, marks of direction, joiners, the byte order mark. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/gu;

/**
 * Folds the case of a character as Unicode does for all languages. The Turkish dotless ı stays a separate letter, and
 * Cherokee folds to its capitals.
 */
function folded(sign: string): string {
  if (sign === 'ı') return sign;
  const capital = sign.toLowerCase().toUpperCase();
  return /\p{Script=Cherokee}/u.test(sign) ? capital : capital.toLowerCase();
}

/**
 * Returns the key of a name or word: two with the same key are the same. Case, width, composition of letters, invisible
 * characters and the number of blanks make no difference; ß is ss. The database's `name_key` is the same rule.
 */
export function nameKey(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/[\s\u0085]+/gu, ' ')
    .trim();
  return Array.from(plain, folded).join('').replaceAll('ς', 'σ').normalize('NFKC');
}
