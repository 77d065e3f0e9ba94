import type { Buffer } from 'node:buffer';
import { type Clock, COMMAND_ID, encodeMessage, type MessageFields, PduWriter } from '@heliograph/smpp';

const SLOT_MS = 10;

/** Encoded deliver_sm PDUs for one customer, in one buffer. */
export class Batch {
  readonly writer: PduWriter;
  /** Where each PDU ends. */
  readonly ends: number[] = [];
  /** The log position each PDU reports on; 0 for a message from a handset. */
  readonly seqs: number[] = [];
  /** PDUs handed to sessions so far. */
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

  /** Takes over one PDU of another batch, for another try. */
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
 * Receipts by the moment they are due, in slots of 10 ms. They are encoded when the segment is accepted, so that a
 * million waiting ones cost bytes and no objects.
 */
export class ReceiptQueue<Account> {
  readonly #slots = new Map<number, Map<Account, Batch>>();
  readonly #onDue: (account: Account, batch: Batch) => void;
  readonly #clock: Clock;
  #cancel: () => void;
  #lastSlot: number;

  /** `clock` tells epoch milliseconds. */
  constructor(clock: Clock, onDue: (account: Account, batch: Batch) => void) {
    this.#onDue = onDue;
    this.#clock = clock;
    this.#lastSlot = Math.floor(clock.now() / SLOT_MS);
    this.#cancel = clock.schedule(SLOT_MS, this.#tick);
  }

  readonly #tick = (): void => {
    this.#cancel = this.#clock.schedule(SLOT_MS, this.#tick);
    this.#release();
  };

  /** The batch that is due at that moment for the customer. */
  at(dueMs: number, account: Account): Batch {
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
    // After a long sleep of the machine it is cheaper to look at what is there than at every slot gone by.
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
    this.#cancel();
  }
}
