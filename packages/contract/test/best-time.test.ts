import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareTimes, type PastCampaign } from '../src/campaigns/best-time.ts';

const made = (hour: number, weekday: number, delivered: number, successes: number): PastCampaign => ({
  hour,
  weekday,
  delivered,
  successes,
});

test('a time stands out if its campaigns did better than chance explains', () => {
  const { hours, weekdays, enough, rate } = compareTimes([
    ...[1, 2, 3, 4].map((day) => made(10, day, 1_000, 60)),
    ...[1, 2, 3, 4].map((day) => made(15, day, 1_000, 20)),
  ]);
  assert.ok(enough);
  assert.equal(rate, 0.04);
  assert.deepEqual(
    hours.map(({ at, campaigns, stands_out }) => [at, campaigns, stands_out]),
    [
      [9, 4, true],
      [15, 4, false],
    ],
  );
  assert.ok(hours[0]!.low < 0.06 && hours[0]!.high > 0.06);
  assert.deepEqual(
    weekdays.map(({ stands_out }) => stands_out),
    [false, false, false, false],
  );
});

test('one lucky campaign makes no time stand out', () => {
  const rest = [8, 9, 14, 15, 16, 20].map((hour) => made(hour, 2, 1_000, 20));
  const { hours } = compareTimes([...rest, made(12, 5, 1_000, 200)]);
  assert.deepEqual(
    hours.filter(({ stands_out }) => stands_out),
    [],
  );
});

test('campaigns that differ for other reasons make the ranges wider', () => {
  const alike = compareTimes(Array.from({ length: 8 }, (_, i) => made(10, i % 7, 1_000, 50)));
  const apart = compareTimes(Array.from({ length: 8 }, (_, i) => made(10, i % 7, 1_000, i % 2 ? 10 : 90)));
  const width = ({ hours: [first] }: typeof alike) => first!.high - first!.low;
  assert.ok(width(apart) > 3 * width(alike));
});

test('too little is said to be too little, and ranges are shares', () => {
  assert.equal(compareTimes([]).enough, false);
  assert.equal(compareTimes([made(1, 1, 100_000, 100)]).enough, false);
  const past = fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    weekday: fc.integer({ min: 1, max: 7 }),
    delivered: fc.integer({ min: 200, max: 5_000 }),
    successes: fc.integer({ min: 1, max: 199 }),
  });
  fc.assert(
    fc.property(fc.array(past, { minLength: 5, maxLength: 30 }), (campaigns) => {
      const { hours, weekdays, delivered } = compareTimes(campaigns);
      for (const group of [hours, weekdays]) {
        assert.equal(
          group.reduce((sum, each) => sum + each.delivered, 0),
          delivered,
        );
        for (const { low, high } of group) assert.ok(low >= 0 && low < high && high <= 1);
      }
    }),
    { numRuns: 50 },
  );
});
