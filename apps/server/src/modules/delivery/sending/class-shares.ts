import type { MessageClass } from '#platform/schema';

/** What a class is owed for each segment of a more urgent one that leaves while it waits. */
const SHARE = 0.1;
/** Owed at most, or a class that waited for long would hold up the others. */
const MOST_OWED = 200;

/**
 * Urgent classes leave first, and yet none starves: while others go before it, a waiting class earns a tenth of what they
 * send, and that goes next.
 */
export class ClassShares {
  readonly #classes: readonly MessageClass[];
  readonly #owed = new Map<MessageClass, number>();

  /** `classes` in the order of their urgency. */
  constructor(classes: readonly MessageClass[]) {
    this.#classes = classes;
  }

  /**
   * Takes up to `room` segments: `take` answers how many of a class it took, of at most so many; `waits` whether the
   * class has any.
   */
  share(
    room: number,
    waits: (name: MessageClass) => boolean,
    take: (name: MessageClass, room: number) => number,
  ): void {
    let left = room;
    for (const name of this.#classes) {
      const owed = Math.min(left, Math.floor(this.#owed.get(name) ?? 0));
      if (owed < 1) continue;
      const taken = take(name, owed);
      this.#owed.set(name, taken === 0 && !waits(name) ? 0 : this.#owed.get(name)! - taken);
      left -= taken;
    }
    const later = new Set(this.#classes);
    for (const name of this.#classes) {
      later.delete(name);
      const taken = left > 0 ? take(name, left) : 0;
      left -= taken;
      if (taken === 0) continue;
      for (const behind of later) {
        if (waits(behind)) this.#owed.set(behind, Math.min(MOST_OWED, (this.#owed.get(behind) ?? 0) + taken * SHARE));
      }
    }
  }
}
