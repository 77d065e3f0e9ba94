import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shorteningsOf, withShortenings } from '../src/campaigns/shorten-text.ts';

const shortest = (text: string) => withShortenings(text, shorteningsOf(text));

test('a text gets shorter by rules, and keeps its capitals', () => {
  for (const [text, shorter] of [
    ['  Hello   there \n\n\n\nYou are late!!!  ', "Hello there\n\nYou're late!"],
    ['We will open on 5 December 2026 and close in 30 minutes.', "We'll open on 5 Dec 2026 & close in 30 min."],
    ['Cannot pay? Do not worry, 20 percent off.', "Can't pay? Don't worry, 20% off."],
    ['In order to receive it, reply YES on or before January 9', 'To get it, reply YES by Jan 9'],
  ] as const)
    assert.equal(shortest(text), shorter);
});

test('placeholders, addresses and texts in capitals stay as they are', () => {
  for (const text of [
    'See https://shop.example/do  not{name}',
    '{do not}',
    'write to cannot@shop.example',
    'DO NOT REPLY',
    'That is how it is.',
    'May you march on',
  ])
    assert.equal(shortest(text), text.replace('do  not', 'do not').replace('That is how', "That's how"));
});

test('a shortened text loses exactly what its changes say', () => {
  const word = fc.constantFrom(
    'do not',
    'and',
    '  ',
    '!!',
    '{name}',
    'https://a.b/c',
    '5 minutes',
    'March 3',
    'x',
    '\n\n\n',
  );
  fc.assert(
    fc.property(
      fc.array(word).map((words) => words.join(' ')),
      (text) => {
        const changes = shorteningsOf(text);
        const saved = changes.reduce((sum, { from, to }) => sum + from.length - to.length, 0);
        assert.equal(text.length - shortest(text).length, saved);
        for (const [i, { at, from }] of changes.entries()) {
          assert.equal(text.slice(at, at + from.length), from);
          assert.ok(i === 0 || changes[i - 1]!.at + changes[i - 1]!.from.length <= at);
        }
        assert.deepEqual(shortest(text).match(/\{name\}/g), text.match(/\{name\}/g));
      },
    ),
  );
});
