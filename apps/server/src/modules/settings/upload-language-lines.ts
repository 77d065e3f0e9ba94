import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { LINE_COLUMNS, languageLine } from '@heliograph/contract/settings/language-line';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { BulkKind } from '#platform/tasks/bulk-upload';
import { tellLinesChanged } from '#platform/text/language-lines';
import { differs, strayPlaceholder } from './language-line.ts';

type Line = z.output<typeof languageLine.create>;

const each = (write: (locale: Locale) => string) => sql.raw(LOCALES.map(write).join(', '));
const columns = each((locale) => locale);

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
      const lines = new Map([...rows].reverse().map((row) => [keyOf(row), { ...row, edited: differs(row) }]));
      const { rows: changed } = await sql<{ line: string }>`
        INSERT INTO language_line AS l ("group", key, ${columns}, edited)
        SELECT "group", key, ${columns}, edited
        FROM jsonb_to_recordset(${JSON.stringify([...lines.values()])}::jsonb)
          AS r ("group" text, key text, ${each((locale) => `${locale} text`)}, edited boolean)
        ON CONFLICT ("group", key) DO UPDATE SET ${each((locale) => `${locale} = excluded.${locale}`)},
          edited = excluded.edited
        WHERE (${each((locale) => `l.${locale}`)}) IS DISTINCT FROM (${each((locale) => `excluded.${locale}`)})
        RETURNING "group" || '.' || key AS line`.execute(db);
      return new Set(changed.map(({ line }) => line));
    },
  }),
  end: tellLinesChanged,
};
