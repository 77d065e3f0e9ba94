import type { MessageClass } from '#platform/database/schema';

/** Share that work earns for each segment of more urgent work that leaves before it. */
const SHARE = 0.1;
/** Maximum that is owed, or it would hold up urgent messages after a long wait. */
const MOST_OWED = 200;

/** Segments that work which waits may send before more urgent work. */
export class Owed {
  #segments = 0;

  /** Whole segments that are owed now. */
  get segments(): number {
    return Math.floor(this.#segments);
  }

  /** Counts segments of more urgent work that leave while this work waits. */
  earn(segments: number): void {
    this.#segments = Math.min(MOST_OWED, this.#segments + segments * SHARE);
  }

  pay(segments: number): void {
    this.#segments = Math.max(0, this.#segments - segments);
  }

  /** Forgets what is owed, because nothing waits any more. */
  clear(): void {
    this.#segments = 0;
  }
}

/**
 * Divider of a link between classes. Urgent classes leave first, but none starves: a waiting class earns a tenth of
 * what leaves before it, and that goes next.
 */
export class ClassShares {
  readonly #classes: readonly MessageClass[];
  readonly #owed: ReadonlyMap<MessageClass, Owed>;

  /** `classes` are in the order of their urgency. */
  constructor(classes: readonly MessageClass[]) {
    this.#classes = classes;
    this.#owed = new Map(classes.map((name) => [name, new Owed()]));
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
      const owed = this.#owed.get(name)!;
      const most = Math.min(left, owed.segments);
      if (most < 1) continue;
      const taken = take(name, most);
      if (taken === 0 && !waits(name)) owed.clear();
      else owed.pay(taken);
      left -= taken;
    }
    const later = new Set(this.#classes);
    for (const name of this.#classes) {
      later.delete(name);
      const taken = left > 0 ? take(name, left) : 0;
      left -= taken;
      if (taken === 0) continue;
      for (const behind of later) if (waits(behind)) this.#owed.get(behind)!.earn(taken);
    }
  }
}
