/** Time after which any sender may take a free link, even beyond its share. */
const LEFT_OVER_MS = 2_000;

/** Free links that no sender took for a while, although one should have had room. */
export class LeftOverLinks {
  readonly #freeSince = new Map<number, number>();

  /** Notes the ids of all links that are free now; answers those of the links that are left over. */
  among(free: readonly number[]): number[] {
    const now = performance.now();
    for (const id of this.#freeSince.keys()) if (!free.includes(id)) this.#freeSince.delete(id);
    for (const id of free) if (!this.#freeSince.has(id)) this.#freeSince.set(id, now);
    return free.filter((id) => now - this.#freeSince.get(id)! > LEFT_OVER_MS);
  }
}
