import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVariants, detectableDifference, type Observed } from '../src/campaigns/test-statistics.ts';

const of = (recipients: number, successes: number): Observed => ({ recipients, successes });
const near = (found: number, wanted: number, by = 1e-6) =>
  assert.ok(Math.abs(found - wanted) <= by, `${found} instead of ${wanted}`);

/** Returns the chance that the second of two variants is the best, by the closed sum of whole parameters. */
function closedSum(one: Observed, two: Observed): number {
  const logFactorial = [0];
  const most = one.recipients + two.recipients + 4;
  for (let n = 1; n <= most; n++) logFactorial.push(logFactorial[n - 1]! + Math.log(n));
  const logBeta = (a: number, b: number) => logFactorial[a - 1]! + logFactorial[b - 1]! - logFactorial[a + b - 1]!;
  const [a1, b1] = [1 + one.successes, 1 + one.recipients - one.successes];
  const [a2, b2] = [1 + two.successes, 1 + two.recipients - two.successes];
  let sum = 0;
  for (let i = 0; i < a2; i++)
    sum += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1));
  return sum;
}

test('the chance of being the best equals the closed sum for two variants', () => {
  for (const [one, two] of [
    [of(0, 0), of(0, 0)],
    [of(10, 0), of(10, 10)],
    [of(100, 3), of(100, 9)],
    [of(1_000, 30), of(1_000, 45)],
    [of(5_000, 4_600), of(4_000, 3_700)],
    [of(20, 1), of(3_000, 60)],
  ] as const) {
    const [first, second] = compareVariants([one, two]);
    near(second!.best, closedSum(one, two));
    near(first!.best + second!.best, 1);
  }
});

test('variants without results are equally good', () => {
  for (const count of [2, 3, 5])
    for (const { best, low, high } of compareVariants(Array.from({ length: count }, () => of(0, 0)))) {
      near(best, 1 / count);
      near(low, 0.025);
      near(high, 0.975);
    }
});

test('the loss is the mean of the highest rate less the own mean', () => {
  // The highest of k even rates has the mean k / (k + 1).
  for (const { loss } of compareVariants([of(0, 0), of(0, 0), of(0, 0)])) near(loss, 3 / 4 - 1 / 2);
});

test('the interval of a rate has the quantiles of its distribution', () => {
  // Without a success it is Beta(1, 101), whose quantiles have a closed form.
  const [none] = compareVariants([of(100, 0), of(100, 0)]);
  near(none!.low, 1 - 0.975 ** (1 / 101));
  near(none!.high, 1 - 0.025 ** (1 / 101));
  const [half] = compareVariants([of(100, 50), of(100, 50)]);
  near(half!.low + half!.high, 1);
});

test('a million recipients are compared without a loss of figures', () => {
  const many = compareVariants([of(1_000_000, 30_000), of(1_000_000, 30_000), of(1_000_000, 31_000)]);
  near(
    many.reduce((sum, { best }) => sum + best, 0),
    1,
  );
  near(many[0]!.best, many[1]!.best, 1e-9);
  assert.ok(many[2]!.best > 0.9999);
});

test('equal counts always give equal figures', () => {
  const counts = [of(812, 40), of(799, 55), of(805, 51)];
  assert.deepEqual(compareVariants(counts), compareVariants(counts));
});

test('the difference that a sample finds follows the usual formula of two rates', () => {
  // 1.6449 + 0.8416 standard deviations of the difference of two rates of 5 % with 5,000 recipients each.
  near(
    detectableDifference({ recipients: 5_000, variants: 2, rate: 0.05, certainty: 0.95 }),
    (1.644854 + 0.841621) * Math.sqrt((2 * 0.05 * 0.95) / 5_000),
    1e-5,
  );
  const more = detectableDifference({ recipients: 5_000, variants: 5, rate: 0.05, certainty: 0.95 });
  assert.ok(more > detectableDifference({ recipients: 5_000, variants: 2, rate: 0.05, certainty: 0.95 }));
  assert.equal(detectableDifference({ recipients: 0, variants: 2, rate: 0.05, certainty: 0.95 }), 1);
});
