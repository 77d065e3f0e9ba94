import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@heliograph/contract/api/openapi';
import { postmanCollection } from '@heliograph/contract/api/postman';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import MiniSearch from 'minisearch';
import { type Article, guideParts } from './articles.ts';
import { type Page, type Part, pageHtml, type Site } from './page.ts';
import { EXAMPLE_URL, referenceParts } from './reference.ts';
import { SEARCH_OPTIONS } from './search-options.ts';

export type { Article } from './articles.ts';

const HERE = import.meta.dirname;
const VERSION = /^\d+\.\d+\.\d+[\w.-]*$/;

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes the scripts, which browsers read without their types, and the library of the search. */
function writeAssets(folder: string): void {
  for (const name of ['site', 'theme', 'search-options']) {
    const source = readFileSync(
      join(HERE, name === 'search-options' ? 'search-options.ts' : `browser/${name}.ts`),
      'utf8',
    );
    const script = stripTypeScriptTypes(source)
      .replace("'minisearch'", "'./minisearch.js'")
      .replace("'../search-options.ts'", "'./search-options.js'");
    write(join(folder, `${name}.js`), script);
  }
  copyFileSync(join(HERE, 'browser/site.css'), join(folder, 'site.css'));
  copyFileSync(join(HERE, 'browser/favicon.svg'), join(folder, 'favicon.svg'));
  copyFileSync(fileURLToPath(import.meta.resolve('minisearch')), join(folder, 'minisearch.js'));
}

function writeLanguage(folder: string, site: Site, parts: readonly Part[], locale: Locale): void {
  const home = join(folder, LOCALE_TAGS[locale]);
  const index = new MiniSearch<Page & { part: string; id: string }>(SEARCH_OPTIONS);
  for (const { title, pages } of parts)
    for (const page of pages) {
      write(join(home, `${page.path}.html`), pageHtml(site, parts, page, locale));
      index.add({ ...page, part: title, id: page.path });
    }
  const first = parts[0]!.pages[0]!;
  write(join(home, 'index.html'), forward(`${first.path}.html`));
  write(join(home, 'search.json'), JSON.stringify(index));
}

/** Returns a page that leads on to another. */
const forward = (to: string) =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Documentation</title><meta http-equiv="refresh" content="0; url=${to}"><link rel="canonical" href="${to}"></head><body><a href="${to}">Documentation</a></body></html>\n`;

/** Orders versions, the newest first. */
const newestFirst = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true });

/**
 * Writes the guide and the API reference as static pages into a folder of the version below `folder`. Pages of other versions
 * that are there stay, and every page can lead to them. Returns how many pages were written.
 */
export function writeSite(folder: string, site: Site, articles: readonly Article[]): number {
  if (!VERSION.test(site.version)) throw new Error(`${site.version} is not a version`);
  const own = join(folder, site.version);
  rmSync(own, { recursive: true, force: true });
  let pages = 0;
  for (const locale of LOCALES) {
    const parts = [...guideParts(articles, locale), ...referenceParts(site.name, locale)];
    writeLanguage(own, site, parts, locale);
    pages += parts.reduce((sum, part) => sum + part.pages.length, 0);
  }
  writeAssets(own);
  const place = { title: site.name, url: EXAMPLE_URL };
  write(join(own, 'openapi.json'), JSON.stringify(openApiDocument(place)));
  write(join(own, 'postman.json'), JSON.stringify(postmanCollection(place)));
  write(join(own, 'index.html'), forward(`${LOCALE_TAGS.en}/index.html`));
  const versions = readdirSync(folder)
    .filter((name) => VERSION.test(name))
    .sort(newestFirst);
  write(join(folder, 'versions.json'), JSON.stringify(versions));
  write(join(folder, 'index.html'), forward(`${versions[0]}/index.html`));
  return pages;
}
