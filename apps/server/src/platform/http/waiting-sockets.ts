import { BusinessError } from '../errors.ts';
import { addressGroup } from './address-group.ts';

/** Maximum time in ms without a session: a browser signs in or subscribes within a second or two. */
const WAIT_MS = 30_000;
/**
 * Maximum sockets without a session of one address: browsers of an office may come back in one moment, after a restart.
 */
const MOST_OF_ADDRESS = 500;

/** Limits the sockets of live events without a session yet, by their address and in time. */
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

  /** Counts a socket that waits, and calls `late` once it has waited too long. The returned function ends the wait. */
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
