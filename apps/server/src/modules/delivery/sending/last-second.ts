const SECOND = 1_000;

/** What left within the last second, to the moment. */
export class LastSecond {
  #left: { at: number; segments: number }[] = [];
  #from = 0;
  #sum = 0;

  /** `now` in milliseconds, never less than before. */
  add(segments: number, now: number): void {
    this.#forget(now);
    this.#left.push({ at: now, segments });
    this.#sum += segments;
  }

  /** Milliseconds until so many segments more make no more than `most` within a second, or are the only ones. */
  waitMs(segments: number, most: number, now: number): number {
    this.#forget(now);
    let sum = this.#sum;
    let wait = 0;
    for (let place = this.#from; place < this.#left.length && sum + segments > most; place++) {
      const { at, segments: leaving } = this.#left[place]!;
      sum -= leaving;
      wait = at + SECOND - now;
    }
    return wait;
  }

  #forget(now: number): void {
    while (this.#from < this.#left.length && now - this.#left[this.#from]!.at >= SECOND)
      this.#sum -= this.#left[this.#from++]!.segments;
    // Seldom, so that it costs nothing.
    if (this.#from < 1_000) return;
    this.#left = this.#left.slice(this.#from);
    this.#from = 0;
  }
}
