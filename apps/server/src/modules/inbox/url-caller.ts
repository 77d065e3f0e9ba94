import { setTimeout as sleep } from 'node:timers/promises';
import type { Hearing } from '#platform/fan-out/fan-out';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Made, makeCall, ROUTING_CALLS, takeCalls } from './hand-on.ts';
import { recordCalls } from './record-calls.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'fanOut' | 'log'>;

/** Poll interval for calls that were added without a notification. */
const POLL_MS = 1_000;
/** Maximum calls of a worker that are under way. */
const MOST = 512;
/** Maximum tries that are recorded together. */
const BATCH = 500;
/** Maximum time that a stop waits for slow addresses. */
const LEAVE_MS = 1_000;

/**
 * Makes the calls that are due, many at the same time, until it is stopped. Several workers may run: each takes its own
 * calls.
 */
export class UrlCaller {
  readonly #worker: Worker;
  readonly #most: number;
  /** Number of calls under way, by routing. */
  readonly #busy = new Map<number, number>();
  readonly #calls = new Set<Promise<void>>();
  #made: Made[] = [];
  #hearing: Hearing | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(worker: Worker, most = MOST) {
    this.#worker = worker;
    this.#most = most;
  }

  async start(): Promise<void> {
    const wake = () => this.#wake();
    this.#hearing = await this.#worker.fanOut.subscribe(ROUTING_CALLS, wake, wake);
    this.#timer = setInterval(wake, POLL_MS);
    wake();
  }

  #wake(): void {
    this.#again = true;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#again) this.#wake();
    });
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    this.#again = false;
    try {
      await this.#write();
      if (this.#stopped) return;
      const calls = await takeCalls(this.#worker, this.#most, this.#busy);
      for (const call of calls) {
        this.#busy.set(call.routing_id, (this.#busy.get(call.routing_id) ?? 0) + 1);
        const making = makeCall(this.#worker, call).then((made) => {
          this.#calls.delete(making);
          this.#made.push(made);
          this.#wake();
        });
        this.#calls.add(making);
      }
    } catch (error) {
      this.#worker.log.warn({ err: error }, 'could not claim or record inbound routing calls; retrying');
    }
  }

  /** Records finished calls. If this fails, they are made again when their hold expires. */
  async #write(): Promise<void> {
    const made = this.#made.splice(0, BATCH);
    if (this.#made.length > 0) this.#again = true;
    for (const { call } of made) {
      const left = this.#busy.get(call.routing_id)! - 1;
      if (left > 0) this.#busy.set(call.routing_id, left);
      else this.#busy.delete(call.routing_id);
    }
    await recordCalls(this.#worker, made);
  }

  /**
   * Waits a moment for the calls that are under way, and records them. Others are made again when their hold expires.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#hearing?.stop();
    // Calls that are being taken now are made, too.
    await this.#working;
    await Promise.race([Promise.all(this.#calls), sleep(LEAVE_MS, undefined, { ref: false })]);
    this.#wake();
    while (this.#working) await this.#working;
  }
}
