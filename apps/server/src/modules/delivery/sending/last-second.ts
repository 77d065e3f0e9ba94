const SECOND = 1_000;

/** Segments that leave together. */
interface Departure {
  at: number;
  readonly segments: number;
}

/** Exact count of segments that left within the last second. */
export class LastSecond {
  #left: Departure[] = [];
  #from = 0;
  #sum = 0;

  /**
   * Counts segments that leave. `now` is in milliseconds and never less than before. Call the returned function with
   * the time when the bytes are written.
   */
  add(segments: number, now: number): (now: number) => void {
    this.#forget(now);
    const departure = { at: now, segments };
    this.#left.push(departure);
    this.#sum += segments;
    return (written) => {
      departure.at = written;
    };
  }

  /** Answers the milliseconds until `segments` more make at most `most` within a second, or are the only ones. */
  waitMs(segments: number, most: number, now: number): number {
    this.#forget(now);
    let sum = this.#sum;
    let wait = 0;
    for (let place = this.#from; place < this.#left.length && sum + segments > most; place++) {
      const { at, segments: leaving } = this.#left[place]!;
      sum -= leaving;
      wait = Math.max(wait, at + SECOND - now);
    }
    return wait;
  }

  #forget(now: number): void {
    while (this.#from < this.#left.length && now - this.#left[this.#from]!.at >= SECOND)
      this.#sum -= this.#left[this.#from++]!.segments;
    // Rarely, so that it costs almost nothing.
    if (this.#from < 1_000) return;
    this.#left = this.#left.slice(this.#from);
    this.#from = 0;
  }
}
