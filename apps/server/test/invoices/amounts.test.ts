import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PricedLine, sumsOf, taxOf } from '@heliograph/contract/invoices/amounts';
import { seededRandom } from '@heliograph/fault-kit';

// The sums are computed a second time here, in exact fractions and by the words of the rule only.

/** Rounds a fraction to a whole number of units, half away from zero. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  const whole = numerator / denominator;
  const rest = numerator - whole * denominator;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  return twice >= denominator ? whole + (numerator < 0n ? -1n : 1n) : whole;
}

const UNITS: Readonly<Record<string, bigint>> = { PHP: 10n, JPY: 1000n, KWD: 1n };

function again(lines: readonly PricedLine[], currency: string, inclusive: boolean) {
  const unit = UNITS[currency]!;
  const groups = new Map<string, bigint>();
  let gross = 0n;
  for (const { quantity, unit_price, tax_category, tax_rate } of lines) {
    const amount = rounded(BigInt(quantity) * BigInt(unit_price), 1000n * unit) * unit;
    const key = `${tax_category}/${tax_rate}`;
    groups.set(key, (groups.get(key) ?? 0n) + amount);
    gross += amount;
  }
  let net = 0n;
  let tax = 0n;
  for (const [key, sum] of groups) {
    const rate = BigInt(key.split('/')[1]!);
    const taxable = inclusive ? rounded(sum * 100_000n, (100_000n + rate) * unit) * unit : sum;
    net += taxable;
    tax += rounded(taxable * rate, 100_000n * unit) * unit;
  }
  const payable = inclusive ? gross : net + tax;
  return { net, tax, payable, rounding: payable - net - tax };
}

test('sums agree with a second computation in exact fractions', () => {
  const random = seededRandom(22);
  for (let round = 0; round < 3_000; round++) {
    const lines = Array.from({ length: 1 + random.below(12) }, (): PricedLine => {
      const category = random.pick(['standard', 'standard', 'zero', 'exempt'] as const);
      return {
        quantity: (1 + random.below(5_000_000)) * random.pick([1, 1, 1, -1]),
        unit_price: random.below(10_000_000),
        tax_category: category,
        tax_rate: category === 'standard' ? random.pick([12_000, 5_500, 7_700]) : 0,
      };
    });
    for (const currency of ['PHP', 'JPY', 'KWD'])
      for (const inclusive of [true, false]) {
        const sums = sumsOf(lines, { currency, prices_include_tax: inclusive, withholding_rate: 0 });
        const { net, tax, payable, rounding } = again(lines, currency, inclusive);
        assert.deepEqual(
          [sums.net, sums.tax, sums.payable, sums.rounding].map(BigInt),
          [net, tax, payable, rounding],
          JSON.stringify({ lines, currency, inclusive }),
        );
        // BR-CO-10: the lines add up to the sum without tax.
        assert.equal(
          sums.lines.reduce((sum, line) => sum + line.net, 0),
          sums.net,
        );
        assert.equal(
          sums.taxes.reduce((sum, each) => sum + each.taxable, 0),
          sums.net,
        );
      }
  }
});

test('a seller that is not registered charges no tax', () => {
  assert.deepEqual(taxOf({ tax_registered: false, tax_rate: 12_000 }, 'standard'), {
    tax_category: 'outside',
    tax_rate: 0,
  });
  assert.deepEqual(taxOf({ tax_registered: true, tax_rate: 12_000 }, 'exempt'), {
    tax_category: 'exempt',
    tax_rate: 0,
  });
  assert.deepEqual(taxOf({ tax_registered: true, tax_rate: 12_000 }, 'exempt', 'standard').tax_rate, 12_000);
});

test('withheld tax is a share of the net amount', () => {
  const line: PricedLine = { quantity: 1_000, unit_price: 1_120_000, tax_category: 'standard', tax_rate: 12_000 };
  const sums = sumsOf([line], { currency: 'PHP', prices_include_tax: true, withholding_rate: 2_000 });
  assert.deepEqual([sums.net, sums.tax, sums.payable, sums.withholding], [1_000_000, 120_000, 1_120_000, 20_000]);
});

test('amounts beyond exact counting are refused', () => {
  const line: PricedLine = {
    quantity: Number.MAX_SAFE_INTEGER,
    unit_price: Number.MAX_SAFE_INTEGER,
    tax_category: 'zero',
    tax_rate: 0,
  };
  assert.throws(() => sumsOf([line], { currency: 'PHP', prices_include_tax: true, withholding_rate: 0 }), RangeError);
});
