import { FairQueue } from '#platform/structures/fair-queue';

/** Maximum messages in one transaction; an item is never divided. */
const MOST = 2_000;
/**
 * Maximum beside others. The steps of a long transaction would hold up theirs: each blocks this process while it judges
 * its messages, and the others wait for several of them.
 */
const MOST_BESIDE_OTHERS = 200;
/** Time in ms for which an owner is not alone after another one has come. */
const BESIDE_MS = 1_000;
/** Maximum messages of an owner that goes in short transactions, together with similar owners. */
const LITTLE = 100;
/** Transactions of each kind at the same time. One is prepared while another one is written to the disk. */
const AT_A_TIME = 2;
/**
 * Minimum of waiting messages that are divided among two transactions; more than a short transaction takes are not. If programs
 * that wait for their answers had all their messages in one, this process and the database would rest in turns.
 */
const WORTH_TWO = 64;

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
  readonly #now: () => number;
  #short = 0;
  #lastOwner: number | undefined;
  /** Time when an item came of another owner than the one before. */
  #mixedAt = Number.NEGATIVE_INFINITY;
  /** Owners of the messages in each running long transaction. */
  readonly #long = new Set<ReadonlySet<number>>();

  constructor(
    ownerOf: (item: Item) => number,
    sizeOf: (item: Item) => number,
    now: () => number = () => performance.now(),
  ) {
    this.#ownerOf = ownerOf;
    this.#now = now;
    this.#queue = new FairQueue(sizeOf);
  }

  /** Number of waiting messages. */
  get size(): number {
    return this.#queue.size;
  }

  /** Tells if a full transaction waits, so that waiting for more messages gains nothing. */
  get isFull(): boolean {
    const { size } = this.#queue;
    if (size < MOST_BESIDE_OTHERS || this.#long.size >= AT_A_TIME) return false;
    const most = this.#most;
    return size >= most && this.#queue.sizeAmong(this.#isMuch) >= most;
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
    const owner = this.#ownerOf(item);
    if (owner !== this.#lastOwner && this.#lastOwner !== undefined) this.#mixedAt = this.#now();
    this.#lastOwner = owner;
    this.#queue.push(owner, item);
  }

  /** Maximum messages in a long transaction that begins now. */
  get #most(): number {
    return this.#now() - this.#mixedAt < BESIDE_MS ? MOST_BESIDE_OTHERS : MOST;
  }

  /** Returns the next transaction, or undefined if the waiting items must wait for a running one. */
  next(): Turn<Item> | undefined {
    return this.isFull ? this.#nextLong() : (this.#nextShort() ?? this.#nextLong());
  }

  #nextShort(): Turn<Item> | undefined {
    if (this.#short >= AT_A_TIME) return undefined;
    const items = this.#take(MOST_BESIDE_OTHERS, this.#short, this.#isLittle);
    if (items.length === 0) return undefined;
    this.#short++;
    return { items, end: () => void this.#short-- };
  }

  #nextLong(): Turn<Item> | undefined {
    if (this.#long.size >= AT_A_TIME) return undefined;
    const items = this.#take(this.#most, this.#long.size, this.#isMuch);
    if (items.length === 0) return undefined;
    const owners = new Set(items.map(this.#ownerOf));
    this.#long.add(owners);
    return { items, end: () => void this.#long.delete(owners) };
  }

  /** Takes at most `most` messages of the owners that `among` includes. If none of their transactions runs, leaves half to the next. */
  #take(most: number, running: number, among: (owner: number, size: number) => boolean): Item[] {
    const waiting = this.#queue.sizeAmong(among);
    const divided = running === 0 && waiting >= WORTH_TWO && waiting <= MOST_BESIDE_OTHERS;
    return this.#queue.take(divided ? Math.ceil(waiting / 2) : most, among);
  }

  readonly #isMuch = (owner: number, size: number): boolean => !this.#isLittle(owner, size);

  /** Tells if an owner may go in a short transaction. A long one must not hold the lock on its account. */
  readonly #isLittle = (owner: number, size: number): boolean => {
    if (size > LITTLE) return false;
    for (const owners of this.#long) if (owners.has(owner)) return false;
    return true;
  };
}
