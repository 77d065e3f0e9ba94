import type pg from 'pg';
import { type ToldLink, tellLinks } from './link-states.ts';

const TELL_EVERY_MS = 2_000;
/**
 * Tolerance of the interval, because the caller's looks are not exact: a report that is almost due does not wait for
 * the next look.
 */
const EARLY_MS = 50;
/** Interval at which an unchanged state is repeated, or its readers would take the holder for dead. */
const REPEAT_MS = 5_000;

/** A sender of a link, as the teller uses it. */
interface Telling {
  sender: { readonly told: Omit<ToldLink, 'id'> };
}

/**
 * Reporter of the states of one holder's links: at most every two seconds, and only those that are new or were reported
 * long ago.
 */
export class LinkTeller {
  readonly #pool: pg.Pool;
  readonly #holder: string;
  /** Last report of each link, by its sender, and its time. */
  readonly #told = new WeakMap<Telling['sender'], { text: string; at: number }>();
  #tellAt = 0;

  constructor(pool: pg.Pool, holder: string) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** Reports the links if it is time. */
  async tell(held: ReadonlyMap<number, Telling>): Promise<void> {
    const now = performance.now();
    if (now < this.#tellAt) return;
    this.#tellAt = now + TELL_EVERY_MS - EARLY_MS;
    const due = [...held].flatMap(([id, { sender }]) => {
      const link = { id, ...sender.told };
      const text = JSON.stringify(link);
      const last = this.#told.get(sender);
      if (text === last?.text && now - last.at < REPEAT_MS) return [];
      this.#told.set(sender, { text, at: now });
      return [link];
    });
    await tellLinks(this.#pool, this.#holder, due);
  }
}
