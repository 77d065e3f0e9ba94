import type pg from 'pg';

const PLACES = 1_024;

/**
 * Supply of ids that look like message ids but belong to no message. Programs get them before their message is written.
 */
export class MessageIds {
  readonly #pool: pg.Pool;
  #next = 0;
  #past = 0;
  #fetching: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reserves `count` new ids. Rejects if the database is away. */
  async take(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#next < this.#past) ids.push(this.#next++);
      else {
        this.#fetching ??= this.#fetch();
        await this.#fetching;
      }
    }
    return ids;
  }

  /** Reserves a chunk id that no chunk will have: it gives as many ids as a chunk has places. */
  async #fetch(): Promise<void> {
    try {
      const { rows } = await this.#pool.query<{ id: number }>('SELECT next_chunk_id() AS id');
      this.#next = rows[0]!.id * PLACES;
      this.#past = this.#next + PLACES;
    } finally {
      this.#fetching = undefined;
    }
  }
}
