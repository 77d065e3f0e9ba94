import { addressGroup } from './address-group.ts';
import { BusinessError } from './errors.ts';

/** A browser signs in or subscribes within a second or two. */
const WAIT_MS = 30_000;
/** Browsers of an office that come back in one moment, after a restart. */
const MOST_OF_ADDRESS = 500;

/** Bounds the sockets of live events that have shown no session yet, by their address and in time. */
export class WaitingSockets {
  readonly #count = new Map<string, number>();
  readonly #waitMs: number;

  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** Throws `too_many_requests` if the maximum number of sockets of an address waits. */
  require(ip: string): void {
    if ((this.#count.get(addressGroup(ip)) ?? 0) < MOST_OF_ADDRESS) return;
    const seconds = this.#waitMs / 1_000;
    throw new BusinessError('too_many_requests', {
      retryAfter: seconds,
      allowance: { name: 'sockets', limit: MOST_OF_ADDRESS, seconds },
    });
  }

  /** Counts a socket that waits, and calls `late` once it has waited too long. The answered function ends the wait. */
  begin(ip: string, late: () => void): () => void {
    const address = addressGroup(ip);
    this.#count.set(address, (this.#count.get(address) ?? 0) + 1);
    const timer = setTimeout(late, this.#waitMs);
    let waits = true;
    return () => {
      if (!waits) return;
      waits = false;
      clearTimeout(timer);
      const left = this.#count.get(address)! - 1;
      if (left > 0) this.#count.set(address, left);
      else this.#count.delete(address);
    };
  }
}
