const MAX_SEQUENCE = 0x7fffffff;

/** Answers to lost requests are recognised among the newest so many. */
const MAX_TOMBSTONES = 65_536;

/**
 * The requests in flight, in a ring addressed by sequence number. Sequence numbers run 1..0x7FFFFFFF (§5.1.4), wrap,
 * and skip any that is still in flight or whose late answer is still awaited.
 */
export class Window<Context> {
  readonly limit: number;
  inFlight = 0;
  readonly #mask: number;
  readonly #sequences: Uint32Array;
  readonly #commands: Uint32Array;
  readonly #batches: Float64Array;
  readonly #sentAt: Float64Array;
  readonly #contexts: (Context | undefined)[];
  readonly #tombstones = new Map<number, { commandId: number; context: Context }>();
  #next: number;

  constructor(limit: number, firstSequence: number) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 16_384) throw new RangeError('window is outside 1..16,384');
    this.limit = limit;
    let capacity = 64;
    while (capacity < limit * 4) capacity *= 2;
    this.#mask = capacity - 1;
    this.#sequences = new Uint32Array(capacity);
    this.#commands = new Uint32Array(capacity);
    this.#batches = new Float64Array(capacity);
    this.#sentAt = new Float64Array(capacity);
    this.#contexts = new Array<Context | undefined>(capacity).fill(undefined);
    this.#next = firstSequence;
  }

  /** A sequence number that no open request uses. */
  nextSequence(): number {
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

  /** Whether a request of this command is in flight; generic_nack (command undefined) fits any. */
  has(sequence: number, commandId: number | undefined): boolean {
    const slot = sequence & this.#mask;
    return (
      sequence !== 0 &&
      this.#sequences[slot] === sequence &&
      (commandId === undefined || this.#commands[slot] === commandId)
    );
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

  /** Frees every request sent before `deadline`, remembering it for a late answer. */
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

  /** The context of an expired request, once. */
  late(sequence: number, commandId: number | undefined): { context: Context } | undefined {
    const tombstone = this.#tombstones.get(sequence);
    if (tombstone === undefined || (commandId !== undefined && tombstone.commandId !== commandId)) return undefined;
    this.#tombstones.delete(sequence);
    return tombstone;
  }

  /** Frees everything; `sent` tells whether the request's batch had left. */
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
