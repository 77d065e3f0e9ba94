import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import { isRefused } from '#platform/transient-error';
import type { PostgresSession } from '../postgres-session.ts';
import type { CampaignCounters } from './apply-deltas.ts';
import { type Entry, octetsOf } from './entry.ts';
import { recordBatch } from './record-batch.ts';

const BATCH = 4_000;
/** Entries that must wait before another writer begins beside one that is busy. */
const WORTH_ANOTHER = 1_000;
/** Entries waiting before the sender must stop taking more. */
const FULL = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Records what happens on the links: each writer takes all that is waiting, up to a bound, and commits it, so batches
 * grow under load and shrink to one when idle.
 */
export class Journal {
  readonly #sessions: readonly PostgresSession[];
  readonly #log: Logger;
  readonly #onCounters: (counters: CampaignCounters[]) => void;
  readonly #run = randomUUID();
  #batches = 0;
  #waiting: Entry[] = [];
  #busy = 0;
  readonly #idleWriters: PostgresSession[];
  #scheduled = false;
  #idleWaiters: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #unrecorded = 0;

  constructor(sessions: readonly PostgresSession[], log: Logger, onCounters: (counters: CampaignCounters[]) => void) {
    this.#sessions = sessions;
    this.#idleWriters = [...sessions];
    this.#log = log;
    this.#onCounters = onCounters;
  }

  /** Whether so much waits that nothing new should be sent. */
  get full(): boolean {
    return this.#waiting.length >= FULL;
  }

  /** Answers of carriers that are not committed yet: what a crash now would make uncertain. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** Calls back after every batch; the answer ends that. */
  onRecorded(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Records an entry soon; those of one turn of the event loop go together. */
  add(entry: Entry): void {
    this.#waiting.push(entry);
    if (entry.kind === 'submission') this.#unrecorded++;
    if (this.#scheduled || this.#idleWriters.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#take();
    });
  }

  /** Resolves when all that was added is recorded, or given up. */
  async flushed(): Promise<void> {
    while (this.#waiting.length > 0 || this.#busy > 0) {
      this.#take();
      await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#sessions.map((session) => session.end()));
  }

  #take(): void {
    while (this.#waiting.length > 0) {
      // A second writer helps when much waits; else it would only make two small batches of one.
      if (this.#busy > 0 && this.#waiting.length < WORTH_ANOTHER) return;
      const session = this.#idleWriters.pop();
      if (!session) return;
      const batch = this.#waiting.length <= BATCH ? this.#waiting : this.#waiting.slice(0, BATCH);
      this.#waiting = this.#waiting.length <= BATCH ? [] : this.#waiting.slice(BATCH);
      this.#busy++;
      void this.#record(session, batch).finally(() => {
        this.#busy--;
        for (const { kind } of batch) if (kind === 'submission') this.#unrecorded--;
        this.#idleWriters.push(session);
        this.#take();
        for (const listener of this.#listeners) listener();
        if (this.#busy === 0) for (const done of this.#idleWaiters.splice(0)) done();
      });
    }
  }

  /** Never rejects: what passes is tried again, what does not is narrowed down to the entry at fault. */
  async #record(session: PostgresSession, entries: Entry[]): Promise<void> {
    let batch = entries;
    for (let pause = FIRST_PAUSE_MS; batch.length > 0; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const cause = `delivery:${this.#run}:${++this.#batches}`;
      try {
        const counters = await recordBatch(await session.client(), batch, cause);
        failpoint('outcomes.after-commit');
        for (const entry of batch) if (entry.kind === 'receipt') entry.settle(true);
        failpoint('receipts.answered');
        if (counters.length > 0) this.#onCounters(counters);
        return;
      } catch (error) {
        if (isRefused(error)) {
          await this.#narrow(session, batch, error);
          return;
        }
        this.#log.warn({ err: error, entries: batch.length }, 'outcomes could not be recorded: trying again');
        // The carrier keeps its receipts and sends them again; what else happened is known here alone.
        for (const entry of batch) if (entry.kind === 'receipt') entry.settle(false);
        batch = batch.filter((entry) => entry.kind !== 'receipt');
        await sleep(pause);
      }
    }
  }

  async #narrow(session: PostgresSession, batch: Entry[], error: unknown): Promise<void> {
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await this.#record(session, batch.slice(0, half));
      await this.#record(session, batch.slice(half));
      return;
    }
    const [entry] = batch;
    if (entry) await this.#setAside(session, entry, error as Error);
  }

  async #setAside(session: PostgresSession, entry: Entry, error: Error): Promise<void> {
    const { kind, segment } = entry;
    const record = {
      ...entry,
      segment: segment && { message_id: segment.message.id, part: segment.part },
      ...(kind === 'receipt' && { frame: octetsOf(entry.frame).toString('hex') }),
    };
    this.#log.error({ err: error, kind, message_id: segment?.message.id }, 'an outcome was set aside');
    try {
      const client = await session.client();
      await client.query('INSERT INTO set_aside (kind, record, error) VALUES ($1, $2, $3)', [
        kind,
        JSON.stringify(record),
        error.message,
      ]);
      if (kind === 'receipt') entry.settle(true);
    } catch (failure) {
      this.#log.error({ err: failure, kind }, 'an outcome could not even be set aside');
      if (kind === 'receipt') entry.settle(false);
    }
  }
}
