import * as contract from '@heliograph/contract/documentation/article';
import { changeLog } from '@heliograph/contract/documentation/change-log';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePlatform } from '#platform/context';
import { fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { placeFault, readingOrder } from './article-tree.ts';
import { removeUnusedImages } from './images.ts';
import { plainOf, sanitise } from './sanitise.ts';

const stored = tableStore(contract.article, { table: 'article', from: 'article_row', searched: ['title'] });
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Translations = NonNullable<Parameters<typeof articles.create>[1]['body']['translations']>;

const rowOf = (ctx: Context, id: number) => stored.get(ctx, { params: { id }, query: {}, body: {} });

/** Maximum rows that one read of the list returns. */
const MOST_ROWS = 200;
/** Maximum characters of a changed text in the activity log. */
const LOGGED_CHARACTERS = 2_000;

/** Throws a 422 if an article cannot be placed in the given parent, or the articles inside it would have no parent. */
async function checkPlace(
  ctx: Context,
  id: number | null,
  change: { parent_id?: number | null | undefined; is_parent?: boolean | undefined },
): Promise<void> {
  if (change.parent_id === undefined && change.is_parent === undefined) return;
  if (change.parent_id) await requireVisible(ctx, 'article', change.parent_id, 'parent_id');
  const tree = await ctx.db.selectFrom('article').select(['id', 'parent_id', 'is_parent']).execute();
  const { parent_id = null, is_parent = false } = change;
  const changed =
    id === null
      ? [...tree, { id: 0, parent_id, is_parent }]
      : tree.map((article) =>
          article.id === id
            ? {
                id,
                parent_id: change.parent_id === undefined ? article.parent_id : change.parent_id,
                is_parent: change.is_parent ?? article.is_parent,
              }
            : article,
        );
  const fault = placeFault(changed, contract.ARTICLE_DEPTH);
  if (!fault) return;
  const keepsChildren = fault === 'article_no_parent' && change.is_parent === false && id !== null;
  throw fieldError(
    keepsChildren && tree.some((article) => article.parent_id === id) ? 'is_parent' : 'parent_id',
    fault,
  );
}

async function keepTranslations(ctx: Context, article_id: number, translations: Translations): Promise<void> {
  for (const locale of contract.TRANSLATED) {
    const words = translations[locale];
    if (words === undefined) continue;
    await ctx.db
      .deleteFrom('article_translation')
      .where('article_id', '=', article_id)
      .where('locale', '=', locale)
      .execute();
    if (words === null) continue;
    const description = sanitise(words.description);
    const row = { article_id, locale, title: words.title, description, plain: plainOf(description) };
    await ctx.db.insertInto('article_translation').values(row).execute();
  }
}

async function textsOf({ db }: Context, id: number) {
  const { description } = await db
    .selectFrom('article')
    .select('description')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('article_translation')
    .select(['locale', 'title', 'description'])
    .where('article_id', '=', id)
    .orderBy('locale')
    .execute();
  const translations = Object.fromEntries(rows.map(({ locale, ...words }) => [locale, words])) as Translations;
  return { description, translations };
}

const shortened = ({ description, translations }: Awaited<ReturnType<typeof textsOf>>) => ({
  text: plainOf(description).slice(0, LOGGED_CHARACTERS),
  ...Object.fromEntries(
    Object.entries(translations).map(([locale, words]) => [
      locale,
      words && `${words.title}: ${plainOf(words.description).slice(0, LOGGED_CHARACTERS)}`,
    ]),
  ),
});

/** Answers the columns of a text: the sanitized HTML, and its words. */
const columnsOf = (description: string | undefined) => {
  if (description === undefined) return {};
  const clean = sanitise(description);
  return { description: clean, plain: plainOf(clean) };
};

/** Articles of the operator; their text is sanitized, and they are placed where readers find them. */
export const articles: ResourceHandlers<typeof contract.article> = {
  ...stored,
  /** Lists the articles as their readers find them in the contents, unless the caller asks for another order. */
  async list(ctx, call) {
    const { page, per_page, sort } = call.query;
    if (sort) return stored.list(ctx, call);
    const found = new Map<number, Row>();
    for (let at = 1, pages = 1; at <= pages; at++) {
      const part = await stored.list(ctx, { ...call, query: { ...call.query, page: at, per_page: MOST_ROWS } });
      for (const row of part.data) found.set(row.id, row);
      pages = part.meta.pages;
    }
    const all = await ctx.db
      .selectFrom('article')
      .select(['id', 'parent_id', 'position', 'is_parent', 'title'])
      .execute();
    const placed = all.map((each) => ({ ...each, permission: null, empty: false }));
    const ordered = readingOrder(placed, () => true).flatMap(({ id }) => found.get(id) ?? []);
    const data = ordered.slice((page - 1) * per_page, page * per_page);
    return { data, meta: { page, per_page, total: ordered.length, pages: Math.ceil(ordered.length / per_page) } };
  },
  async create(ctx, call) {
    requirePlatform(ctx.caller);
    const { translations, description, ...fields } = call.body;
    await checkPlace(ctx, null, fields);
    const body = { ...fields, ...columnsOf(description), edited: true };
    const made = await stored.create(ctx, { ...call, body: body as unknown as typeof call.body });
    await keepTranslations(ctx, made.data.id, translations);
    return { ...made, data: (await rowOf(ctx, made.data.id)).data };
  },
  async update(ctx, call) {
    const { id } = call.params;
    await stored.get(ctx, call);
    requirePlatform(ctx.caller);
    const { translations = {}, description, ...fields } = call.body;
    await checkPlace(ctx, id, fields);
    const saysElse = fields.title !== undefined || description !== undefined || Object.keys(translations).length > 0;
    const changes = {
      ...fields,
      ...columnsOf(description),
      ...(saysElse && { edited: true }),
      ...(Object.keys(call.body).length > 0 && { updated_at: ctx.clock.now().toISOString() }),
    };
    const before = await textsOf(ctx, id);
    await keepTranslations(ctx, id, translations);
    const updated = await stored.update(ctx, { ...call, body: changes as unknown as typeof call.body });
    const after = await textsOf(ctx, id);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      await audit(ctx, {
        name: contract.article.name,
        description: 'text changed',
        subject_type: contract.article.name,
        subject_id: id,
        before: shortened(before),
        after: shortened(after),
      });
      await removeUnusedImages(ctx);
    }
    return updated;
  },
  async remove(ctx, call) {
    const removed = await stored.remove(ctx, call);
    await removeUnusedImages(ctx);
    return removed;
  },
};

/** Reads an article's texts for its editor; throws `not_found`. */
export async function articleTexts(ctx: Context, id: number) {
  await rowOf(ctx, id);
  return { data: await textsOf(ctx, id) };
}

const storedLogs = tableStore(changeLog, { table: 'change_log', searched: ['version', 'description'] });

/** Change log by version. An entry of the program that somebody changed is no longer updated by the program. */
export const changeLogs: ResourceHandlers<typeof changeLog> = {
  ...storedLogs,
  async create(ctx, call) {
    requirePlatform(ctx.caller);
    const body = { ...call.body, description: sanitise(call.body.description), edited: true };
    return storedLogs.create(ctx, { ...call, body: body as typeof call.body });
  },
  async update(ctx, call) {
    await storedLogs.get(ctx, call);
    requirePlatform(ctx.caller);
    if (Object.keys(call.body).length === 0) return storedLogs.update(ctx, call);
    const { description } = call.body;
    const body = {
      ...call.body,
      ...(description !== undefined && { description: sanitise(description) }),
      edited: true,
      updated_at: ctx.clock.now().toISOString(),
    };
    return storedLogs.update(ctx, { ...call, body: body as typeof call.body });
  },
};
