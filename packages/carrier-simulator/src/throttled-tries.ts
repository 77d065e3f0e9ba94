/** Number of times that a number with the outcome `throttled` is refused before it is accepted. */
const TRIES = 3;

/** Maximum numbers that are remembered; the oldest is dropped first. */
const MAX_NUMBERS = 10_000;

/** Counts the refusals of throttled numbers. */
export class ThrottledTries {
  readonly #tries = new Map<string, number>();

  /** Returns whether this attempt is refused. After three refusals one is accepted, and the count starts again. */
  refuses(msisdn: string): boolean {
    const tries = this.#tries.get(msisdn) ?? 0;
    if (tries >= TRIES) {
      this.#tries.delete(msisdn);
      return false;
    }
    this.#tries.set(msisdn, tries + 1);
    if (this.#tries.size > MAX_NUMBERS) this.#tries.delete(this.#tries.keys().next().value!);
    return true;
  }

  clear(): void {
    this.#tries.clear();
  }
}
