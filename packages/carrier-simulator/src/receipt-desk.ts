import { buildReceipt, type DataSm, type SubmitMulti, type SubmitSm } from '@heliograph/smpp';
import type { Account } from './account.ts';
import { type Fate, type Outcome, receiptState } from './outcome.ts';
import type { ReceiptQueue } from './receipt-queue.ts';
import type { SimulatorSettings } from './settings.ts';

export type Submission = SubmitSm | DataSm | SubmitMulti;

const DUPLICATE_AFTER_MS = 500;
/** Delay of the receipts of a liar that does not wait for phones. */
const EARLY_MS = 200;

/** Writes ids and receipts in the formats of the settings, and queues each receipt for its due time. */
export class ReceiptDesk {
  settings: SimulatorSettings;
  readonly #queue: ReceiptQueue<Account>;
  readonly #fate: Fate;
  readonly #idOf: (seq: number) => number;
  #lastSeq = 0;
  #lastBase = 0;
  #lastId = '';
  #high = 0;
  #highText = '';

  constructor(queue: ReceiptQueue<Account>, fate: Fate, settings: SimulatorSettings, idOf: (seq: number) => number) {
    this.#queue = queue;
    this.#fate = fate;
    this.settings = settings;
    this.#idOf = idOf;
  }

  /** Returns the id that submit_sm_resp carries. */
  responseId(seq: number): string {
    return this.#id(seq, this.settings.response_id_format === 'hex' ? 16 : 10);
  }

  /** Writes an id in a base. The last id is cached because response and receipt mostly share it. */
  #id(seq: number, base: 10 | 16): string {
    if (seq === this.#lastSeq && base === this.#lastBase) return this.#lastId;
    const chunk = base === 16 ? 0x1000_0000 : 100_000_000;
    const id = this.#idOf(seq);
    const high = Math.floor(id / chunk);
    if (high !== this.#high || base !== this.#lastBase) {
      this.#high = high;
      this.#highText = high.toString(base);
    }
    // Numbers beyond 32 bits are slow to write, so the upper digits are cached: they rarely change.
    const low = (id - high * chunk).toString(base).padStart(base === 16 ? 7 : 8, '0');
    this.#lastSeq = seq;
    this.#lastBase = base;
    this.#lastId = this.#highText + low;
    return this.#lastId;
  }

  /** Queues the receipt of an accepted segment. */
  promise(request: Submission, to: string, outcome: Outcome, seq: number, account: Account, now: number): void {
    const { receipt_delay_ms, receipt_jitter_ms, late_receipt_ms, receipt_style, receipt_id_format, liar } =
      this.settings;
    const lies = liar !== 'none' && this.#fate.random() < this.settings.liar_share;
    let dueMs = now + receipt_delay_ms;
    if (lies && liar === 'early_receipts') dueMs = now + EARLY_MS;
    else if (receipt_jitter_ms > 0 && !(lies && liar === 'regular_receipts'))
      dueMs += this.#fate.random() * receipt_jitter_ms;
    if (outcome === 'late_receipt') dueMs += late_receipt_ms;
    if (outcome === 'receipt_before_response') dueMs = now;
    const id = this.#id(seq, receipt_id_format === 'hex' ? 16 : 10);
    const receipt = buildReceipt({
      id,
      state: lies && liar === 'false_receipts' ? 'delivered' : receiptState(outcome),
      submitted: now,
      done: dueMs,
      style: receipt_style,
    });
    const fields = {
      source_addr_ton: 1,
      source_addr_npi: 1,
      source_addr: to.slice(0, 20),
      dest_addr_ton: request.source_addr_ton,
      dest_addr_npi: request.source_addr_npi,
      destination_addr: request.source_addr.slice(0, 20),
      esm_class: receipt.esm_class,
      short_message: receipt.short_message,
      tlvs: receipt.tlvs,
    };
    this.#queue.at(dueMs, account).add(fields, seq);
    if (outcome === 'duplicate_receipt') this.#queue.at(dueMs + DUPLICATE_AFTER_MS, account).add(fields, seq);
  }
}
