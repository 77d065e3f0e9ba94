import type pg from 'pg';
import type { FanOut, FanOutState, Hearing } from '../fan-out/fan-out.ts';
import { tell } from '../fan-out/tell.ts';
import type { Teller } from '../fan-out/transport.ts';
import { type Repeated, repeat } from './repeat.ts';

/** Subject that ends the rest of workers and SMPP servers. It is a hint: their looks are the guarantee behind it. */
export const WORK = 'work';
/** Interval in ms of looks for signs of work, while loops work and while they rest. */
const LOOK_MS = 1_000;
const LOOK_AT_REST_MS = 2_000;
/** Time in ms after the last sign of work when loops begin to rest. */
const REST_AFTER_MS = 3_000;
/** Interval in ms at which a resting loop works without a sign. */
const WORK_AT_REST_MS = 60_000;

/** SQL time until which due work is a sign of work now. It is later than the next look, so that nothing begins late. */
export const SOON = `now() + interval '${LOOK_AT_REST_MS + 500} ms'`;

/** Part of the one statement that looks for work. */
export interface Sign<Answer = unknown> {
  /** SQL expression; its values begin with $1. */
  readonly sql: string;
  readonly values?: () => readonly unknown[];
  /** Tells whether the answer means that there is work; without it, `true` does. */
  readonly isWork?: (answer: Answer) => boolean;
}

/** Notifies workers and SMPP servers, after the transaction has committed, that there may be work for their loops. */
export const tellWork = (db: Teller): Promise<void> => tell(db, WORK);

/**
 * Lets the loops of a process rest while there is nothing to do. One statement then looks for the signs of all work,
 * and the first one starts all loops again. A failed look counts as a sign: each loop handles errors of its own.
 */
export class WorkWatch {
  readonly #pool: Pick<pg.Pool, 'query'>;
  readonly #heard: () => FanOutState | undefined;
  readonly #signs: Sign[] = [];
  readonly #loops = new Set<Repeated>();
  #looking: Repeated | undefined;
  #hearing: Hearing | undefined;
  #restFrom = Number.POSITIVE_INFINITY;
  #wokeAt = Number.NEGATIVE_INFINITY;

  /** While wake-ups do not come, as `heard` answers, loops never rest. */
  constructor(pool: Pick<pg.Pool, 'query'>, heard: () => FanOutState | undefined = () => undefined) {
    this.#pool = pool;
    this.#heard = heard;
  }

  /** Adds a sign of work. Call it before `start`. */
  add<Answer>(sign: Sign<Answer>): void {
    this.#signs.push(sign as Sign);
  }

  /** Starts looking, and listening to `tellWork` if there is a fan-out; before that, loops never rest. */
  async start(fanOut?: FanOut): Promise<void> {
    this.#restFrom = performance.now() + REST_AFTER_MS;
    this.#looking = repeat(
      () => (this.isResting ? LOOK_AT_REST_MS : LOOK_MS),
      () => this.#look(),
      () => this.wake(),
    );
    this.#hearing = await fanOut?.subscribe(
      WORK,
      () => this.wake(),
      () => this.wake(),
    );
  }

  /** Whether loops rest now. */
  get isResting(): boolean {
    return performance.now() > this.#restFrom && this.#heard()?.connected !== false;
  }

  /** Time when the last rest ended (performance.now()): what was read before may be old. */
  get wokeAt(): number {
    return this.#wokeAt;
  }

  /** Ends the rest: all loops work now, and at their own intervals until there has been no sign for a while. */
  wake(): void {
    if (this.#looking === undefined) return;
    const rested = this.isResting;
    this.#restFrom = performance.now() + REST_AFTER_MS;
    if (!rested) return;
    this.#wokeAt = performance.now();
    for (const loop of this.#loops) loop.wake();
  }

  /** Repeats work as `repeat` does; at rest only once a minute. */
  repeat(everyMs: number | (() => number), work: () => Promise<void>, failed: (error: unknown) => void): Repeated {
    const usualMs = typeof everyMs === 'number' ? () => everyMs : everyMs;
    const loop = repeat(() => (this.isResting ? WORK_AT_REST_MS : usualMs()), work, failed);
    this.#loops.add(loop);
    return {
      wake: () => loop.wake(),
      stop: () => {
        this.#loops.delete(loop);
        return loop.stop();
      },
    };
  }

  async #look(): Promise<void> {
    const values: unknown[] = [];
    const parts = this.#signs.map(({ sql, values: own }, place) => {
      const before = values.length;
      values.push(...(own?.() ?? []));
      return `(${sql.replace(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`)}) AS "${place}"`;
    });
    // Prepared once a session: to plan it costs more than to run it.
    const query = { name: 'signs-of-work', text: `SELECT ${parts.join(', ')}`, values };
    const { rows } = await this.#pool.query<Record<string, unknown>>(query);
    const work = this.#signs.map(({ isWork }, place) => {
      const answer = rows[0]![place];
      return isWork ? isWork(answer) : answer === true;
    });
    if (work.includes(true)) this.wake();
  }

  async stop(): Promise<void> {
    await this.#hearing?.stop();
    await this.#looking?.stop();
  }
}

/** Repeats work as `repeat` does, and lets it rest with the loops of `watch` if there is one. */
export const repeatWhileWork = (
  watch: WorkWatch | undefined,
  ...loop: Parameters<typeof repeat>
): ReturnType<typeof repeat> => (watch ? watch.repeat(...loop) : repeat(...loop));
