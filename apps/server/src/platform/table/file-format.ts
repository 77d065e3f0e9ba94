import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import type { FileReading, Separator, TextEncoding } from '@heliograph/contract/kernel/file-reading';
import { BusinessError } from '../errors.ts';
import { findSeparator, SIGNS } from './separator.ts';
import { findDamage, guessEncoding, placeOf, wideEncoding } from './text-encoding.ts';
import { readZipDirectory } from './zip.ts';

/** Encoding and separator of a text file. */
export interface TextFormat {
  type: 'csv';
  encoding: TextEncoding;
  separator: Separator;
  /** Whether the first line names the separator and is no row. */
  declared: boolean;
  /** Damage of the file; null if there is none, or a reading was chosen for it. */
  fault: BusinessError | null;
}
type FileFormat = TextFormat | { type: 'xlsx' };

const SAMPLE_BYTES = 65_536;

/**
 * Detects the format of a file from its bytes, never from its name. It is an XLSX workbook or text, with its encoding
 * and separator as they are chosen, else detected. `cut` means that the file is only the beginning of one. Throws
 * `file_type_unknown` for everything else, and special errors for workbooks that are protected, old or cut off.
 */
export async function detectFormat(path: string, reading: FileReading, cut = false): Promise<FileFormat> {
  const sample = await firstBytes(path);
  if (sample.subarray(0, 4).equals(ZIP_MAGIC)) {
    const entries = await readZipDirectory(path);
    if (!entries) throw new BusinessError('file_cut_off');
    if (entries.has('xl/workbook.bin')) throw new BusinessError('file_format_old');
    if (!entries.has('xl/workbook.xml')) throw new BusinessError('file_type_unknown');
    return { type: 'xlsx' };
  }
  if (sample.subarray(0, 8).equals(COMPOUND_MAGIC)) throw new BusinessError(await compoundFault(path, sample));
  return detectText(path, sample, reading, cut);
}

/** Checks an uploaded file: throws any error that would refuse it before a row is read. */
export async function checkFormat(path: string, reading: FileReading): Promise<void> {
  const format = await detectFormat(path, reading);
  if (format.type === 'csv' && format.fault) throw format.fault;
}

/** Answers the digest that identifies a file; the same file with another chosen reading counts as another. */
export const digestOf = ({ sha256 }: { sha256: string }, reading: FileReading): string =>
  Object.keys(reading).length === 0
    ? sha256
    : createHash('sha256').update(sha256).update(JSON.stringify(reading)).digest('hex');

async function detectText(path: string, sample: Buffer, reading: FileReading, cut: boolean): Promise<TextFormat> {
  const wide = wideEncoding(sample);
  const isWide = (reading.encoding ?? wide)?.startsWith('utf-16') ?? false;
  if (!isWide && holdsControls(sample)) throw new BusinessError('file_type_unknown');
  const damage = isWide ? {} : await findDamage(path, cut);
  const bad = reading.encoding ? undefined : damage.bad;
  const encoding = reading.encoding ?? wide ?? (bad === undefined ? 'utf-8' : await guessEncoding(path));
  const found = findSeparator(new TextDecoder(encoding).decode(sample));
  const separator = reading.separator ?? found.separator;
  return {
    type: 'csv',
    encoding,
    separator,
    declared: found.declared,
    fault:
      (damage.nul === undefined ? undefined : await nulFault(path, damage.nul)) ??
      (encoding === 'utf-8' && bad !== undefined ? await badByteFault(path, bad, separator) : undefined) ??
      (reading.separator ? null : found.fault),
  };
}

async function nulFault(path: string, offset: number): Promise<BusinessError> {
  return new BusinessError('file_holds_nul', { params: { row: (await placeOf(path, offset)).row } });
}

async function badByteFault(path: string, offset: number, separator: Separator): Promise<BusinessError> {
  const { row, before } = await placeOf(path, offset);
  const cells = before.toString('utf8').replace(/"(?:[^"]|"")*"/g, '');
  return new BusinessError('file_bytes_invalid', { params: { row, column: cells.split(SIGNS[separator]).length } });
}

/** Compound files ([MS-CFB]): workbooks before 2007, and newer ones behind a password. */
const COMPOUND_MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ZIP_MAGIC = Buffer.from('PK\u0003\u0004', 'latin1');

/** Bytes of a compound file's directory that are searched for the names of its entries. */
const DIRECTORY_BYTES = 4_096;
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Finds the kind of a compound file by the names in its directory; its head names the directory's first sector. */
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

/**
 * Tells whether a sample has control characters, which every binary format soon shows and text does not. Tabs, line
 * breaks and a rare NUL do not count.
 */
function holdsControls(sample: Buffer): boolean {
  const nuls = sample.filter((byte) => byte === 0).length;
  return (
    nuls * 4 > sample.length ||
    sample.some((byte) => byte !== 0 && byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)
  );
}
