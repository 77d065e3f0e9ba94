import { Buffer } from 'node:buffer';
import { STATUS } from './status.ts';

/** A field or frame that breaks SMPP 3.4; `status` is the command_status that tells the peer. */
export class PduError extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'PduError';
    this.status = status;
  }
}

/** Collects PDUs in one growing buffer, so that many of them leave in one socket write. */
export class PduWriter {
  buffer: Buffer;
  length = 0;

  constructor(capacity = 65_536) {
    this.buffer = Buffer.allocUnsafeSlow(capacity);
  }

  /** Makes room for `octets` more octets; writes after it need no check. */
  ensure(octets: number): void {
    const needed = this.length + octets;
    if (needed <= this.buffer.length) return;
    let capacity = this.buffer.length * 2;
    while (capacity < needed) capacity *= 2;
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.buffer.copy(grown, 0, 0, this.length);
    this.buffer = grown;
  }

  u8(value: number): void {
    this.buffer[this.length++] = value;
  }

  u16(value: number): void {
    const b = this.buffer;
    b[this.length++] = value >>> 8;
    b[this.length++] = value;
  }

  u32(value: number): void {
    writeU32(this.buffer, this.length, value);
    this.length += 4;
  }

  /** Writes a C-octet string of at most max - 1 characters and its NUL. */
  cstring(value: string, max: number, status: number, field: string): void {
    const length = value.length;
    if (length >= max) throw new PduError(status, `${field} is longer than ${max - 1} octets`);
    const b = this.buffer;
    let at = this.length;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code === 0 || code > 0xff) throw new PduError(status, `${field} has a character outside Latin-1`);
      b[at++] = code;
    }
    b[at++] = 0;
    this.length = at;
  }

  octets(value: Uint8Array): void {
    const length = value.length;
    if (length > 48) {
      this.buffer.set(value, this.length);
    } else {
      const b = this.buffer;
      const at = this.length;
      for (let i = 0; i < length; i++) b[at + i] = value[i]!;
    }
    this.length += length;
  }

  /** Answers the collected bytes as a view; the caller must not reset the writer while it is in use. */
  view(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}

export function writeU32(b: Uint8Array, at: number, value: number): void {
  b[at] = value >>> 24;
  b[at + 1] = value >>> 16;
  b[at + 2] = value >>> 8;
  b[at + 3] = value;
}

/** Reads an unsigned 32-bit big-endian integer. */
export const readU32 = (b: Uint8Array, at: number): number =>
  ((b[at]! << 24) | (b[at + 1]! << 16) | (b[at + 2]! << 8) | b[at + 3]!) >>> 0;

/** Walks one PDU inside a chunk; every read is bounded by the PDU's own end. */
export class PduReader {
  buffer: Buffer = EMPTY;
  at = 0;
  end = 0;

  over(buffer: Buffer, at: number, end: number): void {
    this.buffer = buffer;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    if (this.at >= this.end) throw truncated();
    return this.buffer[this.at++]!;
  }

  u32(): number {
    if (this.at + 4 > this.end) throw truncated();
    const value = readU32(this.buffer, this.at);
    this.at += 4;
    return value;
  }

  /** Reads a C-octet string of at most max octets with its NUL. */
  cstring(max: number, status: number, field: string): string {
    const b = this.buffer;
    const start = this.at;
    const limit = Math.min(this.end, start + max);
    let at = start;
    while (at < limit && b[at] !== 0) at++;
    if (at >= limit)
      throw new PduError(at >= this.end ? STATUS.RINVCMDLEN : status, `${field} has no end within ${max} octets`);
    this.at = at + 1;
    return latin1(b, start, at);
  }

  /**
   * Reads a C-octet string without requiring a NUL at the PDU's end, because some carriers write message_id without it.
   */
  lenientCstring(): string {
    const b = this.buffer;
    const start = this.at;
    let at = start;
    while (at < this.end && b[at] !== 0) at++;
    this.at = Math.min(at + 1, this.end);
    return latin1(b, start, at);
  }

  /** Answers a view of the next octets, not a copy. */
  octets(length: number, status: number, field: string): Uint8Array {
    if (this.at + length > this.end) throw new PduError(status, `${field} ends after the PDU`);
    if (length === 0) return EMPTY;
    const start = this.at;
    this.at += length;
    return this.buffer.subarray(start, this.at);
  }
}

const EMPTY = Buffer.alloc(0);
const truncated = (): PduError => new PduError(STATUS.RINVCMDLEN, 'the PDU ends inside a mandatory field');

const char = String.fromCharCode;

/** Decodes octets as Latin-1 text. Short runs avoid the call into native code, which costs more than the copying. */
export function latin1(b: Buffer, start: number, end: number): string {
  let left = end - start;
  if (left > 40) return b.toString('latin1', start, end);
  let text = '';
  let o = start;
  for (; left >= 6; left -= 6, o += 6) {
    text += char(b[o]!, b[o + 1]!, b[o + 2]!, b[o + 3]!, b[o + 4]!, b[o + 5]!);
  }
  if (left >= 3) {
    text += char(b[o]!, b[o + 1]!, b[o + 2]!);
    o += 3;
    left -= 3;
  }
  if (left === 2) text += char(b[o]!, b[o + 1]!);
  else if (left === 1) text += char(b[o]!);
  return text;
}
