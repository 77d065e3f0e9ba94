import { FairQueue } from '#platform/structures/fair-queue';

/** Maximum messages in one transaction; an item is never divided. */
const MOST = 2_000;
/** Maximum while others wait. A long transaction would block their statements and the work of this process. */
const MOST_BESIDE_OTHERS = 500;
/** Maximum messages of an owner that goes in short transactions, together with similar owners. */
const LITTLE = 100;
/** Transactions of each kind at the same time. One is prepared while another one is written to the disk. */
const AT_A_TIME = 2;

/** Items of one transaction. */
export interface Turn<Item> {
  items: Item[];
  /** Must be called when the transaction has ended. */
  end(): void;
}

/**
 * Decides which items go next and together. Corporations take turns. One with few waiting messages never shares a
 * transaction with one that has many. Otherwise it would wait for the other's statements, and for the lock that the
 * other's last transaction still has on its account.
 */
export class Turns<Item> {
  readonly #queue: FairQueue<number, Item>;
  readonly #ownerOf: (item: Item) => number;
  #short = 0;
  /** Owners of the messages in each running long transaction. */
  readonly #long = new Set<ReadonlySet<number>>();

  constructor(ownerOf: (item: Item) => number, sizeOf: (item: Item) => number) {
    this.#ownerOf = ownerOf;
    this.#queue = new FairQueue(sizeOf);
  }

  /** Number of waiting messages. */
  get size(): number {
    return this.#queue.size;
  }

  /** Tells if a full transaction waits, so that waiting for more messages gains nothing. */
  get isFull(): boolean {
    const { size } = this.#queue;
    return size >= MOST && this.#long.size < AT_A_TIME && this.#queue.sizeAmong(this.#isMuch) >= MOST;
  }

  /** Tells if a transaction could begin now. */
  get isReady(): boolean {
    return (
      (this.#short < AT_A_TIME && this.#queue.sizeAmong(this.#isLittle) > 0) ||
      (this.#long.size < AT_A_TIME && this.#queue.sizeAmong(this.#isMuch) > 0)
    );
  }

  /** Tells if an owner has used up more than an equal share of `most`, while the queue holds more than `most`. */
  isFullFor(owner: number, most: number): boolean {
    return this.#queue.isFullFor(owner, most);
  }

  push(item: Item): void {
    this.#queue.push(this.#ownerOf(item), item);
  }

  /** Returns the next transaction, or undefined if the waiting items must wait for a running one. */
  next(): Turn<Item> | undefined {
    return this.isFull ? this.#nextLong() : (this.#nextShort() ?? this.#nextLong());
  }

  #nextShort(): Turn<Item> | undefined {
    if (this.#short >= AT_A_TIME) return undefined;
    const items = this.#queue.take(MOST_BESIDE_OTHERS, this.#isLittle);
    if (items.length === 0) return undefined;
    this.#short++;
    return { items, end: () => void this.#short-- };
  }

  #nextLong(): Turn<Item> | undefined {
    if (this.#long.size >= AT_A_TIME) return undefined;
    const alone = this.#short === 0 && this.#queue.owners === 1;
    const items = this.#queue.take(alone ? MOST : MOST_BESIDE_OTHERS, this.#isMuch);
    if (items.length === 0) return undefined;
    const owners = new Set(items.map(this.#ownerOf));
    this.#long.add(owners);
    return { items, end: () => void this.#long.delete(owners) };
  }

  readonly #isMuch = (owner: number, size: number): boolean => !this.#isLittle(owner, size);

  /** Tells if an owner may go in a short transaction. A long one must not hold the lock on its account. */
  readonly #isLittle = (owner: number, size: number): boolean => {
    if (size > LITTLE) return false;
    for (const owners of this.#long) if (owners.has(owner)) return false;
    return true;
  };
}
