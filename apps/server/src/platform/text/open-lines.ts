import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Queryable } from '../database/queryable.ts';
import { PLACED_TEXTS } from './sealed-text.ts';
import { closedSentence } from './shown-texts.ts';
import { type KeyConfig, openerOf, type ReadKeys } from './text-keys.ts';

const MARK = 2;
const NEWLINE = 10;

interface LineReader {
  db: Queryable;
  config: KeyConfig;
  locale: Locale;
  /** Returns an opened text as the file shows it, such as masked. */
  shown(text: string): string;
}

/**
 * Opens the encrypted texts in lines of CSV that PostgreSQL writes. Lines without them pass as they are. Keys are read
 * once for these lines.
 */
export async function* openLines(pieces: AsyncIterable<unknown>, reader: LineReader): AsyncGenerator<Buffer> {
  const keys: ReadKeys = new Map();
  let rest: Buffer | undefined;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    if (!rest && !piece.includes(MARK)) {
      yield piece;
      continue;
    }
    const all: Buffer = rest ? Buffer.concat([rest, piece]) : piece;
    const end = all.lastIndexOf(NEWLINE) + 1;
    rest = end === all.length ? undefined : all.subarray(end);
    if (end > 0) yield await opened(all.subarray(0, end), reader, keys);
  }
  if (rest) yield await opened(rest, reader, keys);
}

async function opened(lines: Buffer, { db, config, locale, shown }: LineReader, keys: ReadKeys): Promise<Buffer> {
  const text = lines.toString('utf8');
  const open = await openerOf(db, config, text.match(PLACED_TEXTS) ?? [], keys);
  const plain = text.replaceAll(PLACED_TEXTS, (sealed) => {
    const result = open(sealed);
    return quoted('text' in result ? shown(result.text) : closedSentence(locale, result.closed));
  });
  return Buffer.from(plain);
}

/** Writes a value as a field of CSV, as COPY does. */
const quoted = (value: string): string =>
  value === '' || value === '\\.' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
