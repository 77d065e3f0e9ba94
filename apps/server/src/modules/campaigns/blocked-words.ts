import type { Kysely } from 'kysely';
import type { Database } from '#platform/db';

/** Tells whether a text, as a person will read it, holds something that may not be sent. */
export type BlockedWords = (text: string) => boolean;

const SPECIAL = /[.*+?^${}()|[\]\\/-]/g;
const ASCII = /^[\0-\x7f]*$/;
/** Invisible characters and the selectors of a glyph's variant: they split a word for a program, not for a reader. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}/gu;

/** The operator's blocked words and phrases, found in whatever case or compatibility form (Unicode NFKC). */
export async function readBlockedWords(db: Kysely<Database>): Promise<BlockedWords> {
  const rows = await db.selectFrom('blacklist_text').select('text').execute();
  return blockedWords(rows.map(({ text }) => text));
}

export function blockedWords(words: readonly string[]): BlockedWords {
  const folded = words.map(fold).filter((word) => word.trim() !== '');
  if (folded.length === 0) return () => false;
  const pattern = new RegExp(folded.map((word) => word.replace(SPECIAL, '\\$&')).join('|'), 'u');
  return (text) => pattern.test(fold(text));
}

function fold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
}
