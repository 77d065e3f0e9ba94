/** Rate of a pair of currencies from a day on: `digits / 10 ^ scale`. */
export interface RateEntry {
  from_currency: string;
  to_currency: string;
  day: string;
  digits: number;
  scale: number;
}

/** Exact value of one unit of a currency in another one: a fraction of whole numbers. */
export interface Rate {
  numerator: bigint;
  denominator: bigint;
  /** Entries that it follows from; none for a currency in itself, two if they meet in a third currency. */
  entries: readonly RateEntry[];
}

const SAME: Rate = { numerator: 1n, denominator: 1n, entries: [] };

/**
 * Converts an amount in whole millionths of a currency by a rate. Rounds half up; below zero it rounds half away from
 * zero, so that a credit is converted like the charge that it undoes. Throws RangeError beyond 2^53 millionths.
 */
export function convertMillionths(amount: number, rate: Rate): number {
  const twice = BigInt(Math.abs(amount)) * rate.numerator * 2n;
  const converted = Number((twice + rate.denominator) / (2n * rate.denominator));
  if (!Number.isSafeInteger(amount) || !Number.isSafeInteger(converted))
    throw new RangeError(`not an amount in millionths: ${amount}`);
  return amount < 0 && converted !== 0 ? -converted : converted;
}

/** Writes a rate as a decimal with up to twelve decimals, for people. */
export function shownRate({ numerator, denominator }: Rate): string {
  const scaled = (numerator * 2n * 10n ** 12n + denominator) / (2n * denominator);
  const digits = String(scaled).padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
}

/** Splits a decimal into digits and scale, without zeros at its end: "57.250" is 5725 with scale 2. */
export function digitsOf(decimal: string): { digits: number; scale: number } {
  const [whole = '', fraction = ''] = decimal.split('.');
  const kept = fraction.replace(/0+$/, '');
  return { digits: Number(whole + kept), scale: kept.length };
}

/** All exchange rates in memory. A rate counts from its day until the day of the pair's next one. */
export class RateTable {
  readonly version: string;
  /** Entries by pair, with the names of its currencies in alphabetical order; the latest day first. */
  readonly #pairs = new Map<string, RateEntry[]>();
  readonly #currencies = new Set<string>();

  constructor(version: string, entries: readonly RateEntry[]) {
    this.version = version;
    for (const entry of entries) {
      const key = pairOf(entry.from_currency, entry.to_currency);
      const known = this.#pairs.get(key);
      if (known) known.push(entry);
      else this.#pairs.set(key, [entry]);
      this.#currencies.add(entry.from_currency).add(entry.to_currency);
    }
    for (const pair of this.#pairs.values()) pair.sort((a, b) => (a.day < b.day ? 1 : -1));
  }

  /**
   * Returns the value of a currency in another one on a day: by the latest entry of the pair, in either direction, that
   * is not after the day. Without one, two entries that meet in a third currency count, with the latest days. Null if
   * the value is unknown.
   */
  rateOn(from: string, to: string, day: string): Rate | null {
    if (from === to) return SAME;
    const direct = this.#direct(from, to, day);
    if (direct) return direct;
    let best: Rate | null = null;
    for (const middle of [...this.#currencies].sort()) {
      const first = this.#direct(from, middle, day);
      const second = first && this.#direct(middle, to, day);
      if (!first || !second) continue;
      const through = joined(first, second);
      if (!best || oldestOf(through) > oldestOf(best)) best = through;
    }
    return best;
  }

  #direct(from: string, to: string, day: string): Rate | null {
    const entry = this.#pairs.get(pairOf(from, to))?.find((each) => each.day <= day);
    if (!entry) return null;
    const [digits, unit] = [BigInt(entry.digits), 10n ** BigInt(entry.scale)];
    return entry.from_currency === from
      ? { numerator: digits, denominator: unit, entries: [entry] }
      : { numerator: unit, denominator: digits, entries: [entry] };
  }
}

const pairOf = (one: string, other: string) => (one < other ? `${one} ${other}` : `${other} ${one}`);
const oldestOf = ({ entries }: Rate) => entries.map(({ day }) => day).sort()[0]!;
const joined = (first: Rate, second: Rate): Rate => ({
  numerator: first.numerator * second.numerator,
  denominator: first.denominator * second.denominator,
  entries: [...first.entries, ...second.entries],
});
