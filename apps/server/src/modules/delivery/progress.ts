import type pg from 'pg';
import type { Logger } from '#platform/log';
import { emit } from '#platform/realtime/realtime';

const EVERY_MS = 500;
/** Maximum share of time for reading the figures, so that many waiting retries do not slow the sender down. */
const BUSY_SHARE = 0.1;

const FIGURES = {
  name: 'campaign-progress',
  text: `
    SELECT campaign_id AS id, processed, waiting, submitted, delivered, failed, expired, blocked, cancelled
    FROM campaign_figure WHERE campaign_id = ANY ($1::bigint[])`,
};

/** Sends the progress of campaigns to the screens, each at most every 500 ms. */
export class Progress {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #news = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Notes the campaigns with new figures, after the transaction has committed. */
  note(campaigns: readonly number[]): void {
    for (const id of campaigns) this.#news.add(id);
    if (this.#news.size > 0) this.#timer ??= setTimeout(() => void this.#tell(), EVERY_MS);
  }

  async #tell(): Promise<void> {
    const ids = [...this.#news];
    this.#news.clear();
    const started = performance.now();
    try {
      const { rows } =
        ids.length > 0 ? await this.#pool.query<{ id: number }>({ ...FIGURES, values: [ids] }) : { rows: [] };
      for (const row of rows) await emit(this.#pool, `private-campaign.${row.id}`, 'campaign.progress', row);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not publish campaign progress');
    }
    const pause = Math.max(EVERY_MS, (performance.now() - started) / BUSY_SHARE);
    this.#timer = this.#news.size > 0 ? setTimeout(() => void this.#tell(), pause) : undefined;
  }

  /** Sends the last changes now. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#tell();
    clearTimeout(this.#timer);
  }
}
