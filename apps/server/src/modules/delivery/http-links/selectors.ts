import { patternOf } from '@heliograph/contract/links/http-mapping';

/** A document of a carrier: its text, and the value that it holds if it is JSON or a form. */
export interface Said {
  text: string;
  value: unknown;
}

/** Maximum characters of a text that regular expressions see. */
const SEEN = 4_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads a document that may be JSON. */
export const said = (text: string): Said => ({ text, value: parsed(text) });

/** Makes a document of an element of a list. */
export const element = (value: unknown): Said => ({ text: JSON.stringify(value) ?? '', value });

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
    const found = patternOf(selector.slice(1, -1))?.exec(document.text.slice(0, SEEN));
    return found ? (found[1] ?? found[0]) : undefined;
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
