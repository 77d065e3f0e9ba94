import type pg from 'pg';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork, type WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { TokenBucket } from '#platform/structures/token-bucket';
import type { ChunkContext } from '../segment.ts';
import { shareAllowances } from './share-allowances.ts';

const READ_EVERY_MS = 1_000;
/** Time in ms after which limits that are being read are probably known. */
const READ_SOON_MS = 5;
/** Maximum that may leave together after a silence, as a share of a second's allowance. */
const BURST = 0.1;

/** Share of the remaining time that a spread campaign uses, so that its last message is not late. */
const BEFORE_THE_END = 0.98;

// The pace of a spread campaign follows from its remaining messages and time, so that no pause makes it late.
const READ_LIMITS = `
  SELECT 'console:' || id AS key, throughput AS rate FROM corporation WHERE throughput IS NOT NULL
  UNION ALL SELECT 'api:' || id, api_throughput FROM corporation WHERE api_throughput IS NOT NULL
  UNION ALL SELECT 'sender:' || corporation_id || ':' || sender_id, throughput FROM sender_id WHERE throughput IS NOT NULL
  UNION ALL SELECT 'campaign:' || c.id, greatest(c.total_count - n.processed, 1)
      / greatest(1, extract(epoch FROM c.spread_until - now())::float8 * ${BEFORE_THE_END})
    FROM running_campaigns() r JOIN campaign c ON c.id = r.campaign_id
    JOIN campaign_counter n ON n.campaign_id = c.id
    WHERE c.state = 'running' AND c.spread_until IS NOT NULL`;

/** Answers the keys of the allowances that a chunk's messages use. */
const keysOf = ({ channel, corporation_id, sender_id, campaign_id }: ChunkContext): string[] => [
  `${channel}:${corporation_id}`,
  `sender:${corporation_id}:${sender_id}`,
  `campaign:${campaign_id}`,
];

/** Allowance of a key in this process. */
class Allowance extends TokenBucket {
  /** True if its messages have waited or left since the last report. */
  wanted = false;
}

/**
 * Limits of corporations and sender IDs in messages per second, over all links of this process. In any period at most
 * the process's share of the rate leaves, plus a tenth of a second's worth. A corporation without a limit costs one
 * look-up for each slice.
 */
export class Throughput {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Allowance>();
  #ofChunk = new WeakMap<ChunkContext, readonly Allowance[]>();
  /** Whether the limits are older than a rest, in which they may have changed: nothing leaves before they are read. */
  isOutdated = () => false;

  /** `now` answers milliseconds on a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Answers the keys that messages have used since the last call. */
  takeWanted(): string[] {
    const wanted = [...this.#buckets].filter(([, bucket]) => bucket.wanted);
    for (const [, bucket] of wanted) bucket.wanted = false;
    return wanted.map(([key]) => key);
  }

  /** Sets the limits, by key; `sharers` answers how many processes share one. */
  set(limits: ReadonlyMap<string, number>, sharers: (key: string) => number = () => 1): void {
    let others = false;
    for (const key of this.#buckets.keys()) others = (!limits.has(key) && this.#buckets.delete(key)) || others;
    for (const [key, all] of limits) {
      const rate = all / sharers(key);
      const bucket = this.#buckets.get(key);
      if (bucket) bucket.set(rate, burst(rate), this.#now());
      else {
        this.#buckets.set(key, new Allowance(rate, burst(rate), this.#now()));
        others = true;
      }
    }
    if (others) this.#ofChunk = new WeakMap();
  }

  /**
   * Answers whether the pace of a spread campaign is not read yet; nothing leaves before, or much of it would be gone
   * by then.
   */
  #isUnread({ spread, campaign_id }: ChunkContext): boolean {
    return spread && !this.#buckets.has(`campaign:${campaign_id}`);
  }

  #of(chunk: ChunkContext): readonly Allowance[] {
    let buckets = this.#ofChunk.get(chunk);
    if (!buckets) {
      buckets = keysOf(chunk).flatMap((key) => this.#buckets.get(key) ?? []);
      this.#ofChunk.set(chunk, buckets);
    }
    return buckets;
  }

  /** Answers how many messages of a chunk may leave now. */
  room(chunk: ChunkContext): number {
    if (this.isOutdated() || this.#isUnread(chunk)) return 0;
    const now = this.#now();
    let room = Number.POSITIVE_INFINITY;
    for (const bucket of this.#of(chunk)) {
      bucket.wanted = true;
      room = Math.min(room, Math.floor(bucket.fill(now)));
    }
    return Math.max(0, room);
  }

  /** Answers the milliseconds until `room` is probably more than 0. */
  waitMs(chunk: ChunkContext): number {
    if (this.isOutdated()) return READ_SOON_MS;
    if (this.#isUnread(chunk)) return READ_EVERY_MS / 4;
    return Math.max(0, ...this.#of(chunk).map(({ waitMs }) => waitMs));
  }

  take(chunk: ChunkContext, messages: number): void {
    for (const bucket of this.#of(chunk)) bucket.take(messages);
  }

  /** Returns messages that were taken but did not leave. */
  giveBack(chunk: ChunkContext, messages: number): void {
    for (const bucket of this.#of(chunk)) bucket.take(-messages);
  }
}

const burst = (rate: number) => Math.max(1, rate * BURST);

/**
 * Reads the limits every second, so that a change takes effect within two; senders share them. While `watch` rests, they
 * are not read, and outdated.
 */
export async function keepLimits(
  throughput: Throughput,
  pool: pg.Pool,
  holder: string,
  log: Logger,
  watch?: WorkWatch,
): Promise<Repeated> {
  let readAt = 0;
  const read = async () => {
    const began = performance.now();
    const { rows } = await pool.query<{ key: string; rate: number }>(READ_LIMITS);
    const sharers = await shareAllowances(pool, holder, throughput.takeWanted());
    throughput.set(new Map(rows.map(({ key, rate }) => [key, rate])), sharers);
    readAt = began;
  };
  if (watch) throughput.isOutdated = () => readAt < watch.wokeAt;
  await read();
  return repeatWhileWork(watch, READ_EVERY_MS, read, (error) =>
    log.warn({ err: error }, 'could not reload limits; keeping previous'),
  );
}
