import type pg from 'pg';
import { textArray } from '#platform/database/array-literal';
import { rowsOf } from '#platform/database/queryable';
import type { Logger } from '#platform/log';
import type { Entry } from './write-units.ts';

/** Maximum numbers that wait to be noted; further ones are left out, and their prefix decides. */
const MOST_WAITING = 100_000;

/**
 * Notes the numbers of accepted messages for lookups, after their commit and outside their transaction: a message waits
 * neither for a lookup nor for its note.
 */
export class NotedNumbers {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  #waiting: string[] = [];
  #writing: Promise<void> | undefined;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Takes the numbers of messages for whose numbers services are asked. */
  add(entries: readonly Entry[]): void {
    for (const { program, judged } of entries)
      if (judged.facts.routing.ported_by !== null && !program.is_test && this.#waiting.length < MOST_WAITING)
        this.#waiting.push(judged.msisdn);
    if (this.#waiting.length > 0) this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Resolves when nothing is being written. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const numbers = this.#waiting;
      this.#waiting = [];
      await rowsOf(this.#pool, 'SELECT want_lookups($1::text[])', [textArray(numbers)]).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'could not note numbers for lookups'),
      );
    }
  }
}
