import { Fragment, type ReactNode } from 'react';
import { Link } from '../../ui/link.tsx';
import classes from './html.module.css';

/**
 * Draws an article's HTML as elements of this page. The server has cleaned it. Here, a parser that runs and loads
 * nothing reads it again, and only the elements named below are drawn.
 */
export function Html({ html, lang }: { html: string; lang?: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return (
    <div className={classes.text} lang={lang}>
      {drawn(body)}
    </div>
  );
}

const PLAIN = new Set('h2 h3 h4 p ul li strong b em i u s code pre blockquote thead tbody tr'.split(' '));
const IMAGE = /^\/api\/v1\/article-images\/[A-Za-z0-9_-]{32}$/;

const drawn = (parent: Element): ReactNode[] =>
  [...parent.childNodes].map((node, place) => {
    if (node instanceof Text) return node.data;
    // biome-ignore lint/suspicious/noArrayIndexKey: a text's nodes have no other name, and never change places
    return node instanceof Element ? <Fragment key={place}>{element(node)}</Fragment> : null;
  });

function element(node: Element): ReactNode {
  const name = node.localName;
  const children = drawn(node);
  if (PLAIN.has(name)) {
    const Tag = name as 'p';
    return <Tag>{children}</Tag>;
  }
  switch (name) {
    case 'a':
      return <Anchor href={node.getAttribute('href') ?? ''}>{children}</Anchor>;
    case 'ol':
      return <ol start={wholeOf(node, 'start')}>{children}</ol>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'img': {
      const src = node.getAttribute('src') ?? '';
      return IMAGE.test(src) ? <img src={src} alt={node.getAttribute('alt') ?? ''} loading="lazy" /> : null;
    }
    case 'table':
      return (
        // A wide table scrolls inside its own frame, with the keyboard too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        <div className={classes.table} tabIndex={0}>
          <table>{children}</table>
        </div>
      );
    case 'th':
      return (
        <th scope="col" colSpan={wholeOf(node, 'colspan')} rowSpan={wholeOf(node, 'rowspan')}>
          {children}
        </th>
      );
    case 'td':
      return (
        <td colSpan={wholeOf(node, 'colspan')} rowSpan={wholeOf(node, 'rowspan')}>
          {children}
        </td>
      );
    default:
      return children;
  }
}

const wholeOf = (node: Element, attribute: string): number | undefined => {
  const value = Number(node.getAttribute(attribute));
  return Number.isInteger(value) && value > 0 && value < 1_000 ? value : undefined;
};

/**
 * Link of an article. A link to a screen stays in the application. A link to another site opens in a new tab and sends
 * that site no referrer.
 */
function Anchor({ href, children }: { href: string; children: ReactNode }) {
  if (/^\/(?![/\\])/.test(href)) {
    const { pathname, searchParams } = new URL(href, location.origin);
    return (
      <Link to={pathname} search={Object.fromEntries(searchParams)}>
        {children}
      </Link>
    );
  }
  if (!/^(https?:|mailto:|tel:)/i.test(href)) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
