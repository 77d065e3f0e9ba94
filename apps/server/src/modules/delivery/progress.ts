import type pg from 'pg';
import type { Logger } from '#platform/log';
import { emit } from '#platform/realtime';
import type { CampaignCounters } from './outcomes/apply-deltas.ts';

const EVERY_MS = 500;

/** Tells the screens how campaigns get on, each at most every 500 ms. */
export class Progress {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #news = new Map<number, CampaignCounters>();
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Counters as a transaction left them; they only grow, so the largest of several are the newest. */
  note(counters: readonly CampaignCounters[]): void {
    for (const each of counters) {
      const known = this.#news.get(each.campaign_id);
      this.#news.set(each.campaign_id, known ? newest(known, each) : each);
    }
    this.#timer ??= setTimeout(() => void this.#tell(), EVERY_MS);
  }

  async #tell(): Promise<void> {
    const news = [...this.#news.values()];
    this.#news.clear();
    for (const { campaign_id: id, ...counters } of news) {
      await emit(this.#pool, `private-campaign.${id}`, 'campaign.progress', { id, ...counters }).catch((error) =>
        this.#log.warn({ err: error }, 'progress could not be told'),
      );
    }
    this.#timer = this.#news.size > 0 ? setTimeout(() => void this.#tell(), EVERY_MS) : undefined;
  }

  /** Tells the last news at once. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#tell();
    clearTimeout(this.#timer);
  }
}

function newest(a: CampaignCounters, b: CampaignCounters): CampaignCounters {
  const { campaign_id } = a;
  const larger = (field: Exclude<keyof CampaignCounters, 'campaign_id'>) => Math.max(a[field], b[field]);
  return {
    campaign_id,
    processed: larger('processed'),
    submitted: larger('submitted'),
    delivered: larger('delivered'),
    failed: larger('failed'),
    expired: larger('expired'),
    cancelled: larger('cancelled'),
  };
}
