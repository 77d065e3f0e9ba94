/** Shortest wait for an allowance; shorter ones would only make slices of one message. */
const SHORTEST_WAIT_MS = 20;

/** Wait until a corporation or sender over its limit may send again. */
export class AllowanceWait {
  readonly #onOver: () => void;
  /** Shortest time that was noted since the last wait began. */
  #shortestMs = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** `onOver` is called at the end of each wait. */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Notes the milliseconds after which one of them may send again. */
  note(milliseconds: number): void {
    this.#shortestMs = Math.min(this.#shortestMs, milliseconds);
  }

  /** Begins to wait for the shortest time that was noted, unless a wait runs. */
  begin(): void {
    if (this.#shortestMs === Number.POSITIVE_INFINITY || this.#timer) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#onOver();
      },
      Math.max(SHORTEST_WAIT_MS, this.#shortestMs),
    );
    this.#shortestMs = Number.POSITIVE_INFINITY;
  }
}
