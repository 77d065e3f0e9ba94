const MAX_SEQUENCE = 0x7fffffff;

/** Slots of a new window, and minimum slots for each request in flight. */
const FIRST_CAPACITY = 64;
const SPARSE = 4;

/** Maximum lost requests that are remembered for a late answer; the oldest are forgotten first. */
const MAX_TOMBSTONES = 65_536;

/**
 * Requests in flight, in a ring addressed by sequence number. Sequence numbers run 1..0x7FFFFFFF (§5.1.4) and wrap.
 * They skip any that is still in flight or may still get a late answer.
 */
export class Window<Context> {
  readonly limit: number;
  inFlight = 0;
  // Memory grows with use, because most peers use little of their window.
  #mask = FIRST_CAPACITY - 1;
  #sequences = new Uint32Array(FIRST_CAPACITY);
  #commands = new Uint32Array(FIRST_CAPACITY);
  #batches = new Float64Array(FIRST_CAPACITY);
  #sentAt = new Float64Array(FIRST_CAPACITY);
  #contexts = new Array<Context | undefined>(FIRST_CAPACITY).fill(undefined);
  readonly #tombstones = new Map<number, { commandId: number; context: Context }>();
  #next: number;

  constructor(limit: number, firstSequence: number) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 16_384) throw new RangeError('window is outside 1..16,384');
    this.limit = limit;
    this.#next = firstSequence;
  }

  /** Answers a sequence number that no open request uses. */
  nextSequence(): number {
    if (this.inFlight * SPARSE > this.#mask) this.#grow();
    let sequence = this.#next;
    while (
      this.#sequences[sequence & this.#mask] !== 0 ||
      (this.#tombstones.size > 0 && this.#tombstones.has(sequence))
    ) {
      sequence = sequence >= MAX_SEQUENCE ? 1 : sequence + 1;
    }
    this.#next = sequence >= MAX_SEQUENCE ? 1 : sequence + 1;
    return sequence;
  }

  /** Marks a sequence number from nextSequence as in flight in the given socket batch. */
  open(sequence: number, commandId: number, context: Context, now: number, batch: number): void {
    const slot = sequence & this.#mask;
    this.#sequences[slot] = sequence;
    this.#commands[slot] = commandId;
    this.#batches[slot] = batch;
    this.#sentAt[slot] = now;
    this.#contexts[slot] = context;
    this.inFlight++;
  }

  /** Doubles the ring; numbers with separate slots have separate slots in a larger ring, too. */
  #grow(): void {
    const { length } = this.#sequences;
    const [sequences, commands, batches, sentAt, contexts] = [
      this.#sequences,
      this.#commands,
      this.#batches,
      this.#sentAt,
      this.#contexts,
    ];
    this.#mask = length * 2 - 1;
    this.#sequences = new Uint32Array(length * 2);
    this.#commands = new Uint32Array(length * 2);
    this.#batches = new Float64Array(length * 2);
    this.#sentAt = new Float64Array(length * 2);
    this.#contexts = new Array<Context | undefined>(length * 2).fill(undefined);
    for (let old = 0; old < length; old++) {
      const sequence = sequences[old]!;
      if (sequence === 0) continue;
      const slot = sequence & this.#mask;
      this.#sequences[slot] = sequence;
      this.#commands[slot] = commands[old]!;
      this.#batches[slot] = batches[old]!;
      this.#sentAt[slot] = sentAt[old]!;
      this.#contexts[slot] = contexts[old];
    }
  }

  /** Answers whether a request of this command is in flight; generic_nack (command undefined) fits any. */
  has(sequence: number, commandId: number | undefined): boolean {
    const slot = sequence & this.#mask;
    return (
      sequence !== 0 &&
      this.#sequences[slot] === sequence &&
      (commandId === undefined || this.#commands[slot] === commandId)
    );
  }

  /** Answers when a request that `has` found was sent. */
  sentAt(sequence: number): number {
    return this.#sentAt[sequence & this.#mask]!;
  }

  /** Frees the slot of a request that `has` found, and answers its context. */
  close(sequence: number): Context {
    const slot = sequence & this.#mask;
    const context = this.#contexts[slot] as Context;
    this.#sequences[slot] = 0;
    this.#contexts[slot] = undefined;
    this.inFlight--;
    return context;
  }

  /** Frees every request sent before `deadline`, and remembers it for a late answer. */
  expire(deadline: number, onExpired: (sequence: number, context: Context) => void): void {
    if (this.inFlight === 0) return;
    for (let slot = 0; slot <= this.#mask; slot++) {
      const sequence = this.#sequences[slot]!;
      if (sequence === 0 || this.#sentAt[slot]! > deadline) continue;
      const commandId = this.#commands[slot]!;
      const context = this.close(sequence);
      this.#tombstones.set(sequence, { commandId, context });
      if (this.#tombstones.size > MAX_TOMBSTONES) {
        for (const oldest of this.#tombstones.keys()) {
          this.#tombstones.delete(oldest);
          break;
        }
      }
      onExpired(sequence, context);
    }
  }

  /** Answers the context of an expired request, once. */
  late(sequence: number, commandId: number | undefined): { context: Context } | undefined {
    const tombstone = this.#tombstones.get(sequence);
    if (tombstone === undefined || (commandId !== undefined && tombstone.commandId !== commandId)) return undefined;
    this.#tombstones.delete(sequence);
    return tombstone;
  }

  /** Frees all slots; `sent` says whether the request's batch had left. */
  clear(currentBatch: number, onCleared: (sequence: number, context: Context, sent: boolean) => void): void {
    for (let slot = 0; slot <= this.#mask && this.inFlight > 0; slot++) {
      const sequence = this.#sequences[slot]!;
      if (sequence === 0) continue;
      const sent = this.#batches[slot] !== currentBatch;
      onCleared(sequence, this.close(sequence), sent);
    }
    this.#tombstones.clear();
  }
}
