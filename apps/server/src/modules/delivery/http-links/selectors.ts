import { LinearPattern } from '@heliograph/contract/links/linear-pattern';

/** A document of a carrier: its text, and the value that it holds if it is JSON or a form. */
export interface Said {
  readonly text: string;
  readonly value: unknown;
}

/** Expressions of places, compiled once. */
const expressions = new Map<string, LinearPattern | undefined>();
const MOST_EXPRESSIONS = 1_000;

function expressionOf(selector: string): LinearPattern | undefined {
  if (!expressions.has(selector)) {
    if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
    expressions.set(selector, LinearPattern.of(selector.slice(1, -1)));
  }
  return expressions.get(selector);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads a document that may be JSON. */
export const said = (text: string): Said => ({ text, value: parsed(text) });

/** Makes a document of an element of a list. Its text is written only where an expression reads it. */
const element = (value: unknown): Said => ({
  value,
  get text() {
    try {
      return JSON.stringify(value) ?? '';
    } catch {
      return ''; // nested too deeply
    }
  },
});

/** Answers the value at a place such as `messages[0].id`; undefined if there is none. Never throws. */
export function valueAt(value: unknown, place: string): unknown {
  let at = value;
  for (const step of place.match(/[\w$-]+/g) ?? []) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

/** Answers the text that a selector finds in a document: a place in its value, or the first group of an expression. */
export function textAt(document: Said, selector: string): string | undefined {
  if (selector === '') return undefined;
  if (selector.startsWith('/')) {
    const found = expressionOf(selector)?.find(document.text);
    return found && (found.group ?? found.whole);
  }
  const value = valueAt(document.value, selector);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Answers the documents of a list; undefined if there is no list at that place. */
export function listAt(document: Said, selector: string): Said[] | undefined {
  if (selector === '') return Array.isArray(document.value) ? document.value.map(element) : undefined;
  const value = valueAt(document.value, selector);
  return Array.isArray(value) ? value.map(element) : undefined;
}
