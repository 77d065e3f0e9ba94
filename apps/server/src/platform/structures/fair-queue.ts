/** Returns whether an owner is included, by the total size of the owner's waiting items. */
type Among<Owner> = (owner: Owner, size: number) => boolean;

interface Line<Item> {
  items: Item[];
  /** Position of the first item that was not taken. */
  next: number;
  size: number;
}

/** Number of taken items after which a line is cut. Cutting it each time would cost much for a long line. */
const CUT_AFTER = 1_024;

/**
 * Queue of items of several owners. Each owner's items keep their order. Owners take turns, so nobody waits behind all
 * items of another.
 */
export class FairQueue<Owner, Item> {
  readonly #sizeOfItem: (item: Item) => number;
  /** Lines in the order of their owners' turns. */
  readonly #lines = new Map<Owner, Line<Item>>();
  /** Lines of owners that get no turns now. */
  readonly #resting = new Map<Owner, Line<Item>>();
  #size = 0;

  constructor(sizeOf: (item: Item) => number = () => 1) {
    this.#sizeOfItem = sizeOf;
  }

  /** Total size of the waiting items. */
  get size(): number {
    return this.#size;
  }

  /** Number of owners that have waiting items and get turns. */
  get owners(): number {
    return this.#lines.size;
  }

  /** Returns whether an owner has used up more than an equal share of `most`, while the queue holds more than `most`. */
  isFullFor(owner: Owner, most: number): boolean {
    return this.#size > most && this.sizeOf(owner) > most / this.#lines.size;
  }

  /** Returns the total size of an owner's waiting items. */
  sizeOf(owner: Owner): number {
    return (this.#lines.get(owner) ?? this.#resting.get(owner))?.size ?? 0;
  }

  /** Returns the total size of the waiting items of the owners that `among` includes. */
  sizeAmong(among: Among<Owner>): number {
    let sum = 0;
    for (const [owner, { size }] of this.#lines) if (among(owner, size)) sum += size;
    return sum;
  }

  /** Returns an owner's waiting items, in their order. */
  itemsOf(owner: Owner): Item[] {
    const line = this.#lines.get(owner) ?? this.#resting.get(owner);
    return line ? line.items.slice(line.next) : [];
  }

  push(owner: Owner, item: Item): void {
    const resting = this.#resting.get(owner);
    const line = resting ?? this.#lines.get(owner) ?? { items: [], next: 0, size: 0 };
    line.items.push(item);
    const size = this.#sizeOfItem(item);
    line.size += size;
    this.#size += size;
    if (!resting) this.#lines.set(owner, line);
  }

  /** Owner whose turn it is; undefined if no owner that gets turns has items. */
  get turn(): Owner | undefined {
    return this.#lines.keys().next().value;
  }

  /** Takes the next item of the owner whose turn it is. */
  next(): Item | undefined {
    const [first] = this.#lines;
    if (!first) return undefined;
    const [owner, line] = first;
    const item = this.#shift(line);
    this.#endTurn(owner, line);
    return item;
  }

  /**
   * Takes items of at most `most` in total, from the owners that `among` includes. Each gives an equal share, or less
   * if it has less. A single item may be larger than `most`.
   */
  take(most: number, among: Among<Owner> = () => true): Item[] {
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
          const size = this.#sizeOfItem(line.items[line.next]!);
          // An owner keeps the turn if the next item does not fit, and comes first the next time.
          fits = size <= room || taken.length === 0;
          if (!fits) break;
          taken.push(this.#shift(line));
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

  /** Gives an owner no turns until `wake`. The owner's items wait, and more may be pushed. */
  rest(owner: Owner): void {
    if (this.#resting.has(owner)) return;
    this.#resting.set(owner, this.#lines.get(owner) ?? { items: [], next: 0, size: 0 });
    this.#lines.delete(owner);
  }

  /** Gives an owner turns again, behind the others. */
  wake(owner: Owner): void {
    const line = this.#resting.get(owner);
    if (!line) return;
    this.#resting.delete(owner);
    this.#endTurn(owner, line);
  }

  #shift(line: Line<Item>): Item {
    const item = line.items[line.next++]!;
    const size = this.#sizeOfItem(item);
    line.size -= size;
    this.#size -= size;
    return item;
  }

  /** Puts an owner behind the others. */
  #endTurn(owner: Owner, line: Line<Item>): void {
    this.#lines.delete(owner);
    if (line.next === line.items.length) return;
    if (line.next >= CUT_AFTER) {
      line.items = line.items.slice(line.next);
      line.next = 0;
    }
    this.#lines.set(owner, line);
  }
}
