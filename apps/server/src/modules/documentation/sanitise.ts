import { articleImage } from '@heliograph/contract/documentation/article';
import sanitizeHtml from 'sanitize-html';

const IMAGE = new RegExp(`^${articleImage.path.replace(':key', '[A-Za-z0-9_-]{32}')}$`);
/**
 * Allowed links: a known scheme, a page of this host, or a place in the article. Browsers read anything else in their
 * own ways.
 */
const LINK = /^(?:https?:\/\/|mailto:|tel:|\/(?![/\\])|[#?])/i;
/** Elements that are removed with their text, because it is meant for a machine. */
const DROPPED_WHOLE =
  'script style textarea option noscript noembed noframes iframe object embed template svg math title xmp plaintext select';

/** Maximum rounds; two are enough for nearly all texts. */
const MOST_ROUNDS = 5;

const RULES: sanitizeHtml.IOptions = {
  allowedTags: 'h2 h3 h4 p ul ol li a strong b em i u s code pre blockquote hr br img table thead tbody tr th td'.split(
    ' ',
  ),
  allowedAttributes: {
    a: ['href'],
    img: ['src', 'alt'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
    code: ['class'],
  },
  allowedClasses: { code: [/^language-[a-z]+$/] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: DROPPED_WHOLE.split(' '),
  nestingLimit: 40,
  transformTags: {
    // The page's own first heading is the title.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href }) => ({ tagName, attribs: href !== undefined && LINK.test(href) ? { href } : {} }),
  },
  // Pictures of other hosts would reveal the readers to them: only stored ones are shown.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !IMAGE.test(attribs['src'] ?? ''),
};

/** Sanitizes a person's HTML: text, headings, lists, tables, code, links and stored pictures remain. */
export function sanitise(html: string): string {
  let clean = html.replaceAll('\u0000', '');
  // Repaired tags, such as a link within a link, may be read differently the next time. The stored text must always be
  // read the same.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = clean;
    clean = sanitizeHtml(before, RULES).trim();
    if (clean === before) break;
  }
  return clean;
}

const BLOCK = /<\/?(?:h\d|p|li|ul|ol|pre|blockquote|tr|th|td|table|hr|br)\b[^>]*>/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Extracts the words of sanitized HTML, for the search and for excerpts. */
export const plainOf = (html: string): string =>
  sanitizeHtml(html.replace(BLOCK, ' $& '), { allowedTags: [], allowedAttributes: {} })
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/\s+/g, ' ')
    .trim();
