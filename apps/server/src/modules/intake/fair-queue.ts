/** Whether an owner is one of them, of whom so much waits. */
type Among = (owner: number, size: number) => boolean;

interface Line<Item> {
  items: Item[];
  next: number;
  size: number;
}

/** What waits of several owners. Each owner's items keep their order; owners take turns, so that none waits behind all of another's. */
export class FairQueue<Item> {
  readonly #sizeOfItem: (item: Item) => number;
  /** In the order of their turns. */
  readonly #lines = new Map<number, Line<Item>>();
  #size = 0;

  constructor(sizeOf: (item: Item) => number) {
    this.#sizeOfItem = sizeOf;
  }

  /** The sum of the sizes of what waits. */
  get size(): number {
    return this.#size;
  }

  /** How many owners wait. */
  get owners(): number {
    return this.#lines.size;
  }

  /** Whether an owner has more than an equal share of `most`, with all of that used up. */
  isFullFor(owner: number, most: number): boolean {
    const mine = this.#lines.get(owner)?.size ?? 0;
    return this.#size > most && mine > most / this.#lines.size;
  }

  /** The sum of the sizes of what waits of the owners that are among some. */
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
   * Takes items of `most` together from the owners that are among some, from each an equal share as far as it has so much; one
   * alone may be larger.
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
          // Whose item does not fit keeps its turn, and comes first the next time.
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

  /** Who was served stands behind the others. */
  #endTurn(owner: number, line: Line<Item>): void {
    this.#lines.delete(owner);
    if (line.next === line.items.length) return;
    this.#lines.set(owner, { items: line.items.slice(line.next), next: 0, size: line.size });
  }
}
