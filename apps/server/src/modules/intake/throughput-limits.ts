import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import type { Logger } from '#platform/log';
import { unavailable } from '#platform/outage';
import { KeptValue } from '#platform/structures/kept-value';

const GOOD_FOR_MS = 1_000;

/** Limits of what corporations hand in each second, read again every second while they are asked for. */
export class ThroughputLimits {
  readonly #db: Kysely<Database>;
  readonly #log: Logger;
  readonly #kept = new KeptValue(() => this.#read(), GOOD_FOR_MS);
  #limits: ReadonlyMap<number, number> | undefined;

  /** `db` has sessions of the role `intake`. */
  constructor(db: Kysely<Database>, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Returns the limit of a corporation in messages a second, as it was read last; null for none. */
  of(corporationId: number): number | null {
    return this.#limits?.get(corporationId) ?? null;
  }

  /**
   * Returns the reading that must be awaited; undefined if the limits are of the last second. Without the wait, the first burst
   * after a pause could pass by an old limit that was lowered meanwhile. Rejects only if they were never read.
   */
  reading(): Promise<unknown> | undefined {
    const limits = this.#kept.get();
    return limits instanceof Promise ? limits : undefined;
  }

  async #read(): Promise<ReadonlyMap<number, number>> {
    try {
      const rows = await this.#db
        .selectFrom('corporation')
        .select(['id', 'api_throughput'])
        .where('api_throughput', 'is not', null)
        .execute();
      this.#limits = new Map(rows.map(({ id, api_throughput }) => [id, api_throughput!]));
    } catch (error) {
      if (!this.#limits) throw unavailable(error);
      this.#log.warn({ err: error }, 'could not reload limits of corporations; keeping previous');
    }
    return this.#limits;
  }
}
