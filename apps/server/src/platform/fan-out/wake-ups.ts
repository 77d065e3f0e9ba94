import type pg from 'pg';
import type { Logger } from '../log.ts';
import { tell, tellBehind } from './tell.ts';

/** Default of the least time in ms between two messages on one subject: a listener that wakes looks at all there is. */
const APART_MS = 50;

/**
 * Wakes the listeners of a subject for writers that commit many times a second. The first message is sent immediately.
 * Those that come while it is sent, or shortly after, are sent as one. It is no part of the writers' transactions: with
 * NOTIFY inside them, each commit would wait for all the others.
 */
export class WakeUps {
  readonly #pool: pg.Pool;
  readonly #subject: string;
  readonly #log: Logger;
  readonly #apartMs: number;
  #telling = false;
  /** Time when the last message was sent. */
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Pause before the message that was asked for; infinite if none was. */
  #wantedMs = Number.POSITIVE_INFINITY;

  constructor(pool: pg.Pool, subject: string, log: Logger, apartMs = APART_MS) {
    this.#pool = pool;
    this.#subject = subject;
    this.#log = log;
    this.#apartMs = apartMs;
  }

  /** Wakes the listeners; call it when there is something to find. The message waits until `apartMs` after the last one. */
  wake(apartMs = this.#apartMs): void {
    if (apartMs >= this.#wantedMs) return;
    this.#wantedMs = apartMs;
    if (!this.#telling) this.#plan();
  }

  /**
   * Wakes the listeners right behind the COMMIT that a session has sent, unless the last message is less than `apartMs` ago.
   * Answers undefined if it does not. Never rejects.
   */
  wakeBehind(session: pg.ClientBase, apartMs: number): Promise<void> | undefined {
    if (this.#toldAt + apartMs > performance.now()) return undefined;
    const told = tellBehind(session, this.#subject);
    if (told) this.#toldAt = performance.now();
    return told?.catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#log.debug({ err: error, subject: this.#subject }, 'could not publish wake-up');
  }

  #plan(): void {
    clearTimeout(this.#timer);
    const wait = this.#toldAt + this.#wantedMs - performance.now();
    if (wait <= 0) this.#tell();
    else this.#timer = setTimeout(() => this.#tell(), wait).unref();
  }

  #tell(): void {
    this.#telling = true;
    this.#wantedMs = Number.POSITIVE_INFINITY;
    tell(this.#pool, this.#subject)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#telling = false;
        this.#toldAt = performance.now();
        if (this.#wantedMs < Number.POSITIVE_INFINITY) this.#plan();
      });
  }
}
