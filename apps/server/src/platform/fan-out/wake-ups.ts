import type pg from 'pg';
import type { Logger } from '../log.ts';
import { tell } from './tell.ts';

/** A subject is told of at most so often by a process: whoever wakes looks at all there is. */
const APART_MS = 50;

/**
 * Wakes whoever listens to a subject, for those who commit many times a second: the first is told at once, and what comes
 * while it is told, or shortly after, is told together. Nothing of it is part of their transactions: the commit of one
 * that tells by NOTIFY would wait for all the others.
 */
export class WakeUps {
  readonly #pool: pg.Pool;
  readonly #subject: string;
  readonly #log: Logger;
  #telling = false;
  #again = false;

  constructor(pool: pg.Pool, subject: string, log: Logger) {
    this.#pool = pool;
    this.#subject = subject;
    this.#log = log;
  }

  /** To be called once there is something to find. */
  wake(): void {
    this.#again = this.#telling;
    if (this.#telling) return;
    this.#telling = true;
    tell(this.#pool, this.#subject)
      .catch((error: unknown) => this.#log.debug({ err: error, subject: this.#subject }, 'nobody could be woken'))
      .finally(() => {
        setTimeout(() => {
          this.#telling = false;
          if (this.#again) this.wake();
        }, APART_MS).unref();
      });
  }
}
