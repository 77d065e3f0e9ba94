import { BusinessError } from '../errors.ts';
import { FairTurns } from '../structures/fair-turns.ts';

/** Owner of a file that is read: a corporation's id, or null for the platform. */
export type Tenant = number | null;

/** Seconds after which a caller who had too many files waiting may try again. */
const RETRY_AFTER_S = 10;

/** Gives the few places in which workbooks are read to the tenants in turn. */
export class WorkbookTurns {
  readonly #turns = new FairTurns<Tenant>();
  readonly #places: number;
  readonly #most: number;
  readonly #waiting: { tenant: Tenant; begin: () => void }[] = [];
  #taken = 0;

  /** At most `places` workbooks are read at the same time, and each tenant has at most `most` waiting. */
  constructor(places: number, most: number) {
    this.#places = places;
    this.#most = most;
  }

  /** Waits for a place; disposing of the answer gives it back. Throws `too_many_files` for a tenant with too many waiting. */
  async take(tenant: Tenant): Promise<Disposable> {
    if (this.#waiting.filter((each) => each.tenant === tenant).length >= this.#most)
      throw new BusinessError('too_many_files', { retryAfter: RETRY_AFTER_S });
    await new Promise<void>((begin) => {
      this.#waiting.push({ tenant, begin });
      this.#next();
    });
    return {
      [Symbol.dispose]: () => {
        this.#taken--;
        this.#next();
      },
    };
  }

  #next(): void {
    if (this.#taken >= this.#places || this.#waiting.length === 0) return;
    const [tenant] = this.#turns.order([...new Set(this.#waiting.map((each) => each.tenant))]);
    const at = this.#waiting.findIndex((each) => each.tenant === tenant);
    this.#turns.count(tenant!, 1);
    this.#taken++;
    this.#waiting.splice(at, 1)[0]!.begin();
  }
}
