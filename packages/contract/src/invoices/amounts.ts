// Amounts of a document, by the same rule in the console, the server and the printed document. Amounts are integers in
// thousandths of the currency unit, rates are thousandths of a percent.
//
// The rule (EN 16931, BR-CO-10 to BR-CO-17): each line is rounded to the minor unit of the currency, half away from zero.
// Lines are added by category and rate, the tax of each sum is rounded once, and sums are never rounded again. If prices
// include tax, the sum of the lines is what is payable: the sum without tax is divided out once, and a difference of
// rounding is shown as such.

/** Categories of tax: of the seller's rate, zero-rated, exempt with a reason, or outside the scope of the tax. */
export const TAX_CATEGORIES = ['standard', 'zero', 'exempt', 'outside'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** Line as it is priced. `quantity` is thousandths, and negative for a deduction. */
export interface PricedLine {
  quantity: number;
  unit_price: number;
  tax_category: TaxCategory;
  tax_rate: number;
}

/** Sum of the lines of a category and rate, without tax, and the tax on it. */
export interface TaxSum {
  tax_category: TaxCategory;
  tax_rate: number;
  taxable: number;
  tax: number;
}

/** Sums of a document. `payable` is `net + tax + rounding`; the withholding is a part of it. */
export interface Sums {
  /** Amount of each line as priced, and without tax. */
  lines: { amount: number; net: number }[];
  taxes: TaxSum[];
  net: number;
  tax: number;
  rounding: number;
  payable: number;
  withholding: number;
}

const PERCENT = 100_000n;

/** Returns the decimals of a currency's minor unit, at most three: 2 for PHP, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  try {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
    return Math.min(3, maximumFractionDigits ?? 2);
  } catch {
    return 2;
  }
}

/** Divides and rounds to a whole number, half away from zero. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * a + b) / (2n * b);
  return negative ? -quotient : quotient;
}

const number = (value: bigint): number => {
  const result = Number(value);
  if (!Number.isSafeInteger(result)) throw new RangeError('the amounts of a document are too large');
  return result;
};

/** Rounds an amount in thousandths to the minor unit of a currency. */
export const roundToMinor = (thousandths: number, currency: string): number => {
  const unit = 10n ** BigInt(3 - minorDigits(currency));
  return number(divideRounded(BigInt(thousandths), unit) * unit);
};

/** Calculates the sums of a document. Throws RangeError if an amount is too large. */
export function sumsOf(
  lines: readonly PricedLine[],
  terms: { currency: string; prices_include_tax: boolean; withholding_rate: number },
): Sums {
  const unit = 10n ** BigInt(3 - minorDigits(terms.currency));
  const amounts = lines.map(
    ({ quantity, unit_price }) => divideRounded(BigInt(quantity) * BigInt(unit_price), 1000n * unit) * unit,
  );
  const groups = new Map<string, { of: PricedLine; places: number[] }>();
  for (const [place, line] of lines.entries()) {
    const key = `${line.tax_category} ${line.tax_rate}`;
    const group = groups.get(key) ?? { of: line, places: [] };
    group.places.push(place);
    groups.set(key, group);
  }
  const nets: bigint[] = [...amounts];
  const taxes: { of: PricedLine; taxable: bigint; tax: bigint }[] = [];
  for (const { of, places } of groups.values()) {
    const rate = BigInt(of.tax_rate);
    let priced = 0n;
    let taxable = 0n;
    for (const place of places) {
      priced += amounts[place]!;
      // The share of a line is the difference of two rounded running sums, so that all shares add up to the sum.
      const sum = terms.prices_include_tax ? divideRounded(priced * PERCENT, (PERCENT + rate) * unit) * unit : priced;
      nets[place] = sum - taxable;
      taxable = sum;
    }
    taxes.push({ of, taxable, tax: divideRounded(taxable * rate, PERCENT * unit) * unit });
  }
  const add = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);
  const net = add(taxes.map(({ taxable }) => taxable));
  const tax = add(taxes.map((each) => each.tax));
  const payable = terms.prices_include_tax ? add(amounts) : net + tax;
  return {
    lines: amounts.map((amount, place) => ({ amount: number(amount), net: number(nets[place]!) })),
    taxes: taxes.map(({ of: { tax_category, tax_rate }, ...sums }) => ({
      tax_category,
      tax_rate,
      taxable: number(sums.taxable),
      tax: number(sums.tax),
    })),
    net: number(net),
    tax: number(tax),
    rounding: number(payable - net - tax),
    payable: number(payable),
    withholding: number(divideRounded(net * BigInt(terms.withholding_rate), PERCENT * unit) * unit),
  };
}

/** Facts that decide the category and rate of a document's lines. */
interface Taxed {
  tax_registered: boolean;
  tax_rate: number;
}

/** Returns the category and rate of a line: those of the seller and buyer, unless the line is of another category. */
export function taxOf(
  seller: Taxed,
  treatment: 'standard' | 'zero' | 'exempt',
  own?: TaxCategory | undefined,
): { tax_category: TaxCategory; tax_rate: number } {
  if (!seller.tax_registered) return { tax_category: 'outside', tax_rate: 0 };
  const wanted = own ?? treatment;
  if (wanted === 'standard' && seller.tax_rate === 0) return { tax_category: 'zero', tax_rate: 0 };
  return { tax_category: wanted, tax_rate: wanted === 'standard' ? seller.tax_rate : 0 };
}
