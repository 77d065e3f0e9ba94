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
