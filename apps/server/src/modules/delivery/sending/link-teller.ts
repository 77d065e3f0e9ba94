import type pg from 'pg';
import { type ToldLink, tellLinks } from './link-states.ts';

const TELL_EVERY_MS = 2_000;
/** Whoever asks looks about so often: a word is not put off to the next look for a moment. */
const EARLY_MS = 50;
/** A word that has not changed is repeated, or its readers would take the holder for dead. */
const REPEAT_MS = 5_000;

/** A sender of a link, as whoever tells of it needs it. */
interface Telling {
  sender: { readonly told: Omit<ToldLink, 'id'> };
}

/** Tells how the links of one holder are: seldom, and what is new or was said long ago. */
export class LinkTeller {
  readonly #pool: pg.Pool;
  readonly #holder: string;
  /** What was last told of a link by its sender, and when. */
  readonly #told = new WeakMap<Telling['sender'], { text: string; at: number }>();
  #tellAt = 0;

  constructor(pool: pg.Pool, holder: string) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** Tells of the links, where it is time to. */
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
