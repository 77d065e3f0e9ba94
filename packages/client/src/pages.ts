import { pause } from './http.ts';

/** A page as the API answers it. */
export interface Page<Item> {
  data: Item[];
  /** Where the next page begins. */
  next_cursor: string | null;
  has_more: boolean;
}

/** How a list is read. */
export interface ReadOptions {
  /** `next_cursor` of the last page that was read; left out, from the beginning. */
  cursor?: string | undefined;
  /** Items a page. */
  limit?: number;
  signal?: AbortSignal;
}

/** How a list is read that goes on. */
export interface FollowOptions extends ReadOptions {
  /** Waits for more at the end, until the signal ends it. */
  follow?: boolean;
  /** Milliseconds between two looks at the end; 1,000. */
  everyMs?: number;
}

/** Items one by one; `pages()` has them by pages, each with the cursor to keep once its items are dealt with. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>;
  readonly #options: FollowOptions;

  constructor(read: (cursor: string | undefined) => Promise<Page<Item>>, options: FollowOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** Pages that hold something, in their order. */
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
