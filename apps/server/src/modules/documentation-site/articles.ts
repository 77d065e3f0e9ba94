import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { Marked } from 'marked';
import { hasText, translate } from '#platform/text/i18n';
import { escaped, type Page, type Part } from './page.ts';

/** Article of the guide; `source` is Markdown, and the parent that of its part. */
export interface Article {
  key: string;
  parent: string | null;
  title: string;
  source: string;
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

/** Returns the title of an article or a part, as the menu has it in this language. */
function titleIn(locale: Locale, { key, title }: Pick<Article, 'key' | 'title'>): string {
  const own = key.startsWith('part-') ? `site.${key.slice('part-'.length).replaceAll('-', '_')}` : '';
  const menu = `menu.${key.replace(/^part-/, '')}`;
  if (own && hasText(own)) return translate(locale, own as 'site.copy');
  return locale !== 'en' && hasText(menu) ? translate(locale, menu as 'menu.campaigns') : title;
}

/** Builds the parts of the guide in a language. Texts are in English, so other languages say so at their beginning. */
export function guideParts(articles: readonly Article[], locale: Locale): Part[] {
  const pageOf = (article: Article): Page => {
    const title = titleIn(locale, article);
    const note = locale === 'en' ? '' : `<p class="note">${escaped(translate(locale, 'site.in_english'))}</p>\n`;
    const english = locale === 'en' ? '' : ' lang="en-US"';
    return {
      path: article.key,
      title,
      html: `<h1 lang="${LOCALE_TAGS[locale]}">${escaped(title)}</h1>\n${note}<div${english}>${htmlOf(article.source)}</div>`,
      plain: plainOf(article.source),
    };
  };
  return articles
    .filter(({ parent }) => parent === null)
    .map((part) => ({
      title: titleIn(locale, part),
      pages: articles.filter(({ parent }) => parent === part.key).map(pageOf),
    }));
}
