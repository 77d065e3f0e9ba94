/**
 * Reads up to `ahead` items from a source before they are needed, in order. Closes the source when the reader stops.
 */
export async function* readAhead<Item>(source: AsyncGenerator<Item>, ahead: number): AsyncGenerator<Item> {
  const waiting: Promise<IteratorResult<Item>>[] = [];
  const ask = () => {
    const next = source.next();
    // The error is thrown where the promise is awaited.
    next.catch(() => undefined);
    waiting.push(next);
  };
  try {
    for (let i = 0; i <= ahead; i++) ask();
    for (;;) {
      const { done, value } = await waiting.shift()!;
      if (done) return;
      ask();
      yield value;
    }
  } finally {
    await source.return(undefined).catch(() => undefined);
  }
}

/** Allows a few writes to be under way while more data is made for them. Throws the first failure. */
export class WriteAhead {
  readonly #most: number;
  readonly #underWay: Promise<void>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds writes that were begun. If enough are under way, returns a promise that must be awaited before more begin. */
  after(...begun: (Promise<void> | undefined)[]): Promise<void> | undefined {
    for (const each of begun) {
      if (!each) continue;
      // The error is thrown where the promise is awaited.
      each.catch(() => undefined);
      this.#underWay.push(each);
    }
    return this.#underWay.length > this.#most ? this.#underWay.shift() : undefined;
  }

  /** Waits for all writes; throws the first failure. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Waits until no write is under way, whatever the results are. The transaction must not end earlier. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}
