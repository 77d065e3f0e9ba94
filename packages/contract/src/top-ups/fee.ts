/** Currencies whose smallest unit is the whole one, or a thousandth, at payment providers; all others have cents. */
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THOUSANDTHS = 'BHD JOD KWD OMR TND'.split(' ');

/** Returns the thousandths in one unit that a provider counts: 10 for a cent, 1000 for a yen. */
const unitOf = (currency: string): number =>
  WHOLE.includes(currency) ? 1_000 : THOUSANDTHS.includes(currency) ? 1 : 10;

/** Tells if an amount in thousandths can be paid in a currency, without a part of a cent. */
export const isPayable = (thousandths: number, currency: string): boolean => thousandths % unitOf(currency) === 0;

/** Returns the units that a provider counts, such as cents. Throws RangeError for a part of one. */
export function toUnits(thousandths: number, currency: string): number {
  if (!isPayable(thousandths, currency)) throw new RangeError(`not payable in ${currency}: ${thousandths}`);
  return thousandths / unitOf(currency);
}

/** Returns the thousandths of units that a provider counts. */
export const fromUnits = (units: number, currency: string): number => units * unitOf(currency);

/** Terms of a payment method: thousandths of a percent, and thousandths of the currency. */
export interface FeeTerms {
  fee_percent: number;
  fee_fixed: number;
  fee_payer: 'customer' | 'seller';
  currency: string;
}

/**
 * Returns the fee for an amount and what the customer pays, in thousandths. The fee is rounded up to the currency's
 * smallest unit. A fee that the seller pays is 0 here: the customer does not see it.
 */
export function feeOf(amount: number, { fee_percent, fee_fixed, fee_payer, currency }: FeeTerms) {
  if (fee_payer === 'seller') return { fee: 0, total: amount };
  const unit = BigInt(unitOf(currency));
  const exact = BigInt(amount) * BigInt(fee_percent) + BigInt(fee_fixed) * 100_000n;
  const step = unit * 100_000n;
  const fee = Number(((exact + step - 1n) / step) * unit);
  return { fee, total: amount + fee };
}

/** Returns the part of an amount that the account loses when `returned` of `total` went back, rounded down; all for all. */
export const takenBack = (returned: number, { amount, total }: { amount: number; total: number }): number =>
  Number((BigInt(returned) * BigInt(amount)) / BigInt(total));
