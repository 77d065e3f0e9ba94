import { pause } from './http.ts';

/** A page as the API returns it. */
export interface Page<Item> {
  data: Item[];
  /** Cursor of the next page. */
  next_cursor: string | null;
  has_more: boolean;
}

/** Options for reading a list. */
export interface ReadOptions {
  /** `next_cursor` of the last page that was read; without it, reading starts at the beginning. */
  cursor?: string | undefined;
  /** Number of items per page. */
  limit?: number;
  signal?: AbortSignal;
}

/** Options for reading a list that grows. */
export interface FollowOptions extends ReadOptions {
  /** True waits at the end for new items, until the signal aborts. */
  follow?: boolean;
  /** Milliseconds between two checks for new items at the end; 1,000 by default. */
  everyMs?: number;
}

/** Items one by one. `pages()` returns pages instead: store a page's cursor when its items are processed. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #options: FollowOptions;

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>, options: FollowOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** Returns the pages that have items, in their order. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const { follow = false, everyMs = 1_000, signal } = this.#options;
    let { cursor } = this.#options;
    while (true) {
      const page = await this.#read(cursor);
      if (page.data.length > 0) yield page;
      cursor = page.next_cursor ?? cursor;
      if (page.has_more) continue;
      if (!follow) return;
      await pause(everyMs, signal);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }
}
