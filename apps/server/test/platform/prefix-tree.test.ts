import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PrefixTree } from '../../src/platform/structures/prefix-tree.ts';

const RUNS = 100_000;

/** Makes a generator of digits that are the same in every run. */
function digitsFrom(seed: number): (most: number) => string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (most) => Array.from({ length: 1 + Math.floor(next() * most) }, () => Math.floor(next() * 10)).join('');
}

test('the longest prefix matches a scan over all prefixes, for 100,000 numbers', () => {
  const digits = digitsFrom(7);
  const prefixes = [...new Set(Array.from({ length: 300 }, () => digits(3)).filter((prefix) => prefix.length > 1))];
  const tree = new PrefixTree(
    prefixes,
    prefixes.map((_, i) => i),
  );
  let matched = 0;
  for (let run = 0; run < RUNS; run++) {
    const number = digits(15);
    let longest = -1;
    for (const [i, prefix] of prefixes.entries())
      if (number.startsWith(prefix) && prefix.length > (prefixes[longest]?.length ?? 0)) longest = i;
    if (tree.find(number) !== (longest < 0 ? undefined : longest)) assert.fail(number);
    if (longest >= 0) matched++;
  }
  assert.ok(matched > RUNS / 4 && matched < RUNS, String(matched));
});

test('a card of 50,000 prefixes matches a table of prefixes, for 100,000 numbers', () => {
  const digits = digitsFrom(11);
  const card = new Map<string, number>();
  while (card.size < 50_000) card.set(digits(8), card.size);
  const tree = new PrefixTree([...card.keys()], [...card.values()]);
  assert.equal(tree.size, 50_000);
  for (let run = 0; run < RUNS; run++) {
    const number = digits(15);
    let expected: number | undefined;
    for (let length = 15; length > 0 && expected === undefined; length--)
      if (length <= number.length) expected = card.get(number.slice(0, length));
    if (tree.find(number) !== expected) assert.fail(number);
  }
});

test('no text makes the lookup fail, and only digits are prefixes', () => {
  const tree = new PrefixTree(['6', '63917', ''], [1, 2, 3]);
  fc.assert(fc.property(fc.string(), (text) => [1, 2, 3].includes(tree.find(text)!)));
  assert.deepEqual(
    ['639171', '63', '5', ''].map((each) => tree.find(each)),
    [2, 1, 3, 3],
  );
  assert.equal(new PrefixTree([], []).find('63917'), undefined);
  assert.throws(() => new PrefixTree(['63a'], [1]), RangeError);
});
