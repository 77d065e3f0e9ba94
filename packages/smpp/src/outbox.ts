import type { Socket } from 'node:net';
import { PduWriter } from './wire.ts';

/** A batch this large leaves at once, so that a long loop of submits keeps the carrier busy. */
const FLUSH_AT = 65_536;
const POOLED = 4;
const LARGEST_POOLED = 1_048_576;

/** Gathers all PDUs of one turn of the event loop into one socket write, reusing buffers the socket is done with. */
export class Outbox {
  writer = new PduWriter();
  /** Grows by one with every socket write: a request stamped with the current number has not left yet. */
  batch = 1;
  readonly #socket: Socket;
  readonly #pool: PduWriter[] = [];
  #immediate: NodeJS.Immediate | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** To be called after appending to `writer`. */
  added(): void {
    if (this.writer.length >= FLUSH_AT) this.flush();
    else this.#immediate ??= setImmediate(this.flush);
  }

  readonly flush = (): void => {
    if (this.#immediate !== undefined) {
      clearImmediate(this.#immediate);
      this.#immediate = undefined;
    }
    const full = this.writer;
    if (full.length === 0 || this.#socket.destroyed || !this.#socket.writable) return;
    this.writer = this.#pool.pop() ?? new PduWriter();
    this.batch++;
    this.#socket.write(full.view(), () => {
      full.length = 0;
      if (this.#pool.length < POOLED && full.buffer.length <= LARGEST_POOLED) this.#pool.push(full);
    });
  };

  /** Forgets what has not left. */
  discard(): void {
    if (this.#immediate !== undefined) clearImmediate(this.#immediate);
    this.#immediate = undefined;
    this.writer.length = 0;
  }

  /** Octets handed over to the socket that the peer has not taken. */
  get waiting(): number {
    return this.#socket.writableLength;
  }
}
