import { randomBytes } from 'node:crypto';
import { SANDBOX_LIMITS } from '@heliograph/contract/sandbox/limits';
import type pg from 'pg';
import type { FanOut, Hearing } from '#platform/fan-out/fan-out';
import { tell } from '#platform/fan-out/tell';
import type { Logger } from '#platform/log';
import { type Allowance, ApiThroughput } from './api-throughput.ts';

const SUBJECT = 'api_throughput';
/** Interval between reports of a process to the others. Their figures are this old at most. */
const TELL_MS = 100;
/** Corporations in one report. It keeps the report below the size limit of NOTIFY. */
const MOST_TOLD = 250;

/** Messages that a process let in since its last report, by corporation. */
interface Told {
  by: string;
  spent: [corporation_id: number, messages: number][];
}

/**
 * Throughput of corporations over all processes that share the fan-out. Each process has the whole allowance, and
 * deducts the messages that the others report. Over any few seconds the total is correct; in the first moment of a
 * burst it may be higher. Without the fan-out each process counts separately.
 */
export class SharedThroughput {
  readonly #own = new ApiThroughput();
  /** Messages of test keys, which each process counts separately. */
  readonly #tests = new ApiThroughput();
  readonly #name = randomBytes(6).toString('hex');
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  #spent = new Map<number, number>();
  #hearing: Promise<Hearing | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #rateOf: (corporation_id: number) => number | null = () => null;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /**
   * Takes the messages of a call from the allowance. A `rate` of null means no limit. Throws `too_many_requests` with
   * the seconds to wait. Messages of test keys have a limit of their own besides.
   */
  take(corporation_id: number, rate: number | null, messages: number, is_test = false): Allowance | null {
    if (is_test) this.#tests.take(corporation_id, SANDBOX_LIMITS.rate, messages);
    const allowance = this.#own.take(corporation_id, rate, messages);
    if (allowance && this.#hearing) {
      this.#spent.set(corporation_id, (this.#spent.get(corporation_id) ?? 0) + messages);
      this.#timer ??= setTimeout(() => this.#tell(), TELL_MS);
    }
    return allowance;
  }

  /** Shares with the processes on the same fan-out. `rateOf` returns the limit of a corporation; null means none. */
  share(fanOut: FanOut, rateOf: (corporation_id: number) => number | null): void {
    this.#rateOf = rateOf;
    this.#hearing ??= fanOut
      .subscribe(SUBJECT, (payload) => this.#hear(payload))
      .catch((error: unknown) => {
        this.#log.warn({ err: error }, 'could not share throughput of corporations; counted by this process only');
        return undefined;
      });
  }

  #tell(): void {
    this.#timer = undefined;
    const spent = [...this.#spent];
    this.#spent = new Map();
    for (let from = 0; from < spent.length; from += MOST_TOLD) {
      const told: Told = { by: this.#name, spent: spent.slice(from, from + MOST_TOLD) };
      tell(this.#pool, SUBJECT, JSON.stringify(told)).catch((error: unknown) =>
        this.#log.debug({ err: error }, 'could not publish accepted messages'),
      );
    }
  }

  #hear(payload: string): void {
    if (payload === '') return;
    const { by, spent } = JSON.parse(payload) as Told;
    if (by === this.#name) return;
    for (const [corporation_id, messages] of spent)
      this.#own.spend(corporation_id, this.#rateOf(corporation_id), messages);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    const hearing = await this.#hearing;
    await hearing?.stop();
  }
}
