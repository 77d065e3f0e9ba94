import type { Socket } from 'node:net';

/** Requests of the peer that the application has not answered; above the limit the socket is read no further. */
export class OwedAnswers {
  count = 0;
  paused = false;
  readonly #socket: Socket;
  readonly #limit: number;

  constructor(socket: Socket, limit: number) {
    this.#socket = socket;
    this.#limit = limit;
  }

  pauseIfMany(): void {
    if (this.paused || this.count <= this.#limit) return;
    this.paused = true;
    this.#socket.pause();
  }

  /** One answer left; reading goes on at half the limit. */
  answered(): void {
    if (this.count > 0) this.count--;
    if (!this.paused || this.count > this.#limit / 2) return;
    this.paused = false;
    this.#socket.resume();
  }
}
