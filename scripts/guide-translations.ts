import { readFileSync, writeFileSync } from 'node:fs';
import { TRANSLATED } from '@heliograph/contract/documentation/article';
import { guide } from '../apps/server/src/seed/documentation.ts';
import {
  markOf,
  readTranslation,
  type Translated,
  translationPath,
} from '../apps/server/src/seed/guide-translations.ts';

// `npm run guide-translations`: lists the articles of the guide that have no translation, or one of an older text.
// `npm run guide-translations -- cn/contacts …`: marks translations as those of the present texts, once they are.

const MARK = /^(<!-- of [\w-]+ -->\n)?/;
const articles = new Map(guide().map((article) => [article.key, article]));

function mark(name: string): void {
  const [locale, key = ''] = name.replace(/\.md$/, '').split('/') as [Translated, string?];
  const english = articles.get(key);
  if (!TRANSLATED.includes(locale) || !english) throw new Error(`${name}: write LANGUAGE/ARTICLE, such as cn/contacts`);
  const path = translationPath(locale, key);
  writeFileSync(path, readFileSync(path, 'utf8').replace(MARK, `<!-- of ${markOf(english)} -->\n`));
}

process.argv.slice(2).forEach(mark);
for (const locale of TRANSLATED) {
  const pages = [...articles.values()].filter(({ parent, written }) => parent !== null && !written);
  const found = pages.map((article) => [article, readTranslation(locale, article.key)] as const);
  const missing = found.filter(([, words]) => !words).map(([{ key }]) => key);
  const old = found.filter(([article, words]) => words && words.mark !== markOf(article)).map(([{ key }]) => key);
  process.stdout.write(
    `${locale}: ${found.length - missing.length - old.length} of ${found.length} are of the present texts\n`,
  );
  if (old.length > 0) process.stdout.write(`  of older texts: ${old.join(' ')}\n`);
  if (missing.length > 0) process.stdout.write(`  missing: ${missing.join(' ')}\n`);
}
