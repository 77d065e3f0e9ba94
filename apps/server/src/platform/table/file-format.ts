import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { BusinessError } from '../errors.ts';
import { readZipDirectory } from './zip.ts';

/** The labels that TextDecoder knows. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type FileFormat = { type: 'csv'; encoding: TextEncoding } | { type: 'xlsx' };

const SAMPLE_BYTES = 8_192;

/**
 * What a file is, told from its bytes and never from its name: an XLSX workbook or text in one of four encodings.
 * Throws `file_type_unknown` for everything else.
 */
export async function detectFormat(path: string): Promise<FileFormat> {
  const sample = await firstBytes(path);
  if (sample.subarray(0, 4).equals(ZIP_MAGIC)) {
    const entries = await readZipDirectory(path);
    if (!entries?.has('xl/workbook.xml')) throw new BusinessError('file_type_unknown');
    return { type: 'xlsx' };
  }
  const wide = wideEncoding(sample);
  if (wide) return { type: 'csv', encoding: wide };
  if (holdsControls(sample)) throw new BusinessError('file_type_unknown');
  return { type: 'csv', encoding: (await isUtf8File(path)) ? 'utf-8' : 'windows-1252' };
}

const ZIP_MAGIC = Buffer.from('PK\u0003\u0004', 'latin1');

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** UTF-16 by its byte order mark, or by NULs in every second place as Latin letters and digits have them. */
function wideEncoding(sample: Buffer): TextEncoding | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const nuls = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) nuls[i % 2]!++;
  const [even = 0, odd = 0] = nuls;
  const half = sample.length / 2;
  if (odd > half * 0.4 && even === 0) return 'utf-16le';
  if (even > half * 0.4 && odd === 0) return 'utf-16be';
  return undefined;
}

/** Text has none of the control characters that every binary format soon shows, tab and line breaks apart. */
function holdsControls(sample: Buffer): boolean {
  return sample.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13);
}

/** Whether all bytes are UTF-8; a file of plain ASCII may show its first Latin-1 letter at the very end. */
async function isUtf8File(path: string): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece as Buffer]) : (piece as Buffer);
    const whole = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, whole))) return false;
    rest = bytes.subarray(whole);
  }
  return isUtf8(rest);
}

/** How many of the bytes form whole characters: the start of one that goes on in the next piece is left out. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0) return bytes.length - back;
    if (byte < 0x80) break;
  }
  return bytes.length;
}
