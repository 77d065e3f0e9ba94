import type { MessageClass } from '#platform/database/schema';

/** Share that a waiting class earns for each segment of a more urgent class that leaves. */
const SHARE = 0.1;
/** Maximum that a class may be owed, or it would hold up the others after a long wait. */
const MOST_OWED = 200;

/**
 * Divider of a link between classes. Urgent classes leave first, but none starves: a waiting class earns a tenth of
 * what leaves before it, and that goes next.
 */
export class ClassShares {
  readonly #classes: readonly MessageClass[];
  readonly #owed = new Map<MessageClass, number>();

  /** `classes` are in the order of their urgency. */
  constructor(classes: readonly MessageClass[]) {
    this.#classes = classes;
  }

  /**
   * Takes up to `room` segments. `take` takes at most `room` of a class and answers how many it took; `waits` answers
   * whether the class has any.
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
