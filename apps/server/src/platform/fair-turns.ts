/**
 * Shares work among those who want some by their weights: whoever had the least for its weight goes first. Over any time
 * nobody has more than its share by more than one piece of work. Who comes back after a pause begins where the others
 * are: a pause earns nothing.
 */
export class FairTurns<Key> {
  readonly #had = new Map<Key, number>();
  #floor = 0;

  /** Those who want work now, the most deserving first; of equals in the order given. */
  order(keys: readonly Key[]): Key[] {
    for (const key of keys) if ((this.#had.get(key) ?? -1) < this.#floor) this.#had.set(key, this.#floor);
    const sorted = [...keys].sort((a, b) => this.#had.get(a)! - this.#had.get(b)!);
    const first = sorted[0];
    if (first !== undefined) this.#floor = Math.max(this.#floor, this.#had.get(first)!);
    return sorted;
  }

  /** Somebody got so much work; its weight is its part of the whole. */
  count(key: Key, work: number, weight = 1): void {
    this.#had.set(key, (this.#had.get(key) ?? this.#floor) + work / weight);
  }
}
