import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_CLASSES } from '@heliograph/contract/kernel/states';
import { SENDER_KINDS } from '@heliograph/contract/senders/sender-id';
import fc from 'fast-check';
import { conditionOf, RateIndex, type StoredRate } from '../../src/modules/carrier-costs/rate-index.ts';

const digits = (min: number, max: number, of = '0123') =>
  fc.string({ unit: fc.constantFrom(...of), minLength: min, maxLength: max });
const place = fc.oneof(
  digits(1, 5).map((prefix) => ({ prefix, mcc: null, mnc: null })),
  fc.record({ prefix: fc.constant(null), mcc: fc.constantFrom('515', '516'), mnc: fc.constantFrom(null, '02', '03') }),
);
const rate: fc.Arbitrary<StoredRate> = fc
  .tuple(
    place,
    fc.record({
      class: fc.constantFrom(null, ...MESSAGE_CLASSES),
      sender_kind: fc.constantFrom(null, ...SENDER_KINDS),
      amount: fc.integer({ min: 0, max: 1_000_000 }),
      starts_on: fc.constant(null),
    }),
  )
  .map(([of, rest]) => ({ ...of, ...rest }));
const keyOf = ({ prefix, mcc, mnc, class: of, sender_kind }: StoredRate) => [prefix, mcc, mnc, of, sender_kind].join();

interface Asked {
  msisdn: string;
  network: string;
  class: (typeof MESSAGE_CLASSES)[number];
  kind: (typeof SENDER_KINDS)[number];
}

/** Finds the rate as the guide says it, by reading all of them. */
function expected(rates: readonly StoredRate[], asked: Asked): number | null {
  const fitting = rates.filter(
    (each) =>
      (each.class === null || each.class === asked.class) &&
      (each.sender_kind === null || each.sender_kind === asked.kind) &&
      (each.prefix === null
        ? asked.network !== '' &&
          asked.network.slice(0, 3) === each.mcc &&
          [null, asked.network.slice(3)].includes(each.mnc)
        : asked.msisdn.startsWith(each.prefix)),
  );
  const rank = (each: StoredRate) => [
    each.mnc !== null ? 100 : each.mcc !== null ? 99 : each.prefix!.length,
    each.class === null ? 0 : 1,
    each.sender_kind === null ? 0 : 1,
  ];
  const [best] = fitting.sort((a, b) => {
    const [x, y] = [rank(a), rank(b)];
    return y[0]! - x[0]! || y[1]! - x[1]! || y[2]! - x[2]!;
  });
  return best ? best.amount : null;
}

test('finds the rate of the network, the country or the longest prefix', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(rate, { selector: keyOf, maxLength: 60 }),
      fc.array(
        fc.record({
          msisdn: digits(3, 8),
          network: fc.constantFrom('', '51502', '51503', '51602', '51799'),
          class: fc.constantFrom(...MESSAGE_CLASSES),
          kind: fc.constantFrom(...SENDER_KINDS),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      (rates, questions) => {
        const index = new RateIndex(rates);
        for (const asked of questions) {
          const found = index.find(asked.msisdn, asked.network, conditionOf(asked.class, asked.kind));
          assert.equal(found < 0 ? null : index.amountAt(found), expected(rates, asked));
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('of two rates for the same, the one that starts last counts', () => {
  const of = { prefix: '63', mcc: null, mnc: null, class: null, sender_kind: null };
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const rates = [
      { ...of, amount: 1, starts_on: null },
      { ...of, amount: 2, starts_on: '2026-01-01' },
    ];
    const index = new RateIndex(order.map((at) => rates[at]!));
    assert.equal(index.amountAt(index.find('639170000001', '', conditionOf('bulk', 'alphanumeric'))), 2);
  }
});

test('a number that is erased or no number has no rate', () => {
  const index = new RateIndex([
    { prefix: '6', mcc: null, mnc: null, class: null, sender_kind: null, amount: 1, starts_on: null },
  ]);
  for (const msisdn of ['', 'x', '6x']) assert.equal(index.find(msisdn, '', conditionOf('otp', 'number')), -1, msisdn);
});
