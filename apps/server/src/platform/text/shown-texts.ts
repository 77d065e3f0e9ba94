import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Queryable } from '../database/queryable.ts';
import { translate } from './i18n.ts';
import { isSealed } from './sealed-text.ts';
import { type Closed, type KeyConfig, openerOf } from './text-keys.ts';

/** Everything that opening texts for a person takes. */
export interface TextReader {
  db: Queryable;
  config: KeyConfig;
  locale: Locale;
}

/** Returns the sentence that people read in place of a text that cannot be shown. */
export const closedSentence = (locale: Locale, closed: Closed): string =>
  closed === 'unreadable'
    ? translate(locale, 'sealed_text.unreadable')
    : translate(locale, 'sealed_text.destroyed', { date: new Date(closed.destroyed_at).toISOString().slice(0, 10) });

/**
 * Returns a value with the encrypted texts in it opened, for a person. A text that cannot be opened becomes a sentence
 * that says why. A value without encrypted texts is returned as it is.
 */
export async function shownTexts<T>({ db, config, locale }: TextReader, value: T): Promise<T> {
  const found = new Set<string>();
  collect(value, found);
  if (found.size === 0) return value;
  const open = await openerOf(db, config, found);
  return replaced(value, (text) => {
    const opened = open(text);
    return 'text' in opened ? opened.text : closedSentence(locale, opened.closed);
  }) as T;
}

/** Encrypted text with its place within a JSON document. */
const WITHIN = /\\u0002(\d+\.[a-z]+\d*\.\d+\.[\w-]+)/g;

/**
 * Returns JSON documents with the encrypted texts in them opened, as `shownTexts` does. Documents without any are
 * returned as they are.
 */
export async function shownDocuments<Document extends string | null>(
  { db, config, locale }: TextReader,
  documents: readonly Document[],
): Promise<Document[]> {
  const found = documents.flatMap((document) => document?.match(WITHIN) ?? []);
  if (found.length === 0) return [...documents];
  const open = await openerOf(db, config, found.map(unescaped));
  return documents.map(
    (document) =>
      (document?.replaceAll(WITHIN, (each) => {
        const opened = open(unescaped(each));
        const text = 'text' in opened ? opened.text : closedSentence(locale, opened.closed);
        return JSON.stringify(text).slice(1, -1);
      }) ?? null) as Document,
  );
}

const unescaped = (escaped: string): string => escaped.replace('\\u0002', '\u0002');

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (isSealed(value)) found.add(value);
  } else if (Array.isArray(value)) for (const each of value) collect(each, found);
  else if (isRecord(value)) for (const each of Object.values(value)) collect(each, found);
}

function replaced(value: unknown, open: (text: string) => string): unknown {
  if (typeof value === 'string') return isSealed(value) ? open(value) : value;
  if (Array.isArray(value)) return value.map((each) => replaced(each, open));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, open)]));
}

/** Tells whether a value is a plain object: times and files are not searched. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
