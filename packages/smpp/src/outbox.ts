import type { Socket } from 'node:net';
import { PduWriter } from './wire.ts';

/** A batch this large leaves at once, so that a long loop of submits keeps the carrier busy. */
const FLUSH_AT = 65_536;
const POOLED = 4;
const LARGEST_POOLED = 131_072;
/** Writes that the socket holds at once; what follows is gathered in one buffer until the peer takes one of them. */
const MOST_WRITES = 4;

/** Gathers all PDUs of one turn of the event loop into one socket write, reusing buffers the socket is done with. */
export class Outbox {
  writer = new PduWriter();
  /** Grows by one with every socket write: a request stamped with the current number has not left yet. */
  batch = 1;
  /** Writes that the peer has taken. */
  taken = 0;
  readonly #socket: Socket;
  readonly #onTaken: () => void;
  readonly #pool: PduWriter[] = [];
  #immediate: NodeJS.Immediate | undefined;

  /** `onTaken` is called each time the peer has taken a write. */
  constructor(socket: Socket, onTaken: () => void) {
    this.#socket = socket;
    this.#onTaken = onTaken;
  }

  /** To be called after appending to `writer`. */
  added(): void {
    if (this.writer.length >= FLUSH_AT) this.#flushInTurn();
    else this.#immediate ??= setImmediate(this.#flushInTurn);
  }

  readonly #flushInTurn = (): void => {
    if (this.batch - 1 - this.taken < MOST_WRITES) this.flush();
    else this.#forgetTurn();
  };

  /** Writes what was gathered, however much the socket holds already. */
  flush(): void {
    this.#forgetTurn();
    const full = this.writer;
    if (full.length === 0 || this.#socket.destroyed || !this.#socket.writable) return;
    this.writer = this.#pool.pop() ?? new PduWriter();
    this.batch++;
    this.#socket.write(full.view(), () => {
      this.taken++;
      full.length = 0;
      if (this.#pool.length < POOLED && full.buffer.length <= LARGEST_POOLED) this.#pool.push(full);
      if (this.#immediate === undefined && this.writer.length > 0) this.#flushInTurn();
      this.#onTaken();
    });
  }

  #forgetTurn(): void {
    if (this.#immediate === undefined) return;
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
  }

  /** Forgets what has not left. */
  discard(): void {
    this.#forgetTurn();
    this.writer.length = 0;
  }

  /** Octets that the peer has not taken. */
  get waiting(): number {
    return this.#socket.writableLength + this.writer.length;
  }
}
