import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInflateRaw } from 'node:zlib';
import { BusinessError } from '../errors.ts';

/** File inside a ZIP archive (PKWARE APPNOTE 4.3.12), as its central directory describes it. */
export interface ZipEntry {
  offset: number;
  compressed: number;
  /** Compression: 0 stored, 8 deflated. */
  method: number;
}

const END_MAGIC = Buffer.from('PK\u0005\u0006', 'latin1');
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
/** Bytes that a part may always have after inflating, and the maximum ratio of further bytes to the packed size. */
const [FREE_BYTES, MAX_RATIO] = [16 << 20, 300];
const MAX_DIRECTORY_BYTES = 1 << 20;

/** The entries of an archive by name; undefined if it is damaged, encrypted, ZIP64 or unreasonably large. */
export async function readZipDirectory(path: string): Promise<Map<string, ZipEntry> | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, END_BYTES + MAX_COMMENT));
    await file.read(tail, 0, tail.length, size - tail.length);
    const end = tail.lastIndexOf(END_MAGIC);
    if (end < 0 || end + END_BYTES > tail.length) return undefined;
    const [bytes, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
    if (bytes > MAX_DIRECTORY_BYTES || offset + bytes > size) return undefined;
    const directory = Buffer.alloc(bytes);
    await file.read(directory, 0, bytes, offset);
    return parseDirectory(directory);
  } finally {
    await file.close();
  }
}

function parseDirectory(directory: Buffer): Map<string, ZipEntry> | undefined {
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at + 46 <= directory.length; ) {
    if (directory.readUInt32LE(at) !== 0x02014b50) return undefined;
    const encrypted = (directory.readUInt16LE(at + 8) & 1) === 1;
    const method = directory.readUInt16LE(at + 10);
    const nameLength = directory.readUInt16LE(at + 28);
    if (encrypted || (method !== 0 && method !== 8)) return undefined;
    entries.set(directory.toString('utf8', at + 46, at + 46 + nameLength), {
      method,
      compressed: directory.readUInt32LE(at + 20),
      offset: directory.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Streams the inflated bytes of an entry. Throws `file_unreadable` if they are damaged. Throws `workbook_too_large` if
 * they exceed `limit` bytes or were packed as no real text is: the sizes in an archive are never trusted.
 */
export async function* readZipEntry(
  path: string,
  entry: ZipEntry,
  limit: number,
  onRead: (compressedBytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const start = await dataOffset(path, entry);
  if (entry.compressed === 0) return;
  const source = createReadStream(path, { start, end: start + entry.compressed - 1 });
  const stream = entry.method === 8 ? source.pipe(createInflateRaw()) : source;
  source.on('error', (error) => stream.destroy(error));
  let total = 0;
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      total += piece.length;
      if (total > limit || total > FREE_BYTES + source.bytesRead * MAX_RATIO)
        throw new BusinessError('workbook_too_large');
      onRead(source.bytesRead);
      yield piece;
    }
  } catch (error) {
    throw error instanceof BusinessError ? error : new BusinessError('file_unreadable', { cause: error });
  } finally {
    source.destroy();
    stream.destroy();
  }
}

async function dataOffset(path: string, { offset }: ZipEntry): Promise<number> {
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(30);
    const { bytesRead } = await file.read(header, 0, 30, offset);
    if (bytesRead < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new BusinessError('file_unreadable');
    return offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    await file.close();
  }
}
