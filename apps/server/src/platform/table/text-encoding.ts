import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';
import { likeliestEncoding } from './guess-encoding.ts';

/** Maximum bytes of lines beyond ASCII by which an encoding is guessed. */
const GUESS_BYTES = 8 << 10;
const LINE_FEED = 10;

/** Recognizes UTF-16 by its byte order mark, or by the NULs in its Latin letters, digits and line ends. */
export function wideEncoding(sample: Buffer): TextEncoding | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const nuls: [even: number, odd: number] = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) nuls[i % 2 === 0 ? 0 : 1]++;
  const [even, odd] = nuls;
  if (Math.max(even, odd) < sample.length * 0.05 || Math.min(even, odd) * 4 > Math.max(even, odd)) return undefined;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(sample.subarray(0, sample.length & ~1));
  const latin = text.match(/[\t\r\n -~]/g)?.length ?? 0;
  return latin >= text.length * 0.1 && !CONTROLS.test(text) ? encoding : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of them, which is how it is told
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\ufffe\uffff]/;

/** Offsets of damage in a text file; left out if there is none. */
interface Damage {
  /** First NUL byte. */
  nul?: number;
  /** First byte that is not UTF-8. */
  bad?: number;
}

const READ_BYTES = 1 << 18;

/**
 * Reads a file once to its first NUL and the first byte that is not UTF-8. The last character of a `cut` file may be
 * incomplete. One buffer serves the whole file: buffers of a stream would pile up faster than they are freed.
 */
export async function findDamage(path: string, cut: boolean): Promise<Damage> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const found: Damage = {};
  await using file = await open(path, 'r');
  for (let offset = 0, rest = 0; found.nul === undefined || found.bad === undefined; ) {
    const { bytesRead } = await file.read(buffer, rest, READ_BYTES - rest);
    const bytes = buffer.subarray(0, rest + bytesRead);
    const ended = bytesRead === 0;
    const nul = bytes.indexOf(0, rest);
    if (nul >= 0) found.nul ??= offset + nul;
    const whole = ended && !cut ? bytes.length : wholeCharacters(bytes);
    if (found.bad === undefined && !isUtf8(bytes.subarray(0, whole))) found.bad = offset + badByteIn(bytes);
    if (ended) break;
    bytes.copy(buffer, 0, whole);
    offset += whole;
    rest = bytes.length - whole;
  }
  return found;
}

/**
 * Counts the bytes that form whole characters; the start of a character that continues in the next piece is left out.
 */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

function badByteIn(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at]!;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (!isUtf8(bytes.subarray(at, at + length))) return at;
    at += length;
  }
  return bytes.length;
}

/** Finds the encoding of text that is not all UTF-8: UTF-8 if it nearly is, else the likeliest of the others. */
export async function guessEncoding(path: string): Promise<TextEncoding> {
  const sample = await foreignLines(path);
  if (isNearlyUtf8(sample)) return 'utf-8';
  return likeliestEncoding(sample);
}

/** Reads the first lines with characters beyond ASCII. */
async function foreignLines(path: string): Promise<Buffer> {
  const found: Buffer[] = [];
  let length = 0;
  let rest: Buffer = Buffer.alloc(0);
  const take = (bytes: Buffer) => {
    for (let start = 0; start < bytes.length && length < GUESS_BYTES; ) {
      const feed = bytes.indexOf(LINE_FEED, start);
      const line = bytes.subarray(start, feed < 0 ? bytes.length : feed + 1).subarray(0, GUESS_BYTES);
      if (!isAscii(line)) length += found[found.push(line) - 1]!.length;
      start = feed < 0 ? bytes.length : feed + 1;
    }
  };
  for await (const piece of createReadStream(path, { highWaterMark: READ_BYTES })) {
    const bytes = Buffer.concat([rest, piece as Buffer]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length;
    rest = bytes.subarray(end);
    if (!isAscii(bytes)) take(bytes.subarray(0, end));
    if (length >= GUESS_BYTES) return Buffer.concat(found);
  }
  take(rest);
  return Buffer.concat(found);
}

/** Counts the characters beyond ASCII. */
const foreign = (text: string) => text.match(/\P{ASCII}/gu)?.length ?? 0;

/** Tells whether most of the characters beyond ASCII are UTF-8: by chance hardly any would be. */
function isNearlyUtf8(sample: Buffer): boolean {
  const text = sample.toString('utf8');
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  const good = foreign(text) - bad;
  return good >= 3 && good >= bad * 4;
}

/** Answers the row of a byte, and the bytes before it in its line. */
export async function placeOf(path: string, offset: number): Promise<{ row: number; before: Buffer }> {
  let row = 1;
  let before: Buffer = Buffer.alloc(0);
  if (offset > 0)
    for await (const piece of createReadStream(path, { end: offset - 1 }) as AsyncIterable<Buffer>) {
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) row++;
      const start = piece.lastIndexOf(LINE_FEED) + 1;
      before = start > 0 ? piece.subarray(start) : Buffer.concat([before, piece]).subarray(-65_536);
    }
  return { row, before };
}
