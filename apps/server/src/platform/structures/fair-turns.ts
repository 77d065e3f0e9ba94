/**
 * Shares work among those who ask for it, by their weights. The next is the one that received the least for its weight.
 * Over any time, no one gets more than its share by more than one piece of work. One that returns after a pause starts
 * level with the others: a pause earns nothing.
 */
export class FairTurns<Key> {
  readonly #had = new Map<Key, number>();
  #floor = 0;

  /**
   * Sorts those who ask for work: the one with the least for its weight comes first; equal ones keep the given order.
   */
  order(keys: readonly Key[]): Key[] {
    for (const key of keys) if ((this.#had.get(key) ?? -1) < this.#floor) this.#had.set(key, this.#floor);
    const sorted = [...keys].sort((a, b) => this.#had.get(a)! - this.#had.get(b)!);
    const first = sorted[0];
    if (first !== undefined) this.#floor = Math.max(this.#floor, this.#had.get(first)!);
    return sorted;
  }

  /** Counts work for a key; its weight is its part of the whole. */
  count(key: Key, work: number, weight = 1): void {
    this.#had.set(key, (this.#had.get(key) ?? this.#floor) + work / weight);
  }
}
