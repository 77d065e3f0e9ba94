import type { Socket } from 'node:net';

/** Octets that a peer may leave unread before its requests are no longer read. */
const MOST_UNREAD = 1_048_576;

/**
 * Counter of the peer's requests that the application has not answered. Above its limit, or that of octets the peer has
 * not read, the socket is paused. So a peer costs a bounded amount of memory.
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

  /** Counts one answer that left. */
  answered(): void {
    if (this.count > 0) this.count--;
    if (this.isPaused) this.resumeIfFew();
  }

  /** Resumes reading at half the limits. */
  resumeIfFew(): void {
    if (!this.isPaused || this.count > this.#limit / 2 || this.#unread() > MOST_UNREAD / 2) return;
    this.isPaused = false;
    this.#socket.resume();
  }
}
