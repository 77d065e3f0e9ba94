import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Logger } from '#platform/log';
import { unavailable } from '#platform/outage';

const GOOD_FOR_MS = 1_000;

/** Limits of what corporations hand in each second, read again every second while they are asked for. */
export class ThroughputLimits {
  readonly #db: Kysely<Database>;
  readonly #log: Logger;
  #limits = new Map<number, number>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  /** `db` has sessions of the role `intake`. */
  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Returns the limit of a corporation in messages a second; null for none. */
  of(corporationId: number): number | null {
    return this.#limits.get(corporationId) ?? null;
  }

  /**
   * Returns the reading that must be awaited; undefined if the limits are of the last second. Without the wait, the first burst
   * after a pause could pass by an old limit that was lowered meanwhile. Rejects only if they were never read.
   */
  reading(): Promise<void> | undefined {
    if (performance.now() - this.#readAt <= GOOD_FOR_MS) return undefined;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const rows = await this.#db
        .selectFrom('corporation')
        .select(['id', 'api_throughput'])
        .where('api_throughput', 'is not', null)
        .execute();
      this.#limits = new Map(rows.map(({ id, api_throughput }) => [id, api_throughput!]));
      this.#readAt = performance.now();
    } catch (error) {
      if (this.#readAt === Number.NEGATIVE_INFINITY) throw unavailable(error);
      this.#log.warn({ err: error }, 'could not reload limits of corporations; keeping previous');
    }
  }
}
