import { article, articleTexts as articleTextsCall } from '@heliograph/contract/documentation/article';
import { changeLog } from '@heliograph/contract/documentation/change-log';
import * as reader from '@heliograph/contract/documentation/reader';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { type App, mount, mountResource } from '#platform/http/http';
import { articles, articleTexts, changeLogs } from './articles.ts';
import { articleImageRoutes } from './images.ts';
import { problemPages } from './problem-page.ts';
import { articleOf, changeLogsOf, contentsOf, search } from './reader.ts';

export { search as findArticles } from './reader.ts';
export { plainOf, sanitise } from './sanitise.ts';

/** Mounts the documentation: the articles and versions for their writers, and the pages that everybody reads. */
export function mountDocumentation(app: App, authDb: Kysely<Database>): void {
  problemPages(app.server);
  mountResource(app, article, articles);
  mount(app, articleTextsCall, (ctx, { params }) => articleTexts(ctx, params.id));
  articleImageRoutes(app, authDb);
  mountResource(app, changeLog, changeLogs);
  mount(app, reader.contents, contentsOf);
  mount(app, reader.readArticle, (ctx, { params }) => articleOf(ctx, params.id));
  mount(app, reader.readChangeLogs, changeLogsOf);
  mount(app, reader.searchArticles, (ctx, { query }) => search(ctx, query));
}
