import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { BusinessError } from '../errors.ts';
import { readZipDirectory } from './zip.ts';

/** The labels that TextDecoder knows. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type FileFormat = { type: 'csv'; encoding: TextEncoding } | { type: 'xlsx' };

const SAMPLE_BYTES = 8_192;

/**
 * What a file is, told from its bytes and never from its name: an XLSX workbook or text in one of four encodings.
 * Throws `file_type_unknown` for everything else, and names workbooks that are protected, old or cut off.
 */
export async function detectFormat(path: string): Promise<FileFormat> {
  const sample = await firstBytes(path);
  if (sample.subarray(0, 4).equals(ZIP_MAGIC)) {
    const entries = await readZipDirectory(path);
    if (!entries) throw new BusinessError('file_cut_off');
    if (entries.has('xl/workbook.bin')) throw new BusinessError('file_format_old');
    if (!entries.has('xl/workbook.xml')) throw new BusinessError('file_type_unknown');
    return { type: 'xlsx' };
  }
  if (sample.subarray(0, 8).equals(COMPOUND_MAGIC)) throw new BusinessError(await compoundFault(path, sample));
  const wide = wideEncoding(sample);
  if (wide) return { type: 'csv', encoding: wide };
  if (holdsControls(sample)) throw new BusinessError('file_type_unknown');
  return { type: 'csv', encoding: (await isUtf8File(path)) ? 'utf-8' : 'windows-1252' };
}

/** Compound files ([MS-CFB]): workbooks before 2007, and newer ones behind a password. */
const COMPOUND_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ZIP_MAGIC = Buffer.from('PK\u0003\u0004', 'latin1');

/** Octets of a compound file's directory that are looked through for the names of what it holds. */
const DIRECTORY_BYTES = 4_096;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Says what a compound file is by the names in its directory, whose first sector stands in its head. */
async function compoundFault(path: string, head: Buffer): Promise<ErrorCode> {
  if (head.length < 512) return 'file_cut_off';
  const sector = 1 << Math.min(head.readUInt16LE(30), 12);
  const directory = Buffer.alloc(DIRECTORY_BYTES);
  const file = await open(path, 'r');
  try {
    const { bytesRead } = await file.read(directory, 0, DIRECTORY_BYTES, (head.readUInt32LE(48) + 1) * sector);
    if (bytesRead === 0) return 'file_cut_off';
  } finally {
    await file.close();
  }
  if (directory.includes(utf16('EncryptedPackage'))) return 'file_protected';
  return directory.includes(utf16('Workbook')) || directory.includes(utf16('Book'))
    ? 'file_format_old'
    : 'file_type_unknown';
}

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
