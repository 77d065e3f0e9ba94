import { Buffer } from 'node:buffer';
import { type Concatenation, concatenationOf, decodeShortMessage, splitUdh } from '@heliograph/smpp';
import { OUTCOMES, type Outcome } from './outcome.ts';

/** One segment the simulator accepted or refused, as the JSON API shows it. */
export interface AcceptedSegment {
  /** Position in the log, from 1, never reused. */
  seq: number;
  /** The id in decimal; '' for a segment that was refused. */
  id: string;
  system_id: string;
  from: string;
  to: string;
  /** The segment's own text, decoded, without its UDH. */
  text: string;
  /** Concatenation reference, total and part, or null for a single segment. */
  part: Concatenation | null;
  data_coding: number;
  esm_class: number;
  registered_delivery: number;
  /** Time in RFC 3339, UTC. */
  received_at: string;
  outcome: Outcome;
  /** command_status of the response; null if none was sent. */
  status: number | null;
  receipt: ReceiptProgress;
}

export type ReceiptProgress = 'none' | 'waiting' | 'sent' | 'acknowledged';

export interface LogPage {
  data: AcceptedSegment[];
  /** Position to pass as `after` for the next page; null at the end. */
  next: number | null;
}

/** Values from which a segment is logged. */
export interface Submitted {
  system_id: string;
  from: string;
  to: string;
  content: Uint8Array;
  data_coding: number;
  esm_class: number;
  registered_delivery: number;
  outcome: Outcome;
  status: number | null;
  receipt: ReceiptProgress;
}

const PROGRESS: ReceiptProgress[] = ['none', 'waiting', 'sent', 'acknowledged'];
const NO_RESPONSE = 0xffffffff;
const BLOCK = 1_048_576;

/**
 * The newest segments in a ring of typed arrays; their strings and octets are in shared blocks. Memory is bounded,
 * segments are decoded only when they are read, and a search by number reads one array.
 */
export class SegmentLog {
  readonly keep: number;
  /** Number of segments ever logged; the newest has this position. */
  total = 0;
  readonly #firstId: number;
  readonly #accounts: string[] = [];
  readonly #blocks: (Buffer | undefined)[];
  readonly #offsets: Uint32Array;
  readonly #numbers: Float64Array;
  readonly #receivedAt: Float64Array;
  readonly #statuses: Uint32Array;
  readonly #small: Uint8Array;
  #block: Buffer = Buffer.allocUnsafeSlow(BLOCK);
  #used = 0;
  #cleared = 0;

  constructor(keep: number, firstId: number) {
    this.keep = keep;
    this.#firstId = firstId;
    this.#blocks = new Array<Buffer | undefined>(keep).fill(undefined);
    this.#offsets = new Uint32Array(keep);
    this.#numbers = new Float64Array(keep);
    this.#receivedAt = new Float64Array(keep);
    this.#statuses = new Uint32Array(keep);
    this.#small = new Uint8Array(keep * 6);
  }

  /** Returns the id of the segment at a position. Refused segments also have a position. */
  idOf(seq: number): number {
    return this.#firstId + seq;
  }

  /** Stores a copy of the segment and returns its position. */
  add(s: Submitted, now: number): number {
    const seq = ++this.total;
    const slot = (seq - 1) % this.keep;
    const needed = 4 + s.from.length + s.to.length + s.content.length;
    if (this.#used + needed > BLOCK) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK, needed));
      this.#used = 0;
    }
    const b = this.#block;
    this.#blocks[slot] = b;
    this.#offsets[slot] = this.#used;
    let at = putText(b, this.#used, s.from);
    at = putText(b, at, s.to);
    b[at++] = s.content.length >>> 8;
    b[at++] = s.content.length;
    b.set(s.content, at);
    this.#used = at + s.content.length;
    this.#numbers[slot] = Number(s.to);
    this.#receivedAt[slot] = now;
    this.#statuses[slot] = s.status ?? NO_RESPONSE;
    const small = slot * 6;
    this.#small[small] = s.data_coding;
    this.#small[small + 1] = s.esm_class;
    this.#small[small + 2] = s.registered_delivery;
    this.#small[small + 3] = OUTCOMES.indexOf(s.outcome);
    this.#small[small + 4] = PROGRESS.indexOf(s.receipt);
    this.#small[small + 5] = this.#account(s.system_id);
    return seq;
  }

  /** Returns the index of a customer. Up to 255 customers have their own; any more share the last name. */
  #account(systemId: string): number {
    let index = this.#accounts.indexOf(systemId);
    if (index < 0) index = this.#accounts.length < 255 ? this.#accounts.push(systemId) - 1 : 254;
    return index;
  }

  setReceipt(seq: number, progress: ReceiptProgress): void {
    if (this.#holds(seq)) this.#small[((seq - 1) % this.keep) * 6 + 4] = PROGRESS.indexOf(progress);
  }

  #holds(seq: number): boolean {
    return seq >= this.oldest && seq <= this.total && seq > 0;
  }

  /** Oldest position still in memory. */
  get oldest(): number {
    return Math.max(this.#cleared + 1, this.total - this.keep + 1);
  }

  read(seq: number): AcceptedSegment | undefined {
    if (!this.#holds(seq)) return undefined;
    const slot = (seq - 1) % this.keep;
    const b = this.#blocks[slot]!;
    let at = this.#offsets[slot]!;
    const from = b.toString('latin1', at + 1, at + 1 + b[at]!);
    at += 1 + b[at]!;
    const to = b.toString('latin1', at + 1, at + 1 + b[at]!);
    at += 1 + b[at]!;
    const content = b.subarray(at + 2, at + 2 + b.readUInt16BE(at));
    const [data_coding, esm_class, registered_delivery, outcome, receipt, account] = this.#small.subarray(
      slot * 6,
      slot * 6 + 6,
    ) as unknown as [number, number, number, number, number, number];
    const status = this.#statuses[slot]!;
    return {
      seq,
      id: status === 0 || status === NO_RESPONSE ? String(this.idOf(seq)) : '',
      system_id: this.#accounts[account]!,
      from,
      to,
      ...readContent(content, data_coding, esm_class),
      data_coding,
      esm_class,
      registered_delivery,
      received_at: new Date(this.#receivedAt[slot]!).toISOString(),
      outcome: OUTCOMES[outcome]!,
      status: status === NO_RESPONSE ? null : status,
      receipt: PROGRESS[receipt]!,
    };
  }

  /** Returns the segments after a position, oldest first. */
  page(after: number, limit: number): LogPage {
    const data: AcceptedSegment[] = [];
    let seq = Math.max(after, this.oldest - 1);
    while (seq < this.total && data.length < limit) data.push(this.read(++seq)!);
    return { data, next: seq < this.total ? seq : null };
  }

  /** Returns the positions of the segments to one number, oldest first. */
  positionsTo(msisdn: string): number[] {
    const number = Number(msisdn);
    const found: number[] = [];
    for (let seq = this.oldest; seq <= this.total; seq++) {
      const kept = this.#numbers[(seq - 1) % this.keep]!;
      if (kept === number || (Number.isNaN(kept) && this.read(seq)!.to === msisdn)) found.push(seq);
    }
    return found;
  }

  /** Returns the newest position of each number that contains `search`, newest first. */
  recent(search: string, limit: number): number[] {
    const seen = new Set<number>();
    const found: number[] = [];
    for (let seq = this.total; seq >= this.oldest && found.length < limit; seq--) {
      const number = this.#numbers[(seq - 1) % this.keep]!;
      if (seen.has(number)) continue;
      seen.add(number);
      if (search === '' || String(number).includes(search)) found.push(seq);
    }
    return found;
  }

  /** Removes all segments. Positions and ids continue, so that no late receipt matches another message. */
  clear(): void {
    this.#blocks.fill(undefined);
    this.#cleared = this.total;
  }
}

/** Returns the text and the part that a segment's octets hold. */
export function readContent(
  content: Uint8Array,
  data_coding: number,
  esm_class: number,
): Pick<AcceptedSegment, 'text' | 'part'> {
  const { body } = splitUdh(content, esm_class);
  return {
    text: decodeShortMessage(body, data_coding),
    part: concatenationOf({ esm_class, short_message: content }) ?? null,
  };
}

function putText(b: Buffer, at: number, text: string): number {
  b[at++] = text.length;
  for (let i = 0; i < text.length; i++) b[at++] = text.charCodeAt(i);
  return at;
}
