import type pg from 'pg';
import { programLines } from '../platform/text/i18n.ts';
import { textRows } from '../platform/text/language-lines.ts';

/**
 * Brings the language lines up to the program's version. Lines that somebody edited keep their texts, and get those of
 * languages that are new; a line that the program no longer has is removed, unless it was edited.
 */
export async function seedLanguageLines(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const lines = [...programLines().values()].map(({ key, ...texts }) => {
    const dot = key.indexOf('.');
    return { group: key.slice(0, dot), key: key.slice(dot + 1), texts: textRows(texts) };
  });
  const program = [JSON.stringify(lines)];
  await client.query(
    `WITH program AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS r ("group" text, key text)
     ), gone AS (
       DELETE FROM language_line l WHERE built_in AND NOT edited
         AND NOT EXISTS (SELECT FROM program p WHERE p."group" = l."group" AND p.key = l.key)
     )
     INSERT INTO language_line AS l ("group", key, built_in) SELECT "group", key, true FROM program
     ON CONFLICT ("group", key) DO UPDATE SET built_in = true WHERE NOT l.built_in`,
    program,
  );
  await client.query(
    `INSERT INTO language_text (language_line_id, tag, text)
     SELECT l.id, t.tag, t.text
     FROM jsonb_to_recordset($1::jsonb) AS p ("group" text, key text, texts jsonb) JOIN language_line l USING ("group", key)
     CROSS JOIN LATERAL jsonb_to_recordset(p.texts) AS t (tag text, text text)
     LEFT JOIN language_text o ON o.language_line_id = l.id AND o.tag = t.tag
     WHERE o.text IS NULL OR NOT l.edited AND o.text <> t.text
     ON CONFLICT (language_line_id, tag) DO UPDATE SET text = excluded.text`,
    program,
  );
}
