import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import * as contract from '@heliograph/contract/settings/language-line';
import { languageTexts } from '@heliograph/contract/settings/language-texts';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount, mountPublic, mountResource, type ResourceHandlers } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import { tableStore } from '#platform/records/table-store';
import { csvFile } from '#platform/tasks/csv-file';
import { type Line, programLines } from '#platform/text/i18n';
import { editedLines, lineTexts, tellLinesChanged, textRows } from '#platform/text/language-lines';

type Texts = Record<Locale, string>;

const stored = tableStore(contract.languageLine, {
  table: 'language_line',
  from: lineTexts,
  searched: ['group', 'key', ...LOCALES],
  may: (row) => ({ delete: !row.built_in }),
  apart: {
    fields: LOCALES,
    async save(db, id, texts: Partial<Texts>) {
      const rows = textRows(texts).map((row) => ({ language_line_id: id, ...row }));
      if (rows.length === 0) return;
      await db
        .insertInto('language_text')
        .values(rows)
        .onConflict((on) =>
          on.columns(['language_line_id', 'tag']).doUpdateSet({ text: (eb) => eb.ref('excluded.text') }),
        )
        .execute();
    },
  },
});

const program = programLines();

/** Answers the program's own text of a line; undefined for a line of the operator's own. */
const programLine = ({ group, key }: { group: string; key: string }): Line | undefined =>
  program.get(`${group}.${key}`);

const shownBy = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map((match) => match[1]!);

/** Finds the language whose text has a placeholder that the program does not fill in; undefined if there is none. */
export function strayPlaceholder(line: { group: string; key: string } & Texts): Locale | undefined {
  const known = new Set(shownBy((programLine(line) ?? line).en));
  return LOCALES.find((locale) => shownBy(line[locale]).some((name) => !known.has(name)));
}

export const differs = (line: { group: string; key: string } & Texts): boolean => {
  const own = programLine(line);
  return !own || LOCALES.some((locale) => own[locale] !== line[locale]);
};

function check(line: { group: string; key: string } & Texts): void {
  const stray = strayPlaceholder(line);
  if (stray) throw fieldError(stray, 'line_placeholder');
}

async function change(ctx: Context, id: number, texts: Partial<Texts>) {
  const params = { id };
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  const line = { ...data, ...texts };
  check(line);
  const body = { ...texts, edited: differs(line) };
  const updated = await stored.update(ctx, { params, query: {}, body });
  await tellLinesChanged(ctx.db);
  return updated;
}

const languageLines: ResourceHandlers<typeof contract.languageLine> = {
  ...stored,
  async create(ctx, call) {
    check(call.body);
    const made = await stored.create(ctx, { ...call, body: { ...call.body, edited: true } as typeof call.body });
    await tellLinesChanged(ctx.db);
    return made;
  },
  update: (ctx, { params, body }) => change(ctx, params.id, body as Partial<Texts>),
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    if (data.built_in) throw new BusinessError('language_line_built_in');
    const gone = await stored.remove(ctx, call);
    await tellLinesChanged(ctx.db);
    return gone;
  },
};

/** Mounts the console's texts: the record, the edited lines for consoles, and the lines as a file. */
export function languageLineRoutes(app: App): void {
  mountPublic(app, languageTexts, async (_ctx, { query }) =>
    Object.fromEntries((await editedLines(app.database)).map((line) => [line.key, line[query.locale]])),
  );
  mountFile(app, contract.languageFile, 'none', async ({ db }, { query }) => {
    const rows = await db
      .selectFrom(lineTexts)
      .select(contract.LINE_COLUMNS)
      .$if(query.edited !== undefined, (q) => q.where('edited', '=', query.edited!))
      .orderBy('group')
      .orderBy('key')
      .execute();
    return csvFile(
      'language-lines.csv',
      contract.LINE_COLUMNS,
      rows.map((row) => contract.LINE_COLUMNS.map((column) => row[column])),
    );
  });
  mount(app, contract.restoreLanguageLine, async (ctx, { params }) => {
    const { data } = await stored.get(ctx, { params, query: {}, body: {} });
    const own = programLine(data);
    if (!own) throw new BusinessError('language_line_own');
    const { key: _, ...texts } = own;
    return change(ctx, params.id, texts);
  });
  mountResource(app, contract.languageLine, languageLines);
}
