export interface BackoffOptions {
  /** Shortest wait before a new attempt. Default 1,000 ms. */
  minRetryMs?: number;
  /** Longest wait. Default 60,000 ms. */
  maxRetryMs?: number;
  /** Duration of a bind after which the waits start again at the shortest. Default 60,000 ms. */
  healthyMs?: number;
  /** Wait after a refusal that only a person can resolve. Default 300,000 ms. */
  refusedRetryMs?: number;
  /** Source of numbers from 0 to 1, replaceable in tests. */
  random?: () => number;
}

/** Waits between connection attempts: exponential with full jitter, so that many links spread out by themselves. */
export class Backoff {
  readonly #options: Required<BackoffOptions>;
  #attempts = 0;

  constructor(options: BackoffOptions) {
    this.#options = {
      minRetryMs: options.minRetryMs ?? 1_000,
      maxRetryMs: options.maxRetryMs ?? 60_000,
      healthyMs: options.healthyMs ?? 60_000,
      refusedRetryMs: options.refusedRetryMs ?? 300_000,
      random: options.random ?? Math.random,
    };
  }

  /** Answers the milliseconds to wait after a session that was bound for this time; undefined if it was never bound. */
  next(boundForMs: number | undefined): number {
    const { minRetryMs, maxRetryMs, healthyMs } = this.#options;
    if (boundForMs !== undefined && boundForMs >= healthyMs) this.#attempts = 0;
    this.#attempts++;
    const ceiling = Math.min(maxRetryMs, minRetryMs * 2 ** Math.min(this.#attempts, 30));
    return this.#between(minRetryMs, ceiling);
  }

  /** Answers the milliseconds to wait after a permanent refusal: refusedRetryMs and up to a tenth more. */
  afterRefusal(): number {
    this.#attempts++;
    return this.#between(this.#options.refusedRetryMs, this.#options.refusedRetryMs * 1.1);
  }

  #between(low: number, high: number): number {
    return Math.round(low + this.#options.random() * Math.max(0, high - low));
  }
}
