import type * as contract from '@heliograph/contract/documentation/reader';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { readingOrder } from './article-tree.ts';
import { excerptOf, HIT_END, HIT_START } from './excerpt.ts';
import { sanitise } from './sanitise.ts';

/** Maximum articles of a search. */
const FOUND = 20;

/** Lists the articles the caller may read, in reading order, titled in their language. */
async function readable({ db, caller, locale }: Context) {
  const rows = await db
    .selectFrom('article as a')
    .leftJoin('permission as p', 'p.id', 'a.permission_id')
    .leftJoin('article_translation as t', (join) => join.onRef('t.article_id', '=', 'a.id').on('t.locale', '=', locale))
    .select(['a.id', 'a.parent_id', 'a.position', 'a.is_parent', 'a.key', 'p.name as permission', 'a.updated_at'])
    .select(sql<string>`coalesce(t.title, a.title)`.as('title'))
    .select(sql<boolean>`a.is_parent AND a.description = ''`.as('empty'))
    .execute();
  return readingOrder(rows, (permission) => caller.permissions.has(permission));
}

const named = ({ id, title }: { id: number; title: string }) => ({ id, title });

/** Lists every version in reading order: the operator's own, then the program's, each the newest first. */
const versions = ({ db }: Context) =>
  db
    .selectFrom('change_log')
    .select(['id', 'version', 'stability', 'description', 'updated_at'])
    .orderBy('position')
    .orderBy('id', 'desc')
    .execute() as Promise<ReplyOf<typeof contract.readChangeLogs>['data']>;

export async function contentsOf(ctx: Context): Promise<ReplyOf<typeof contract.contents>> {
  const articles = await readable(ctx);
  return {
    articles: articles.map(({ id, title, parent_id, depth, is_parent, key }) => ({
      id,
      title,
      parent_id,
      depth,
      is_parent,
      key,
    })),
    change_logs: (await versions(ctx)).map(({ id, version, stability }) => ({ id, version, stability })),
  };
}

/**
 * Reads an article with its neighbors. The text was sanitized when it was stored; it is sanitized again, because
 * another program may have written the row.
 */
export async function articleOf(ctx: Context, id: number): Promise<ReplyOf<typeof contract.readArticle>> {
  const articles = await readable(ctx);
  const at = articles.findIndex((article) => article.id === id);
  const article = articles[at];
  if (!article) throw new BusinessError('not_found');
  const texts = await ctx.db
    .selectFrom('article as a')
    .leftJoin('article_translation as t', (join) =>
      join.onRef('t.article_id', '=', 'a.id').on('t.locale', '=', ctx.locale),
    )
    .where('a.id', '=', id)
    .select(['a.description as english', 't.description as own'])
    .executeTakeFirstOrThrow();
  const path: (typeof articles)[number][] = [];
  for (let { parent_id } = article; parent_id !== null; ) {
    const parent = articles.find((each) => each.id === parent_id)!;
    path.unshift(parent);
    parent_id = parent.parent_id;
  }
  const locale: Locale = texts.own === null ? 'en' : ctx.locale;
  return {
    data: {
      ...named(article),
      description: sanitise(texts.own ?? texts.english),
      locale,
      path: path.map(named),
      previous: articles[at - 1] ? named(articles[at - 1]!) : null,
      next: articles[at + 1] ? named(articles[at + 1]!) : null,
      updated_at: article.updated_at,
    },
  };
}

export async function changeLogsOf(ctx: Context): Promise<ReplyOf<typeof contract.readChangeLogs>> {
  return { data: (await versions(ctx)).map((row) => ({ ...row, description: sanitise(row.description) })) };
}

/**
 * Finds every article that contains all the words, in any of their English forms and from their beginnings. It also
 * finds articles with the text as it was typed, which finds Chinese.
 */
export async function search(
  ctx: Context,
  { search: wanted }: QueryOf<typeof contract.searchArticles>,
): Promise<ReplyOf<typeof contract.searchArticles>> {
  const titles = new Map((await readable(ctx)).map(({ id, title }) => [id, title]));
  const words = wanted.match(/[\p{L}\p{N}]+/gu) ?? [];
  const query = words.map((word) => `'${word}':*`).join(' & ');
  const pattern = containing(wanted);
  const options = `StartSel=${HIT_START}, StopSel=${HIT_END}, MaxFragments=2, MinWords=6, MaxWords=22, FragmentDelimiter=" … "`;
  const { rows } = await sql<{ id: number; plain: string; marked: string }>`
    WITH shown AS (
      SELECT a.id, t.locale IS NOT NULL AS own, coalesce(t.title, a.title) AS title, coalesce(t.plain, a.plain) AS plain,
        coalesce(t.search, a.search) AS search, CASE WHEN t.locale IS NULL THEN to_tsquery('english', ${query}) ELSE to_tsquery('simple', ${query}) END AS query
      FROM article a LEFT JOIN article_translation t ON t.article_id = a.id AND t.locale = ${ctx.locale}
      WHERE a.id = ANY (${[...titles.keys()]}::bigint[])
    ), found AS (
      SELECT *, title ILIKE ${pattern} AS titled FROM shown WHERE search @@ query OR title ILIKE ${pattern} OR plain ILIKE ${pattern}
      ORDER BY titled DESC, ts_rank(search, query, 1) DESC, id LIMIT ${FOUND}
    )
    SELECT id, plain, ts_headline((CASE WHEN own THEN 'simple' ELSE 'english' END)::regconfig, plain, query, ${options}) AS marked
    FROM found ORDER BY titled DESC, ts_rank(search, query, 1) DESC, id`.execute(ctx.db);
  return {
    data: rows.map(({ id, plain, marked }) => ({
      id,
      title: titles.get(id)!,
      excerpt: excerptOf(marked, plain, wanted),
    })),
  };
}
