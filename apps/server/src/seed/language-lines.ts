import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import type pg from 'pg';
import { programLines } from '../platform/text/i18n.ts';

/**
 * Brings the language lines up to the program's version. Lines that somebody edited stay unchanged; a line that the
 * program no longer has is removed, unless it was edited.
 */
export async function seedLanguageLines(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const lines = [...programLines().values()].map(({ key, ...texts }) => {
    const dot = key.indexOf('.');
    return { group: key.slice(0, dot), key: key.slice(dot + 1), ...texts };
  });
  const columns = LOCALES.join(', ');
  const each = (write: (locale: Locale) => string) => LOCALES.map(write).join(', ');
  await client.query(
    `WITH program AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS r ("group" text, key text, ${each((locale) => `${locale} text`)})
     ), gone AS (
       DELETE FROM language_line l WHERE built_in AND NOT edited
         AND NOT EXISTS (SELECT FROM program p WHERE p."group" = l."group" AND p.key = l.key)
     )
     INSERT INTO language_line AS l ("group", key, ${columns}, built_in)
     SELECT "group", key, ${columns}, true FROM program
     ON CONFLICT ("group", key) DO UPDATE SET built_in = true,
       ${each((locale) => `${locale} = CASE WHEN l.edited THEN l.${locale} ELSE excluded.${locale} END`)}
     WHERE NOT l.built_in OR NOT l.edited
       AND (${each((locale) => `l.${locale}`)}) IS DISTINCT FROM (${each((locale) => `excluded.${locale}`)})`,
    [JSON.stringify(lines)],
  );
}
