import type { Socket } from 'node:net';

/** Octets that a peer may leave unread before its requests are read no further. */
const MOST_UNREAD = 1_048_576;

/**
 * Requests of the peer that the application has not answered, and answers that the peer has not read; above the limit of
 * either the socket is read no further, so that a peer costs a bounded amount of memory.
 */
export class OwedAnswers {
  count = 0;
  isPaused = false;
  readonly #socket: Socket;
  readonly #limit: number;
  readonly #unread: () => number;

  /** `unread` returns the octets that the peer has not taken. */
  constructor(socket: Socket, limit: number, unread: () => number) {
    this.#socket = socket;
    this.#limit = limit;
    this.#unread = unread;
  }

  pauseIfMany(): void {
    if (this.isPaused || (this.count <= this.#limit && this.#unread() <= MOST_UNREAD)) return;
    this.isPaused = true;
    this.#socket.pause();
  }

  /** One answer left. */
  answered(): void {
    if (this.count > 0) this.count--;
    if (this.isPaused) this.resumeIfFew();
  }

  /** Reading goes on at half the limits. */
  resumeIfFew(): void {
    if (!this.isPaused || this.count > this.#limit / 2 || this.#unread() > MOST_UNREAD / 2) return;
    this.isPaused = false;
    this.#socket.resume();
  }
}
