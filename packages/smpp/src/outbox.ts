import type { Socket } from 'node:net';
import { PduWriter } from './wire.ts';

/** Octets at which a batch leaves immediately, so that a long loop of submits keeps the carrier busy. */
const FLUSH_AT = 65_536;
const POOLED = 4;
const LARGEST_POOLED = 131_072;
/** Maximum writes that the socket holds. Later PDUs are gathered in one buffer until the peer has taken a write. */
const MOST_WRITES = 4;

/**
 * Gathers all PDUs of one turn of the event loop into one socket write, and reuses buffers that the socket has finished
 * with.
 */
export class Outbox {
  writer = new PduWriter();
  /**
   * Number of the current batch. It grows by one with every socket write: a request with the current number has not
   * left.
   */
  batch = 1;
  /** Number of writes that the peer has taken. */
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

  /** Schedules a write; call it after appending to `writer`. */
  added(): void {
    if (this.writer.length >= FLUSH_AT) this.#flushInTurn();
    else this.#immediate ??= setImmediate(this.#flushInTurn);
  }

  readonly #flushInTurn = (): void => {
    if (this.batch - 1 - this.taken < MOST_WRITES) this.flush();
    else this.#forgetTurn();
  };

  /** Writes the gathered PDUs, however much the socket holds already. */
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

  /** Drops the PDUs that have not left. */
  discard(): void {
    this.#forgetTurn();
    this.writer.length = 0;
  }

  /** Octets that the peer has not taken. */
  get waiting(): number {
    return this.#socket.writableLength + this.writer.length;
  }
}
