import type { SenderKind } from '@heliograph/contract/senders/sender-id';
import type { MessageClass } from '#platform/database/schema';

/** Rate of a card, as it is stored. */
export interface StoredRate {
  prefix: string | null;
  mcc: string | null;
  mnc: string | null;
  class: MessageClass | null;
  sender_kind: SenderKind | null;
  /** Millionths for a part. */
  amount: number;
  starts_on: string | null;
}

/** Condition of a rate on messages, as two digits: 0 for any, else the place of the word from 1. */
const CLASSES: Readonly<Record<MessageClass, number>> = { otp: 1, transactional: 2, bulk: 3 };
const KINDS: Readonly<Record<SenderKind, number>> = { alphanumeric: 1, short_code: 2, number: 3 };
const KIND_PLACES = 4;

/** Returns the condition that a message meets fully; `conditionsOf` lists the rest. */
export const conditionOf = (messageClass: MessageClass, kind: SenderKind): number =>
  CLASSES[messageClass] * KIND_PLACES + KINDS[kind];

const NONE = -1;
const TWO_32 = 4_294_967_296;
const MOST_DIGITS = 15;
/** First digits by which the lengths of prefixes are known. */
const HEAD_DIGITS = 5;

/**
 * Rates of one card on one day, in typed arrays: some 30 bytes a prefix. A prefix is a number with a 1 in front of its
 * digits, in an open hash table. It is asked for each length that a prefix with the number's first five digits has, the
 * longest first.
 */
export class RateIndex {
  readonly #keys: Float64Array;
  readonly #first: Int32Array;
  readonly #mask: number;
  /** Rates of one prefix or network are in a chain, the most specific condition first. */
  readonly #conditions: Uint8Array;
  readonly #amounts: Float64Array;
  readonly #next: Int32Array;
  readonly #networks = new Map<string, number>();
  /** Lengths of the prefixes of numbers with these first digits, a bit for each. */
  readonly #lengths = new Uint16Array(10 ** HEAD_DIGITS);
  #anyLength = 0;
  readonly size: number;
  readonly #values = new Float64Array(MOST_DIGITS + 1);

  /** `rates` come in any order; of several for the same prefix and condition, the one that starts last counts. */
  constructor(rates: readonly StoredRate[]) {
    this.size = rates.length;
    let slots = 16;
    while (slots < rates.length * 2) slots *= 2;
    this.#keys = new Float64Array(slots);
    this.#first = new Int32Array(slots).fill(NONE);
    this.#mask = slots - 1;
    this.#conditions = new Uint8Array(rates.length);
    this.#amounts = new Float64Array(rates.length);
    this.#next = new Int32Array(rates.length).fill(NONE);
    const startOf = (at: number) => rates[at]!.starts_on ?? '';
    const order = [...rates.keys()];
    if (rates.some(({ starts_on }) => starts_on !== null))
      order.sort((a, b) => Number(startOf(a) > startOf(b)) - Number(startOf(a) < startOf(b)));
    for (const at of order) {
      const rate = rates[at]!;
      const condition =
        (rate.class ? CLASSES[rate.class] : 0) * KIND_PLACES + (rate.sender_kind ? KINDS[rate.sender_kind] : 0);
      this.#conditions[at] = condition;
      this.#amounts[at] = rate.amount;
      if (rate.prefix === null) {
        const network = `${rate.mcc}${rate.mnc ?? ''}`;
        this.#networks.set(network, this.#chained(this.#networks.get(network) ?? NONE, at));
      } else {
        this.#addLength(rate.prefix);
        const slot = this.#slotOf(Number(`1${rate.prefix}`));
        this.#keys[slot] = Number(`1${rate.prefix}`);
        this.#first[slot] = this.#chained(this.#first[slot]!, at);
      }
    }
  }

  /** Records the length of a prefix for all first digits of numbers that it matches. */
  #addLength(prefix: string): void {
    const bit = 1 << prefix.length;
    const missing = Math.max(0, HEAD_DIGITS - prefix.length);
    const first = Number(prefix.slice(0, HEAD_DIGITS)) * 10 ** missing;
    for (let head = first; head < first + 10 ** missing; head++) this.#lengths[head]! |= bit;
    this.#anyLength |= bit;
  }

  /** Puts a rate at its place in a chain and returns the chain's first rate; one with the same condition is replaced. */
  #chained(first: number, at: number): number {
    const condition = this.#conditions[at]!;
    if (first === NONE || this.#conditions[first]! < condition) {
      this.#next[at] = first;
      return at;
    }
    if (this.#conditions[first] === condition) {
      this.#next[at] = this.#next[first]!;
      return at;
    }
    this.#next[first] = this.#chained(this.#next[first]!, at);
    return first;
  }

  #slotOf(key: number): number {
    let slot = (Math.imul((key >>> 0) ^ Math.imul((key / TWO_32) >>> 0, 0x85ebca6b), 0x9e3779b1) >>> 7) & this.#mask;
    while (this.#keys[slot] !== key && this.#keys[slot] !== 0) slot = (slot + 1) & this.#mask;
    return slot;
  }

  /** Returns the place of the first rate of a chain whose condition the message meets. */
  #fitting(first: number, condition: number): number {
    for (let at = first; at !== NONE; at = this.#next[at]!) {
      const asked = this.#conditions[at]!;
      const kind = asked % KIND_PLACES;
      if (
        (asked < KIND_PLACES || asked - kind === condition - (condition % KIND_PLACES)) &&
        (kind === 0 || kind === condition % KIND_PLACES)
      )
        return at;
    }
    return NONE;
  }

  /**
   * Returns the rate of a number as a place for `amountAt`; -1 if none fits. `network` is its MCC and MNC, such as 51503,
   * or empty if it is not known. `found`, if given, is called with what matched.
   */
  find(msisdn: string, network: string, condition: number, found?: (matched: string) => void): number {
    if (this.#networks.size > 0 && network !== '') {
      for (const name of [network, network.slice(0, 3)]) {
        const at = this.#fitting(this.#networks.get(name) ?? NONE, condition);
        if (at === NONE) continue;
        found?.(name);
        return at;
      }
    }
    const values = this.#values;
    const digits = Math.min(msisdn.length, MOST_DIGITS);
    let value = 1;
    for (let at = 0; at < digits; at++) {
      const digit = msisdn.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) return NONE;
      value = value * 10 + digit;
      values[at + 1] = value;
    }
    const head = digits < HEAD_DIGITS ? -1 : values[HEAD_DIGITS]! - 10 ** HEAD_DIGITS;
    let lengths = head < 0 ? this.#anyLength : this.#lengths[head]!;
    while (lengths !== 0) {
      const length = 31 - Math.clz32(lengths);
      lengths &= ~(1 << length);
      if (length > digits) continue;
      const first = this.#first[this.#slotOf(values[length]!)]!;
      if (first === NONE) continue;
      const at = this.#fitting(first, condition);
      if (at === NONE) continue;
      found?.(msisdn.slice(0, length));
      return at;
    }
    return NONE;
  }

  /** Returns the cost of a part, in millionths. */
  amountAt(place: number): number {
    return this.#amounts[place]!;
  }
}
