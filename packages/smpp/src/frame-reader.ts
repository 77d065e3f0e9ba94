import { Buffer } from 'node:buffer';
import { MAX_PDU, MIN_PDU } from './decode.ts';
import { STATUS } from './status.ts';
import { PduError, readU32 } from './wire.ts';

/**
 * Cuts a byte stream into PDUs. Whole PDUs are passed on inside the chunk they came in. Only a PDU that spans chunks is
 * copied, once, into a buffer of its own size. A peer that sends single octets therefore costs no more.
 */
export class FrameReader {
  readonly #onFrame: (buffer: Buffer, at: number, length: number) => void;
  #head = Buffer.allocUnsafeSlow(16);
  #partial: Buffer | undefined;
  #have = 0;

  constructor(onFrame: (buffer: Buffer, at: number, length: number) => void) {
    this.#onFrame = onFrame;
  }

  /** Octets of an unfinished PDU; 0 between PDUs. */
  get pending(): number {
    return this.#have;
  }

  /** Forgets an unfinished PDU. */
  reset(): void {
    this.#have = 0;
    this.#partial = undefined;
  }

  /**
   * Passes on every PDU that the chunk completes. Throws PduError RINVCMDLEN if command_length is outside 16..65,600:
   * the stream has lost its framing and must be closed.
   */
  push(chunk: Buffer): void {
    let at = this.#have > 0 ? this.#complete(chunk) : 0;
    const end = chunk.length;
    while (end - at >= 4) {
      const length = checkedLength(chunk, at);
      if (end - at < length) break;
      this.#onFrame(chunk, at, length);
      at += length;
    }
    if (at < end) this.#keep(chunk, at);
  }

  #keep(chunk: Buffer, at: number): void {
    const left = chunk.length - at;
    const target = left >= 4 ? Buffer.allocUnsafeSlow(checkedLength(chunk, at)) : this.#head;
    this.#partial = left >= 4 ? target : undefined;
    chunk.copy(target, 0, at);
    this.#have = left;
  }

  /** Adds to the unfinished PDU; answers where the rest of the chunk begins. */
  #complete(chunk: Buffer): number {
    let at = 0;
    if (this.#partial === undefined) {
      at = Math.min(4 - this.#have, chunk.length);
      chunk.copy(this.#head, this.#have, 0, at);
      this.#have += at;
      if (this.#have < 4) return at;
      this.#partial = Buffer.allocUnsafeSlow(checkedLength(this.#head, 0));
      this.#head.copy(this.#partial, 0, 0, 4);
    }
    const partial = this.#partial;
    const take = Math.min(partial.length - this.#have, chunk.length - at);
    chunk.copy(partial, this.#have, at, at + take);
    this.#have += take;
    if (this.#have === partial.length) {
      this.reset();
      this.#onFrame(partial, 0, partial.length);
    }
    return at + take;
  }
}

function checkedLength(b: Buffer, at: number): number {
  const length = readU32(b, at);
  if (length < MIN_PDU || length > MAX_PDU)
    throw new PduError(STATUS.RINVCMDLEN, `command_length ${length} is outside 16..65,600`);
  return length;
}
