import type { Buffer } from 'node:buffer';
import { type Clock, COMMAND_ID, encodeMessage, type MessageFields, PduWriter } from '@heliograph/smpp';

const SLOT_MS = 10;

/** Encoded deliver_sm PDUs for one customer, in one buffer. */
export class Batch {
  readonly writer: PduWriter;
  /** End of each PDU in the buffer. */
  readonly ends: number[] = [];
  /** Log position that each PDU reports on; 0 for a message from a handset. */
  readonly seqs: number[] = [];
  /** Number of PDUs already handed to sessions. */
  taken = 0;

  constructor(octets = 8_192) {
    this.writer = new PduWriter(octets);
  }

  get left(): number {
    return this.ends.length - this.taken;
  }

  start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  add(fields: MessageFields, seq: number): void {
    encodeMessage(this.writer, COMMAND_ID.deliver_sm, 1, fields);
    this.ends.push(this.writer.length);
    this.seqs.push(seq);
  }

  /** Copies one PDU of another batch, to send it again. */
  addFrom(other: Batch, index: number): void {
    const start = other.start(index);
    const end = other.ends[index]!;
    this.writer.ensure(end - start);
    other.writer.buffer.copy(this.writer.buffer as Buffer, this.writer.length, start, end);
    this.writer.length += end - start;
    this.ends.push(this.writer.length);
    this.seqs.push(other.seqs[index]!);
  }
}

/**
 * Receipts by the time they are due, in slots of 10 ms. They are encoded when the segment is accepted, so that a
 * million waiting receipts are bytes, not objects.
 */
export class ReceiptQueue<Account> {
  readonly #slots = new Map<number, Map<Account, Batch>>();
  readonly #onDue: (account: Account, batch: Batch) => void;
  readonly #clock: Clock;
  /** Cancels the next look; undefined while nothing waits. */
  #cancel: (() => void) | undefined;
  #lastSlot = 0;

  /** `clock` returns epoch milliseconds. */
  constructor(clock: Clock, onDue: (account: Account, batch: Batch) => void) {
    this.#onDue = onDue;
    this.#clock = clock;
  }

  readonly #tick = (): void => {
    this.#cancel = this.#clock.schedule(SLOT_MS, this.#tick);
    this.#release();
    if (this.#slots.size === 0) this.stop();
  };

  /** Returns the customer's batch that is due at that time. */
  at(dueMs: number, account: Account): Batch {
    if (!this.#cancel) {
      this.#lastSlot = Math.floor(this.#clock.now() / SLOT_MS);
      this.#cancel = this.#clock.schedule(SLOT_MS, this.#tick);
    }
    const slot = Math.max(this.#lastSlot + 1, Math.ceil(dueMs / SLOT_MS));
    let batches = this.#slots.get(slot);
    if (batches === undefined) {
      batches = new Map();
      this.#slots.set(slot, batches);
    }
    let batch = batches.get(account);
    if (batch === undefined) {
      batch = new Batch();
      batches.set(account, batch);
    }
    return batch;
  }

  #release(): void {
    const now = Math.floor(this.#clock.now() / SLOT_MS);
    // After the machine slept long it is cheaper to check the slots that exist than every slot since then.
    const due =
      now - this.#lastSlot > 1_000
        ? [...this.#slots.keys()].filter((slot) => slot <= now).sort((a, b) => a - b)
        : Array.from({ length: Math.max(0, now - this.#lastSlot) }, (_, i) => this.#lastSlot + 1 + i);
    this.#lastSlot = Math.max(this.#lastSlot, now);
    for (const slot of due) {
      const batches = this.#slots.get(slot);
      if (batches === undefined) continue;
      this.#slots.delete(slot);
      for (const [account, batch] of batches) this.#onDue(account, batch);
    }
  }

  clear(): void {
    this.#slots.clear();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
