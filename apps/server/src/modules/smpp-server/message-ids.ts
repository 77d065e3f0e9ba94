import type pg from 'pg';

const PLACES = 1_024;

/** Ids of the same kind as messages have, and of none: what a program is told before its message is written. */
export class MessageIds {
  readonly #pool: pg.Pool;
  #next = 0;
  #past = 0;
  #fetching: Promise<void> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** So many new ids. Rejects where the database is away. */
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

  /** A chunk's id that no chunk will have gives ids for as many messages as a chunk has places. */
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
