import { LINE_COLUMNS, languageLine } from '@heliograph/contract/settings/language-line';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { BulkKind } from '#platform/tasks/bulk-upload';
import { tellLinesChanged, textRows } from '#platform/text/language-lines';
import { differs, strayPlaceholder } from './language-line.ts';

type Line = z.output<typeof languageLine.create>;

/** Removes the apostrophe that protects a text from running as a formula in a spreadsheet. */
const plain = (text: string) => text.replace(/^'(?=[=+\-@\t|%＝＋－＠])/, '');
const keyOf = ({ group, key }: Line) => `${group}.${key}`;

/** Files of lines: lines that differ are updated, new ones are added. */
export const languageLineKind: BulkKind<Line> = {
  name: languageLine.name,
  columns: LINE_COLUMNS,
  required: LINE_COLUMNS,
  key: 'key',
  begin: () => ({
    parse(cell) {
      const record = Object.fromEntries(LINE_COLUMNS.map((column) => [column, plain(cell(column))]));
      const parsed = languageLine.create.safeParse(record);
      if (!parsed.success) {
        const field = String(parsed.error.issues[0]?.path[0]);
        return {
          field,
          value: cell(field),
          fault: cell(field).trim() === '' ? 'validation.required' : 'validation.line_key',
        };
      }
      const stray = strayPlaceholder(parsed.data);
      return stray ? { field: stray, value: cell(stray), fault: 'validation.line_placeholder' } : parsed.data;
    },
    keyOf,
    async add(db, rows) {
      // If two lines have one key, the first counts.
      const lines = new Map(
        [...rows]
          .reverse()
          .map((row) => [keyOf(row), { group: row.group, key: row.key, texts: textRows(row), edited: differs(row) }]),
      );
      const file = sql`jsonb_to_recordset(${JSON.stringify([...lines.values()])}::jsonb)
          AS r ("group" text, key text, texts jsonb, edited boolean)`;
      await sql`
        INSERT INTO language_line ("group", key, edited) SELECT "group", key, true FROM ${file}
        ON CONFLICT ("group", key) DO NOTHING`.execute(db);
      const { rows: changed } = await sql<{ line: string }>`
        WITH texts AS (
          INSERT INTO language_text (language_line_id, tag, text)
          SELECT l.id, t.tag, t.text
          FROM ${file} JOIN language_line l USING ("group", key), jsonb_to_recordset(r.texts) AS t (tag text, text text)
          WHERE NOT EXISTS (
            SELECT FROM language_text o WHERE o.language_line_id = l.id AND o.tag = t.tag AND o.text = t.text)
          ON CONFLICT (language_line_id, tag) DO UPDATE SET text = excluded.text
          RETURNING language_line_id
        )
        UPDATE language_line l SET edited = r.edited FROM ${file}
        WHERE l."group" = r."group" AND l.key = r.key AND l.id IN (SELECT language_line_id FROM texts)
        RETURNING l."group" || '.' || l.key AS line`.execute(db);
      return new Set(changed.map(({ line }) => line));
    },
  }),
  end: tellLinesChanged,
};
