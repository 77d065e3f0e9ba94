import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInSlice, placeIn, slicesOf } from '../../src/modules/campaigns/audience-slice.ts';
import { msisdn } from './cast.ts';

const NUMBERS = Array.from({ length: 20_000 }, (_, at) => msisdn(at * 7));

for (const [variants, share] of [
  [2, 10],
  [3, 33],
  [5, 80],
  [2, 100],
] as const)
  test(`${variants} slices of ${share} % are disjoint, cover all and have their size`, () => {
    const { samples, rest } = slicesOf(1, 'some key', variants, share);
    const slices = rest ? [...samples, rest] : samples;
    const sizes = slices.map(() => 0);
    for (const number of NUMBERS) {
      const found = slices.flatMap((slice, at) => (isInSlice(slice, number) ? [at] : []));
      assert.equal(found.length, 1);
      sizes[found[0]!]!++;
    }
    for (const [at, size] of sizes.entries()) {
      const wanted = at < variants ? share / 100 / variants : 1 - share / 100;
      const deviation = Math.sqrt(wanted * (1 - wanted) * NUMBERS.length);
      assert.ok(Math.abs(size - wanted * NUMBERS.length) < 5 * deviation, `${at}: ${size}`);
    }
  });

test('a number has the same place at each attempt, and another one in another test', () => {
  assert.equal(placeIn('a', msisdn(1)), placeIn('a', msisdn(1)));
  assert.notEqual(placeIn('a', msisdn(1)), placeIn('b', msisdn(1)));
  const half = (key: string) => slicesOf(1, key, 2, 100).samples[0]!;
  const both = NUMBERS.filter((number) => isInSlice(half('a'), number) && isInSlice(half('b'), number)).length;
  assert.ok(Math.abs(both - NUMBERS.length / 4) < 5 * Math.sqrt(NUMBERS.length * 0.1875), `${both}`);
});

test('slices stay the same after they were stored as JSON', () => {
  const { samples } = slicesOf(1, 'key', 3, 33);
  assert.deepEqual(JSON.parse(JSON.stringify(samples)), samples);
});
