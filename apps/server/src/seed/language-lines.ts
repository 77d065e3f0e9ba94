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
  await client.query(
    `WITH program AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS r ("group" text, key text, en text, cn text, zh text, fp text)
     ), gone AS (
       DELETE FROM language_line l WHERE built_in AND NOT edited
         AND NOT EXISTS (SELECT FROM program p WHERE p."group" = l."group" AND p.key = l.key)
     )
     INSERT INTO language_line AS l ("group", key, en, cn, zh, fp, built_in)
     SELECT "group", key, en, cn, zh, fp, true FROM program
     ON CONFLICT ("group", key) DO UPDATE SET built_in = true,
       en = CASE WHEN l.edited THEN l.en ELSE excluded.en END, cn = CASE WHEN l.edited THEN l.cn ELSE excluded.cn END,
       zh = CASE WHEN l.edited THEN l.zh ELSE excluded.zh END, fp = CASE WHEN l.edited THEN l.fp ELSE excluded.fp END
     WHERE NOT l.built_in
       OR NOT l.edited AND (l.en, l.cn, l.zh, l.fp) IS DISTINCT FROM (excluded.en, excluded.cn, excluded.zh, excluded.fp)`,
    [JSON.stringify(lines)],
  );
}
