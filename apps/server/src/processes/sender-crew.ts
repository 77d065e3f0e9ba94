import { availableParallelism } from 'node:os';
import type { Logger } from '../platform/log.ts';
import type { Supervised } from '../platform/process/supervisor.ts';
import type { SenderLoad } from './sender-load.ts';

/** Share of its time from which a sender counts as busy. */
const BUSY = 0.75;
/** Share of one sender's time below which all senders together are quiet. */
const QUIET = 0.4;
/** Time after a change in which the links spread, in milliseconds. */
const SETTLE_MS = 15_000;
/** Time of quiet after which a sender is stopped, in milliseconds. */
const QUIET_MS = 600_000;

/** Answers how many senders `npm start` runs at most: one for every two processors, unless the settings name another number. */
export const mostSenders = (setting: number | undefined, processors = availableParallelism()): number =>
  setting ?? Math.max(1, Math.floor(processors / 2));

/** Starts one more sender; `place` counts from 0. */
export type StartSender = (place: number, onLoad: (load: SenderLoad) => void) => Supervised;

/**
 * Senders of one machine. The first one always runs. Another is started while one is busy with two links or more, and
 * takes its share of the links; the last one is stopped after ten quiet minutes.
 */
export class SenderCrew {
  readonly #most: number;
  readonly #start: StartSender;
  readonly #log: Logger;
  readonly #now: () => number;
  readonly #senders: Supervised[] = [];
  #loads: (SenderLoad | undefined)[] = [];
  #changing = false;
  #changedAt: number;
  #busyAt: number;
  #stopped = false;

  constructor(most: number, start: StartSender, log: Logger, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#start = start;
    this.#log = log;
    this.#now = now;
    this.#changedAt = this.#busyAt = now();
  }

  /** Number of senders that run. */
  get size(): number {
    return this.#senders.length;
  }

  /** Starts the first sender. Rejects with a StartError if it does not start. */
  async begin(): Promise<void> {
    await this.#grow();
  }

  async #grow(): Promise<void> {
    const place = this.#senders.length;
    const sender = this.#start(place, (load) => this.#take(place, load));
    this.#senders.push(sender);
    try {
      await sender.ready;
    } catch (error) {
      this.#senders.pop();
      throw error;
    }
  }

  #take(place: number, load: SenderLoad): void {
    if (place >= this.#senders.length) return;
    this.#loads[place] = load;
    const now = this.#now();
    const all = this.#loads.reduce((sum, each) => sum + (each?.share ?? 0), 0);
    if (all >= QUIET) this.#busyAt = now;
    if (this.#stopped || this.#changing || now - this.#changedAt < SETTLE_MS) return;
    if (load.share >= BUSY && load.links > 1 && this.size < this.#most) {
      this.#log.info({ senders: this.size + 1 }, 'sender busy; starting another');
      this.#change(() => this.#grow(), 'could not start another sender; trying again');
    } else if (this.size > 1 && now - this.#busyAt >= QUIET_MS) {
      this.#log.info({ senders: this.size - 1 }, 'senders quiet; stopping one');
      this.#loads = this.#loads.slice(0, this.size - 1);
      const last = this.#senders.pop()!;
      this.#change(() => last.stop(), 'could not stop a quiet sender');
    }
  }

  #change(work: () => Promise<unknown>, failed: string): void {
    this.#changing = true;
    work()
      .catch((error) => this.#log.warn({ err: error }, failed))
      .finally(() => {
        this.#changing = false;
        this.#changedAt = this.#busyAt = this.#now();
      });
  }

  /** Stops all senders together; their links need no new holder. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders.map((sender) => sender.stop()));
  }

  kill(): void {
    this.#stopped = true;
    for (const sender of this.#senders) sender.kill();
  }
}
