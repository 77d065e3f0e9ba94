import { BusinessError } from '#platform/errors';
import { addressGroup } from '#platform/http/address-group';

const FAILURES = 60;
const WINDOW_MS = 60_000;
const ADDRESSES = 10_000;

/** Failed sign-ins by address within this process: a limit on trying one password with many names. */
export class AddressLimit {
  readonly #failures = new Map<string, { count: number; since: number }>();

  /** Throws `too_many_requests` if an address has failed 60 times within a minute. */
  check(ip: string, now: Date): void {
    const entry = this.#failures.get(addressGroup(ip));
    if (!entry || entry.count < FAILURES) return;
    const left = entry.since + WINDOW_MS - now.getTime();
    if (left > 0) throw new BusinessError('too_many_requests', { retryAfter: Math.ceil(left / 1000) });
  }

  /** Counts a failure; the address that failed first is forgotten once there are too many to remember. */
  count(ip: string, now: Date): void {
    const address = addressGroup(ip);
    const entry = this.#failures.get(address);
    if (entry && now.getTime() - entry.since < WINDOW_MS) {
      entry.count++;
      return;
    }
    this.#failures.delete(address);
    this.#failures.set(address, { count: 1, since: now.getTime() });
    if (this.#failures.size > ADDRESSES) this.#failures.delete(this.#failures.keys().next().value!);
  }
}

export const addressLimit = new AddressLimit();
