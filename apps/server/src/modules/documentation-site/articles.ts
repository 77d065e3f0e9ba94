import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { Marked } from 'marked';
import { escaped } from '#platform/text/escaped';
import { hasText, translate } from '#platform/text/i18n';
import type { Page, Part } from './page.ts';

/** Article of the guide; `source` is Markdown, and the parent that of its part. */
export interface Article {
  key: string;
  parent: string | null;
  title: string;
  source: string;
  /** Its texts in other languages. */
  translations: Partial<Record<Locale, { title: string; source: string }>>;
}

const ARTICLE = /^\/document\/0\?article=([\w-]+)(#[\w-]+)?$/;
/** Documents of the API that lie beside the pages. */
const DOCUMENT = /^\/v1\/(openapi|postman)\.json$/;

/** Returns a text as the name of an anchor. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/<[^>]*>|&[^;]+;/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** Returns where a link of the guide leads on the site; undefined for screens of the console, which are not here. */
function targetOf(href: string): string | undefined {
  const [, key, anchor = ''] = ARTICLE.exec(href) ?? [];
  if (key !== undefined) return `${key}.html${anchor}`;
  if (href === '/api-reference') return 'reference/index.html';
  if (DOCUMENT.test(href)) return `../${href.split('/').at(-1)}`;
  return href.startsWith('/') ? undefined : href;
}

const marked = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, depth }) {
      const html = this.parser.parseInline(tokens);
      const id = slugOf(html);
      return `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a></h${depth}>\n`;
    },
    link({ href, tokens }) {
      const html = this.parser.parseInline(tokens);
      const target = targetOf(href);
      return target === undefined ? html : `<a href="${escaped(target)}">${html}</a>`;
    },
    code: ({ text, lang }) => codeBlock(text, lang),
  },
  hooks: {
    postprocess: (html) =>
      html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>'),
  },
});

/** Returns a block of code that can be copied. */
export const codeBlock = (text: string, language = ''): string =>
  `<figure class="code"${language ? ` data-language="${escaped(language)}"` : ''}><pre tabindex="0"><code>${escaped(text)}</code></pre></figure>\n`;

/** Returns HTML of Markdown as the site shows it. */
export const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });

const plainOf = (markdown: string) =>
  markdown.replaceAll(/[`*_|#>[\]]|\(\/[^)]*\)|-{3,}/g, ' ').replaceAll(/\s+/g, ' ');

/** Returns the name of a screen, as the menu has it; the English title for an article about something else. */
const nameOf = (locale: Locale, { key, title }: Article): string =>
  locale !== 'en' && hasText(`menu.${key}`) ? translate(locale, `menu.${key}` as 'menu.campaigns') : title;

function pageOf(article: Article, locale: Locale): Page {
  const own = locale === 'en' ? article : article.translations[locale];
  const title = own?.title ?? nameOf(locale, article);
  const { source } = own ?? article;
  // Without a translation the text is in English, and says so at its beginning.
  const text = own
    ? htmlOf(source)
    : `<p class="note">${escaped(translate(locale, 'site.in_english'))}</p>\n<div lang="${LOCALE_TAGS.en}">${htmlOf(source)}</div>`;
  return { path: article.key, title, html: `<h1>${escaped(title)}</h1>\n${text}`, plain: plainOf(source) };
}

/** Builds the parts of the guide in a language. */
export const guideParts = (articles: readonly Article[], locale: Locale): Part[] =>
  articles
    .filter(({ parent }) => parent === null)
    .map((part) => ({
      title: (locale === 'en' ? part : (part.translations[locale] ?? part)).title,
      pages: articles.filter(({ parent }) => parent === part.key).map((article) => pageOf(article, locale)),
    }));
