/** Share of its time after which a value that is asked for is read again. */
const RENEWED_FROM = 0.6;

/**
 * Value that is read at most so often, and never used longer than `goodForMs` after its reading began. While it is asked for, it
 * is read again ahead of time, so that only the first caller after a pause waits. Parallel callers wait for one reading.
 */
export class KeptValue<Value> {
  readonly #read: () => Promise<Value>;
  readonly #goodForMs: number;
  readonly #now: () => number;
  #kept: { value: Value; readAt: number } | undefined;
  #reading: Promise<Value> | undefined;

  constructor(read: () => Promise<Value>, goodForMs: number, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#goodForMs = goodForMs;
    this.#now = now;
  }

  /** Returns the value, or a promise of it if it must be read first. Rejects if that fails. */
  get(): Value | Promise<Value> {
    const age = this.#now() - (this.#kept?.readAt ?? Number.NEGATIVE_INFINITY);
    if (!this.#kept || age > this.#goodForMs) return this.#renew();
    // If this fails, the first caller after its time reads it and learns the error.
    if (age > this.#goodForMs * RENEWED_FROM) this.#renew().catch(() => undefined);
    return this.#kept.value;
  }

  #renew(): Promise<Value> {
    this.#reading ??= this.#keep().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #keep(): Promise<Value> {
    const readAt = this.#now();
    const value = await this.#read();
    this.#kept = { value, readAt };
    return value;
  }
}
