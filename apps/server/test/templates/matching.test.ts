import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import {
  type Blank,
  cutTemplate,
  fitsBlank,
  hasKnownPlaceholders,
  TemplateMatcher,
} from '@heliograph/contract/templates/template-pattern';
import fc from 'fast-check';

// Few letters, so that literals and values look alike and begin at many places.
const literal = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é', '😀'), maxLength: 8 });
const placeholder = fc.oneof(
  fc.constantFrom(...MERGE_FIELDS.map((field) => `{${field}}`)),
  fc.integer({ min: 1, max: 9 }).map((n) => `{${n}}`),
  fc.integer({ min: 1, max: 12 }).map((n) => `{text:${n}}`),
  fc.integer({ min: 1, max: 6 }).map((n) => `{digits:${n}}`),
);
const template = fc
  .array(fc.tuple(literal, placeholder), { maxLength: 5 })
  .chain((pairs) => literal.map((last) => [...pairs.flat(), last].join('')));
const fillOf = ({ kind, min, max }: Blank) =>
  fc.string({
    unit: kind === 'digits' ? fc.constantFrom('0', '7') : fc.constantFrom('a', 'b', ' ', 'é', '.'),
    minLength: min,
    maxLength: Math.min(max, 12),
  });
/** Template with the pieces of a text made from it. */
const made = template.chain((text) =>
  fc
    .tuple(...cutTemplate(text).map((piece) => (typeof piece === 'string' ? fc.constant(piece) : fillOf(piece))))
    .map((pieces) => ({ text, pieces: pieces as string[] })),
);

/** Tries every way to divide a text: slow, and certainly right. */
function divides(pieces: readonly (string | Blank)[], text: string): boolean {
  const [first, ...rest] = pieces;
  if (first === undefined) return text === '';
  if (typeof first === 'string') return text.startsWith(first) && divides(rest, text.slice(first.length));
  for (let length = first.min; length <= Math.min(first.max, text.length); length++)
    if (fitsBlank(first, text.slice(0, length)) && divides(rest, text.slice(length))) return true;
  return false;
}

test('a text made from a template by filling it always matches', () => {
  fc.assert(
    fc.property(made, ({ text, pieces }) => {
      const matcher = new TemplateMatcher(text);
      assert.ok(matcher.matches(pieces.join('')));
      assert.ok(matcher.matches(pieces.join('').replaceAll('\n', '\r\n')));
      assert.ok(matcher.matches(`${pieces.join('')} STOP to opt out`, true));
    }),
    { numRuns: 2_000 },
  );
});

test('a text with a changed fixed word never matches', () => {
  fc.assert(
    fc.property(made, fc.nat(), fc.constantFrom('x', '{', ''), ({ text, pieces }, at, put) => {
      const places = pieces.flatMap((piece, place) => (place % 2 === 0 && piece !== '' ? [place] : []));
      const place = places[at % Math.max(1, places.length)];
      if (place === undefined) return;
      const fixed = pieces[place]!;
      const where = at % fixed.length;
      const changed = pieces.with(place, fixed.slice(0, where) + put + fixed.slice(where + 1)).join('');
      // Values may be long enough to make up for a missing letter: then it is another text of the template.
      assert.equal(new TemplateMatcher(text).matches(changed), divides(cutTemplate(text), changed));
      if (put === 'x' && !pieces.some((_, n) => n % 2 === 1))
        assert.equal(new TemplateMatcher(text).matches(changed), false);
    }),
    { numRuns: 2_000 },
  );
  const matcher = new TemplateMatcher('Dear {name}, your code is {digits:6}. Pay {1} by Friday.');
  assert.ok(matcher.matches('Dear Ana, your code is 123456. Pay P1,000.50 by Friday.'));
  for (const wrong of [
    'Dear Ana, your code is 123456. Pay P1,000.50 by Monday.',
    'Dear Ana, your pin is 123456. Pay P1 by Friday.',
    'Dear Ana, your code is 1234567. Pay P1 by Friday.',
    'Dear Ana, your code is 12a456. Pay P1 by Friday.',
    'Dear Ana\nWin now, your code is 1. Pay P1 by Friday.',
    'Dear Ana, your code is 1. Pay {1} by Friday.',
    'Dear Ana, your code is 1. Pay  by Friday. Call me',
    `Dear Ana, your code is 1. Pay ${'9'.repeat(61)} by Friday.`,
  ])
    assert.equal(matcher.matches(wrong), false, wrong);
});

test('placeholders are known ones with a length that is allowed', () => {
  for (const known of ['Hi {name} {city} {1} {text:300} {digits:20}', '{ not one }', '{10}'])
    assert.ok(hasKnownPlaceholders(known), known);
  for (const unknown of ['{City}', '{text:301}', '{text:0}', '{digits:21}', '{text}', '{digits:x}'])
    assert.equal(hasKnownPlaceholders(unknown), false, unknown);
});

test('the time to match grows with the length of the text only', () => {
  // For each of its places, a backtracking search would try all of the others.
  const matcher = new TemplateMatcher(`${'{text:300}aaaaaaab'.repeat(40)}{text:300}c`);
  const cpu = (length: number) => {
    const text = `${'a'.repeat(length)}c`;
    const before = process.cpuUsage();
    assert.equal(matcher.matches(text), false);
    const { user } = process.cpuUsage(before);
    return user;
  };
  cpu(50_000);
  const [short, long] = [cpu(50_000), cpu(800_000)];
  assert.ok(long < Math.max(short, 1_000) * 16 * 6, `${short} µs became ${long} µs`);
});
