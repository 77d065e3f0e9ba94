/** Amounts are integers in thousandths of the currency unit in the program, and decimal strings on the wire. */

/** Returns the thousandths of a decimal string such as "12.5" (12500). Throws RangeError for anything else. */
export function toThousandths(decimal: string): number {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,3}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not an amount: ${decimal}`);
  const value = Number(match[2]) * 1000 + Number((match[3] ?? '').padEnd(3, '0'));
  return match[1] && value ? -value : value;
}

/** Returns the decimal string of an amount in thousandths, always with three decimals: 12500 → "12.500". */
export function fromThousandths(thousandths: number): string {
  if (!Number.isSafeInteger(thousandths)) throw new RangeError(`not an amount in thousandths: ${thousandths}`);
  const digits = String(Math.abs(thousandths)).padStart(4, '0');
  return `${thousandths < 0 ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/**
 * Returns the millionths of a decimal string such as "0.00215" (2150): costs that carriers take, in their currency.
 * Throws RangeError for anything else.
 */
export function toMillionths(decimal: string): number {
  const match = /^(-?)(\d{1,9})(?:\.(\d{1,6}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not a cost: ${decimal}`);
  const value = Number(match[2]) * 1_000_000 + Number((match[3] ?? '').padEnd(6, '0'));
  return match[1] && value ? -value : value;
}

/** Returns the decimal string of a cost in millionths, with at least three decimals: 2150 → "0.00215", 500000 → "0.500". */
export function fromMillionths(millionths: number): string {
  if (!Number.isSafeInteger(millionths)) throw new RangeError(`not a cost in millionths: ${millionths}`);
  const digits = String(Math.abs(millionths)).padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,3}$/, '');
  return `${millionths < 0 ? '-' : ''}${digits.slice(0, -6)}.${decimals}`;
}
