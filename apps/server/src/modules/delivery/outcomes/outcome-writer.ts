import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRefused } from '#platform/database/transient-error';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import { traced } from '#platform/operate/tracing';
import type { PostgresSession } from '../postgres-session.ts';
import type { Attempt } from './attempt.ts';
import { type Entry, octetsOf } from './entry.ts';
import { recordBatch } from './record-batch.ts';

const BATCH = 4_000;
/** Number of waiting entries at which the sender must stop taking more. */
const FULL = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Recorder of events on the links. One writer takes all waiting entries, up to a bound, and commits them: batches grow
 * under load and shrink to one when idle. A second writer would wait for the same chunks and pages.
 */
export class OutcomeWriter {
  readonly #session: PostgresSession;
  readonly #log: Logger;
  readonly #onProgress: (campaigns: readonly number[]) => void;
  readonly #run = randomUUID();
  #batches = 0;
  #waiting: Entry[] = [];
  #busy = false;
  #scheduled = false;
  #idleWaiters: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #unrecorded = new Map<number, number>();

  constructor(session: PostgresSession, log: Logger, onProgress: (campaigns: readonly number[]) => void) {
    this.#session = session;
    this.#log = log;
    this.#onProgress = onProgress;
  }

  /** Whether so many entries wait that no new messages should be sent. */
  get full(): boolean {
    return this.#waiting.length >= FULL;
  }

  /** Number of a link's carrier answers that are not committed yet: a crash now would make them uncertain. */
  unrecordedOf(linkId: number): number {
    return this.#unrecorded.get(linkId) ?? 0;
  }

  #count(entry: Entry, by: 1 | -1): void {
    if (entry.kind === 'submission') this.#unrecorded.set(entry.link_id, this.unrecordedOf(entry.link_id) + by);
  }

  /** Calls back after every batch, until the returned function is called. */
  onRecorded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records an entry soon; entries of one turn of the event loop go together. */
  add(entry: Entry): void {
    this.#waiting.push(entry);
    this.#count(entry, 1);
    if (this.#scheduled || this.#busy) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#take();
    });
  }

  /** Resolves when all entries are recorded, or given up. */
  async flushed(): Promise<void> {
    while (this.#waiting.length > 0 || this.#busy) {
      this.#take();
      await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    }
  }

  async end(): Promise<void> {
    await this.#session.end();
  }

  #take(): void {
    if (this.#busy || this.#waiting.length === 0) return;
    const batch = this.#waiting.length <= BATCH ? this.#waiting : this.#waiting.slice(0, BATCH);
    this.#waiting = this.#waiting.length <= BATCH ? [] : this.#waiting.slice(BATCH);
    this.#busy = true;
    void this.#record(batch).finally(() => {
      this.#busy = false;
      for (const entry of batch) this.#count(entry, -1);
      this.#take();
      for (const listener of this.#listeners) listener();
      if (!this.#busy) for (const done of this.#idleWaiters.splice(0)) done();
    });
  }

  /**
   * Records entries and never rejects. Temporary errors are retried; for others the batch is halved until the faulty
   * entry is found.
   */
  async #record(entries: Entry[], attempt: Attempt = {}): Promise<void> {
    let batch = entries;
    for (let pause = FIRST_PAUSE_MS; batch.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const cause = `delivery:${this.#run}:${++this.#batches}`;
      try {
        const taken = batch;
        const campaigns = await traced('record outcomes', { attributes: { entries: taken.length } }, async () =>
          recordBatch(await this.#session.client(), taken, cause, attempt),
        );
        failpoint('outcomes.after-commit');
        for (const entry of batch) if (entry.kind === 'receipt') entry.settle(true);
        failpoint('receipts.answered');
        if (campaigns.length > 0) this.#onProgress(campaigns);
        return;
      } catch (error) {
        if (isRefused(error)) {
          await this.#narrow(batch, error, attempt);
          return;
        }
        this.#log.warn({ err: error, entries: batch.length }, 'could not record outcomes; retrying');
        // The carrier keeps its receipts and sends them again; everything else is known only here.
        for (const entry of batch) if (entry.kind === 'receipt') entry.settle(false);
        batch = batch.filter((entry) => entry.kind !== 'receipt');
        await sleep(pause);
      }
    }
  }

  async #narrow(batch: Entry[], error: unknown, attempt: Attempt): Promise<void> {
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.#record(batch.slice(0, half), { ...attempt });
      await this.#record(batch.slice(half), { ...attempt });
      return;
    }
    const [entry] = batch;
    if (entry) await this.#setAside(entry, error as Error);
  }

  async #setAside(entry: Entry, error: Error): Promise<void> {
    const { kind, segment } = entry;
    const record = {
      ...entry,
      segment: segment && { message_id: segment.message.id, part: segment.part },
      ...(kind === 'receipt' && { frame: octetsOf(entry.frame).toString('hex'), ids: undefined }),
    };
    this.#log.error({ err: error, kind, message_id: segment?.message.id }, 'outcome set aside');
    try {
      const client = await this.#session.client();
      await client.query('INSERT INTO set_aside (kind, record, error) VALUES ($1, $2, $3)', [
        kind,
        JSON.stringify(record),
        error.message,
      ]);
      if (kind === 'receipt') entry.settle(true);
    } catch (failure) {
      this.#log.error({ err: failure, kind }, 'could not set outcome aside');
      if (kind === 'receipt') entry.settle(false);
    }
  }
}
