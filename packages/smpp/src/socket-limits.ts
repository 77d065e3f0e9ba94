import type { Socket } from 'node:net';

/** Open sockets of a process, in all and by address. Servers on several ports may share one, so that its limits hold for all. */
export class SocketLimits {
  readonly #most: number;
  readonly #mostOfAddress: number;
  readonly #perAddress = new Map<string, number>();
  #sockets = 0;

  /** `most` open sockets, `mostOfAddress` from one address. */
  constructor(most: number, mostOfAddress: number) {
    this.#most = most;
    this.#mostOfAddress = mostOfAddress;
  }

  /** Counts a socket until it is closed; false if the limit of all is reached. */
  take(socket: Socket): boolean {
    if (this.#sockets >= this.#most) return false;
    this.#sockets++;
    socket.once('close', () => this.#sockets--);
    return true;
  }

  /** Counts a socket as one of an address until it is closed; false if the address has its maximum. */
  takeFrom(address: string, socket: Socket): boolean {
    const count = (this.#perAddress.get(address) ?? 0) + 1;
    if (count > this.#mostOfAddress) return false;
    this.#perAddress.set(address, count);
    socket.once('close', () => {
      const left = this.#perAddress.get(address)! - 1;
      if (left > 0) this.#perAddress.set(address, left);
      else this.#perAddress.delete(address);
    });
    return true;
  }
}
