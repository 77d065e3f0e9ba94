/** Takes up to `ahead` items from a source before they are asked for, in order; closes it when nobody asks any more. */
export async function* readAhead<Item>(source: AsyncGenerator<Item>, ahead: number): AsyncGenerator<Item> {
  const waiting: Promise<IteratorResult<Item>>[] = [];
  const ask = () => {
    const next = source.next();
    // Thrown where it is awaited.
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

/** Lets a few writes be under way while more is made for them; the first that fails is thrown. */
export class WriteAhead {
  readonly #most: number;
  readonly #underWay: Promise<void>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds what was begun. Answers a promise, to be awaited before more is begun, where enough is under way. */
  after(...begun: (Promise<void> | undefined)[]): Promise<void> | undefined {
    for (const each of begun) {
      if (!each) continue;
      // Thrown where it is awaited.
      each.catch(() => undefined);
      this.#underWay.push(each);
    }
    return this.#underWay.length > this.#most ? this.#underWay.shift() : undefined;
  }

  /** Waits for all; throws the first failure. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Waits until nothing is under way any more, whatever became of it: a transaction must not end before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }
}
