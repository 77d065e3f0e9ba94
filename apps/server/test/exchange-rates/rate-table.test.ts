import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { convertMillionths, RateTable } from '#modules/exchange-rates';
import { digitsOf, type RateEntry, shownRate } from '../../src/modules/exchange-rates/rate-table.ts';

const entry = (pair: string, day: string, rate: string): RateEntry => {
  const [from_currency = '', to_currency = ''] = pair.split('/');
  return { from_currency, to_currency, day, ...digitsOf(rate) };
};
const table = new RateTable('1', [
  entry('USD/PHP', '2026-05-01', '57.25'),
  entry('USD/PHP', '2026-05-15', '58'),
  entry('EUR/USD', '2026-05-10', '1.08'),
  entry('JPY/XOF', '2026-05-10', '4.1'),
]);
const rateOn = (from: string, to: string, day: string) => {
  const rate = table.rateOn(from, to, day);
  return rate && shownRate(rate);
};

test('a rate counts from its day until the next one of its pair', () => {
  assert.equal(rateOn('USD', 'PHP', '2026-04-30'), null);
  assert.equal(rateOn('USD', 'PHP', '2026-05-01'), '57.25');
  assert.equal(rateOn('USD', 'PHP', '2026-05-14'), '57.25');
  assert.equal(rateOn('USD', 'PHP', '2026-05-15'), '58');
  assert.equal(rateOn('USD', 'PHP', '2030-01-01'), '58');
});

test('a pair counts in both directions, and through a third currency', () => {
  assert.equal(rateOn('PHP', 'PHP', '2000-01-01'), '1');
  assert.equal(rateOn('PHP', 'USD', '2026-05-15'), '0.01724137931');
  assert.equal(rateOn('EUR', 'PHP', '2026-05-10'), '61.83');
  assert.equal(rateOn('EUR', 'PHP', '2026-05-09'), null);
  assert.equal(rateOn('PHP', 'XOF', '2026-05-20'), null);
});

test('an amount is converted exactly, with one rounding half up', () => {
  const amounts = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  const rates = fc.tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 6 }));
  fc.assert(
    fc.property(amounts, rates, fc.boolean(), (amount, [digits, scale], back) => {
      const rate = new RateTable('1', [{ ...entry('USD/PHP', '2026-05-01', '1'), digits, scale }]);
      const [from, to] = back ? ['PHP', 'USD'] : ['USD', 'PHP'];
      const [numerator, denominator] = back
        ? [10n ** BigInt(scale), BigInt(digits)]
        : [BigInt(digits), 10n ** BigInt(scale)];
      // The value that is nearest, by its definition: twice the distance is at most one unit, and up if exactly one.
      const exact = BigInt(Math.abs(amount)) * numerator;
      if (exact / denominator > BigInt(Number.MAX_SAFE_INTEGER)) return;
      const got = BigInt(Math.abs(convertMillionths(amount, rate.rateOn(from!, to!, '2026-05-01')!)));
      const distance = 2n * (exact - got * denominator);
      assert.ok(distance >= -denominator && distance < denominator);
    }),
  );
  const half = table.rateOn('USD', 'PHP', '2026-05-01')!;
  assert.deepEqual(
    [2, -2, 0].map((amount) => convertMillionths(amount, half)),
    [115, -115, 0],
  );
  assert.throws(() => convertMillionths(Number.MAX_SAFE_INTEGER, half), RangeError);
});
