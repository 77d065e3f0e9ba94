/** Tells if an owner is included, by the total size of the owner's waiting items. */
type Among = (owner: number, size: number) => boolean;

interface Line<Item> {
  items: Item[];
  next: number;
  size: number;
}

/**
 * Queue of items of several owners. Each owner's items keep their order. Owners take turns, so nobody waits behind all
 * items of another.
 */
export class FairQueue<Item> {
  readonly #sizeOfItem: (item: Item) => number;
  /** Lines in the order of their owners' turns. */
  readonly #lines = new Map<number, Line<Item>>();
  #size = 0;

  constructor(sizeOf: (item: Item) => number) {
    this.#sizeOfItem = sizeOf;
  }

  /** Total size of the waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Number of owners that have waiting items. */
  get owners(): number {
    return this.#lines.size;
  }

  /** Tells if an owner has used up more than an equal share of `most`, while the queue holds more than `most`. */
  isFullFor(owner: number, most: number): boolean {
    const mine = this.#lines.get(owner)?.size ?? 0;
    return this.#size > most && mine > most / this.#lines.size;
  }

  /** Returns the total size of the waiting items of the owners that `among` includes. */
  sizeOf(among: Among): number {
    let sum = 0;
    for (const [owner, { size }] of this.#lines) if (among(owner, size)) sum += size;
    return sum;
  }

  push(owner: number, item: Item): void {
    const line = this.#lines.get(owner) ?? { items: [], next: 0, size: 0 };
    line.items.push(item);
    const size = this.#sizeOfItem(item);
    line.size += size;
    this.#size += size;
    this.#lines.set(owner, line);
  }

  /**
   * Takes items of at most `most` in total, from the owners that `among` includes. Each gives an equal share, or less
   * if it has less. A single item may be larger than `most`.
   */
  take(most: number, among: Among = () => true): Item[] {
    const taken: Item[] = [];
    const served = new Set([...this.#lines].flatMap(([owner, { size }]) => (among(owner, size) ? [owner] : [])));
    let room = most;
    let fits = true;
    while (fits && room > 0 && served.size > 0) {
      const share = Math.max(1, Math.floor(room / served.size));
      for (const [owner, line] of [...this.#lines]) {
        if (!served.has(owner)) continue;
        const before = room;
        while (line.next < line.items.length && before - room < share) {
          const item = line.items[line.next]!;
          const size = this.#sizeOfItem(item);
          // An owner keeps the turn if the next item does not fit, and comes first the next time.
          fits = size <= room || taken.length === 0;
          if (!fits) break;
          taken.push(item);
          line.next++;
          line.size -= size;
          this.#size -= size;
          room -= size;
        }
        if (before > room) this.#endTurn(owner, line);
        if (line.next === line.items.length) served.delete(owner);
        if (!fits || room <= 0) {
          fits = false;
          break;
        }
      }
    }
    return taken;
  }

  /** Puts an owner that was served behind the others. */
  #endTurn(owner: number, line: Line<Item>): void {
    this.#lines.delete(owner);
    if (line.next === line.items.length) return;
    this.#lines.set(owner, { items: line.items.slice(line.next), next: 0, size: line.size });
  }
}
