import type pg from 'pg';
import { type MinutesOf, storeMinutes } from './link-minutes.ts';
import { type LinkStanding, publishLinks } from './link-states.ts';

const PUBLISH_EVERY_MS = 2_000;
/**
 * Tolerance of the interval, because the caller's looks are not exact: a report that is almost due does not wait for
 * the next look.
 */
const EARLY_MS = 50;
/** Interval at which an unchanged state is repeated, or its readers would take the holder for dead. */
const REPEAT_MS = 5_000;

/** A sender of a link, as its status is read. */
interface Reported {
  sender: { readonly told: Omit<LinkStanding, 'id'>; readonly minutes: MinutesOf['minutes'] };
}

/**
 * Publisher of the states of one holder's links: at most every two seconds, and only those that are new or were reported
 * long ago.
 */
export class LinkStatus {
  readonly #pool: pg.Pool;
  readonly #holder: string;
  /** Last report of each link, by its sender, and its time. */
  readonly #told = new WeakMap<Reported['sender'], { text: string; at: number }>();
  #publishAt = 0;

  constructor(pool: pg.Pool, holder: string) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** Reports the links if it is time. */
  async publish(held: ReadonlyMap<number, Reported>): Promise<void> {
    const now = performance.now();
    if (now < this.#publishAt) return;
    this.#publishAt = now + PUBLISH_EVERY_MS - EARLY_MS;
    const news: LinkStanding[] = [];
    const due = [...held].flatMap(([id, { sender }]) => {
      const link = { id, ...sender.told };
      const text = JSON.stringify(link);
      const last = this.#told.get(sender);
      if (text === last?.text && now - last.at < REPEAT_MS) return [];
      this.#told.set(sender, { text, at: now });
      if (text !== last?.text) news.push(link);
      return [link];
    });
    await publishLinks(this.#pool, this.#holder, due, { news });
    await storeMinutes(
      this.#pool,
      [...held].map(([id, { sender }]) => ({ id, minutes: sender.minutes })),
    );
  }
}
