import type { SimulatorSettings } from './settings.ts';

/** All outcomes that a segment can have here. */
export const OUTCOMES = [
  'delivered',
  'expired',
  'undeliverable',
  'rejected_at_submit',
  'throttled',
  'no_response',
  'late_receipt',
  'receipt_before_response',
  'duplicate_receipt',
  'no_receipt',
  'late_response',
  'deleted',
  'rejected_by_receipt',
  'unknown',
  'session_dropped',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes by the last four digits of the number; all other numbers are delivered. */
export const MAGIC_NUMBERS: Record<string, Outcome> = {
  9901: 'delivered',
  9902: 'expired',
  9903: 'undeliverable',
  9904: 'rejected_at_submit',
  9905: 'throttled',
  9906: 'no_response',
  9907: 'late_receipt',
  9908: 'receipt_before_response',
  9909: 'duplicate_receipt',
  9910: 'no_receipt',
  9911: 'late_response',
  9912: 'deleted',
  9913: 'rejected_by_receipt',
  9914: 'unknown',
};

/** Returns the state that the receipt of an outcome reports. */
export const receiptState = (outcome: Outcome) => {
  switch (outcome) {
    case 'expired':
    case 'undeliverable':
    case 'deleted':
    case 'unknown':
      return outcome;
    case 'rejected_by_receipt':
      return 'rejected';
    default:
      return 'delivered';
  }
};

/** Returns whether a handset gets the message. */
export const arrives = (outcome: Outcome): boolean =>
  outcome !== 'rejected_at_submit' && outcome !== 'throttled' && receiptState(outcome) === 'delivered';

const FAULTS = [
  ['no_response', 'no_response'],
  ['late_response', 'late_response'],
  ['throttled', 'throttled'],
  ['rejected', 'rejected_at_submit'],
  ['undeliverable', 'undeliverable'],
  ['duplicate_receipt', 'duplicate_receipt'],
  ['no_receipt', 'no_receipt'],
  ['dropped', 'session_dropped'],
] as const satisfies [keyof SimulatorSettings['faults'], Outcome][];

/** Chooses outcomes at random; the same seed and the same order of numbers give the same faults. */
export class Fate {
  #settings: SimulatorSettings;
  #faulty = false;
  #state: number;

  constructor(settings: SimulatorSettings, seed: number) {
    this.#settings = settings;
    this.#state = seed >>> 0 || 1;
    this.configure(settings);
  }

  configure(settings: SimulatorSettings): void {
    this.#settings = settings;
    this.#faulty = Object.values(settings.faults).some((share) => share > 0);
  }

  of(msisdn: string): Outcome {
    // All magic numbers begin with 99. Two character codes show that without a slice.
    const { length } = msisdn;
    if (
      this.#settings.magic_numbers &&
      length >= 4 &&
      msisdn.charCodeAt(length - 4) === 57 &&
      msisdn.charCodeAt(length - 3) === 57
    ) {
      const magic = MAGIC_NUMBERS[msisdn.slice(-4)];
      if (magic !== undefined) return magic;
    }
    if (!this.#faulty) return 'delivered';
    let draw = this.random();
    for (const [fault, outcome] of FAULTS) {
      draw -= this.#settings.faults[fault];
      if (draw < 0) return outcome;
    }
    return 'delivered';
  }

  /** Returns a number 0..1 from xorshift32, which is good enough for faults. */
  random(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state / 0x1_0000_0000;
  }
}

/** Number of times that a number with the outcome `throttled` is refused before it is accepted. */
const TRIES = 3;

/** Maximum numbers that are remembered; the oldest is dropped first. */
const MAX_NUMBERS = 10_000;

/** Counts the refusals of throttled numbers. */
export class ThrottledTries {
  readonly #tries = new Map<string, number>();

  /** Returns whether this attempt is refused. After three refusals one is accepted, and the count starts again. */
  refuses(msisdn: string): boolean {
    const tries = this.#tries.get(msisdn) ?? 0;
    if (tries >= TRIES) {
      this.#tries.delete(msisdn);
      return false;
    }
    this.#tries.set(msisdn, tries + 1);
    if (this.#tries.size > MAX_NUMBERS) this.#tries.delete(this.#tries.keys().next().value!);
    return true;
  }

  clear(): void {
    this.#tries.clear();
  }
}
