/** Times a number with the outcome `throttled` is refused before it is taken. */
const TRIES = 3;

/** Numbers remembered; the oldest goes first. */
const MAX_NUMBERS = 10_000;

/** Counts the refusals of throttled numbers. */
export class ThrottledTries {
  readonly #tries = new Map<string, number>();

  /** Whether this attempt is refused; after three refusals one is taken and the count starts anew. */
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
