import { FairQueue } from './fair-queue.ts';

/** Messages that one transaction takes at most; an item is never divided. */
const MOST = 2_000;
/** The same beside others: a long transaction would be in their way, as statements and as work of this process. */
const MOST_BESIDE_OTHERS = 500;
/** Whose waiting messages are no more than this goes in short transactions, with others of the kind. */
const LITTLE = 100;
/** Transactions of each kind at a time: one is prepared while another one is written to the disk. */
const AT_A_TIME = 2;

/** What goes in one transaction. */
export interface Turn<Item> {
  items: Item[];
  /** To be called once the transaction has ended. */
  end(): void;
}

/**
 * Who goes next, and with whom. Corporations take turns, and those of which little waits never go with one of which much
 * waits: they would wait for its statements, and for the lock on its account that its last transaction still has.
 */
export class Turns<Item> {
  readonly #queue: FairQueue<Item>;
  readonly #ownerOf: (item: Item) => number;
  #short = 0;
  /** Whose messages the long transactions have. */
  readonly #long = new Set<ReadonlySet<number>>();

  constructor(ownerOf: (item: Item) => number, sizeOf: (item: Item) => number) {
    this.#ownerOf = ownerOf;
    this.#queue = new FairQueue(sizeOf);
  }

  /** Messages that wait. */
  get size(): number {
    return this.#queue.size;
  }

  /** Whether so many wait that nothing is won by waiting for more. */
  get isFull(): boolean {
    const { size } = this.#queue;
    return size >= MOST && this.#long.size < AT_A_TIME && this.#queue.sizeOf(this.#isMuch) >= MOST;
  }

  /** Whether a transaction could begin. */
  get isReady(): boolean {
    return (
      (this.#short < AT_A_TIME && this.#queue.sizeOf(this.#isLittle) > 0) ||
      (this.#long.size < AT_A_TIME && this.#queue.sizeOf(this.#isMuch) > 0)
    );
  }

  /** Whether an owner has more than an equal share of `most`, with all of that used up. */
  isFullFor(owner: number, most: number): boolean {
    return this.#queue.isFullFor(owner, most);
  }

  push(item: Item): void {
    this.#queue.push(this.#ownerOf(item), item);
  }

  /** The next transaction; undefined where what waits must wait for one that is under way. */
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

  /** Not while a long transaction has the lock on its account. */
  readonly #isLittle = (owner: number, size: number): boolean => {
    if (size > LITTLE) return false;
    for (const owners of this.#long) if (owners.has(owner)) return false;
    return true;
  };
}
