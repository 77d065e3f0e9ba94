import { LOCALE_NAMES, LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { escaped } from '#platform/text/escaped';
import { translate } from '#platform/text/i18n';

/** Page of the site, in one language. */
export interface Page {
  /** File without its ending, relative to the folder of the language: `campaigns`, `reference/sendMessage`. */
  path: string;
  title: string;
  /** HTML of the text, with its heading. */
  html: string;
  /** Text for the search. */
  plain: string;
}

/** Part of the contents, with its pages. */
export interface Part {
  title: string;
  pages: readonly Page[];
}

/** Facts that all pages of a site share. */
export interface Site {
  /** Name of the product, as its operator calls it. */
  name: string;
  version: string;
}

/** Returns the way from a page to the folder of its language. */
export const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);

const ICON =
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f5fde"/><circle cx="16" cy="18.5" r="4.5" fill="#fff"/><path d="M16 6v4M7.5 10l2.8 2.8M24.500 10l-2.800 2.800M5 18.500h3.500M23.500 18.500H27" stroke="#fff" stroke-width="2.200" stroke-linecap="round"/></svg>';

function contents(parts: readonly Part[], page: Page): string {
  const up = upFrom(page.path);
  return parts
    .map(({ title, pages }) => {
      const links = pages.map(
        (each) =>
          `<li><a href="${up}${each.path}.html"${each.path === page.path ? ' aria-current="page"' : ''}>${escaped(each.title)}</a></li>`,
      );
      return `<details${pages.includes(page) ? ' open' : ''}><summary>${escaped(title)}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');
}

/** Returns the links to the pages before and behind a page. */
function neighbors(parts: readonly Part[], page: Page, locale: Locale): string {
  const all = parts.flatMap(({ pages }) => pages);
  const place = all.indexOf(page);
  const up = upFrom(page.path);
  const link = (each: Page | undefined, rel: 'prev' | 'next', words: string) =>
    each
      ? `<a rel="${rel}" href="${up}${each.path}.html"><small>${escaped(words)}</small>${escaped(each.title)}</a>`
      : '<span></span>';
  return `<nav class="neighbors" aria-label="${escaped(translate(locale, 'site.pages'))}">${link(all[place - 1], 'prev', translate(locale, 'site.previous'))}${link(all[place + 1], 'next', translate(locale, 'site.next'))}</nav>`;
}

/** Writes a page with the head, the contents and the neighbors. */
export function pageHtml(site: Site, parts: readonly Part[], page: Page, locale: Locale): string {
  const t = (key: Parameters<typeof translate>[1]) => escaped(translate(locale, key));
  const up = upFrom(page.path);
  const root = `${up}../`;
  const languages = LOCALES.map(
    (each) =>
      `<option value="${root}${LOCALE_TAGS[each]}/${page.path}.html" lang="${LOCALE_TAGS[each]}"${each === locale ? ' selected' : ''}>${LOCALE_NAMES[each]}</option>`,
  );
  const alternates = LOCALES.map(
    (each) =>
      `<link rel="alternate" hreflang="${LOCALE_TAGS[each]}" href="${root}${LOCALE_TAGS[each]}/${page.path}.html">`,
  );
  return `<!doctype html>
<html lang="${LOCALE_TAGS[locale]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'">
<title>${escaped(page.title)} · ${escaped(site.name)}</title>
<link rel="icon" href="${root}favicon.svg">
<link rel="stylesheet" href="${root}site.css">
${alternates.join('\n')}
<script src="${root}theme.js"></script>
<script type="module" src="${root}site.js"></script>
</head>
<body data-root="${root}" data-up="${up}">
<a class="skip" href="#text">${t('site.skip')}</a>
<header>
<a class="brand" href="${up}index.html">${ICON}<span>${escaped(site.name)}</span></a>
<div class="search" role="search">
<input type="search" id="search" placeholder="${t('documentation.search')}" aria-label="${t('documentation.search')}" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found" data-none="${t('site.nothing_found')}" data-failed="${t('site.search_failed')}">
<ul id="found" role="listbox" aria-label="${t('documentation.search')}" hidden></ul>
</div>
<select id="version" aria-label="${t('site.version')}"><option>${escaped(site.version)}</option></select>
<select id="language" aria-label="${t('site.language')}">${languages.join('')}</select>
<button type="button" id="theme" aria-pressed="false">${t('site.dark')}</button>
</header>
<div class="columns">
<nav class="contents" aria-label="${t('documentation.contents')}"><button type="button" id="menu" aria-expanded="false">${t('documentation.contents')}</button><div>
${contents(parts, page)}
</div></nav>
<main id="text" tabindex="-1" data-copy="${t('site.copy')}" data-copied="${t('site.copied')}">
${page.html}
${neighbors(parts, page, locale)}
</main>
</div>
</body>
</html>
`;
}
