import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countParts, encodingOf, PART_UNITS, segment, toGsm, unicodeCharacters } from '../src/kernel/segments.ts';

const EXTENSION = '^{}\\[~]|€';
const gsm = fc.string({
  unit: fc.constantFrom(...'abc XYZ019@£$¥èéùìòÇ\nØøÅå_ÆæßÉ¡¿ñüà', ...EXTENSION),
  maxLength: 1600,
});
const any = fc.oneof(
  gsm,
  fc.string({ unit: 'binary', maxLength: 900 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
);

const septets = (text: string) => [...text].reduce((sum, c) => sum + (EXTENSION.includes(c) || c === '\f' ? 2 : 1), 0);

test('the joined parts of any text are the text', () => {
  fc.assert(
    fc.property(any, (text) => {
      assert.equal(segment(text).parts.join(''), text);
    }),
    { numRuns: 20_000 },
  );
});

test('no part exceeds the limit of the network or splits a pair', () => {
  fc.assert(
    fc.property(any, (text) => {
      const { encoding, parts } = segment(text);
      const limit = parts.length === 1 ? PART_UNITS[encoding].one : PART_UNITS[encoding].many;
      parts.forEach((part, i) => {
        assert.ok((encoding === 'gsm' ? septets(part) : part.length) <= limit);
        // A part that ends with a high surrogate splits a pair only if the next part begins with the other half.
        const next = parts[i + 1]?.charCodeAt(0) ?? 0;
        const last = part.charCodeAt(part.length - 1);
        assert.ok(!(last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff));
      });
    }),
    { numRuns: 20_000 },
  );
});

test('counts as many parts as splitting gives', () => {
  fc.assert(
    fc.property(any, (text) => {
      const { encoding, parts } = segment(text);
      assert.deepEqual(countParts(text), { parts: parts.length, encoding });
    }),
    { numRuns: 20_000 },
  );
});

test('the limits are those of TS 23.038: 160 and 153 septets, 70 and 67 units', () => {
  assert.equal(segment('a'.repeat(160)).parts.length, 1);
  assert.equal(segment('a'.repeat(161)).parts.length, 2);
  assert.equal(segment('a'.repeat(306)).parts.length, 2);
  assert.equal(segment('a'.repeat(307)).parts.length, 3);
  assert.equal(segment('€'.repeat(80)).parts.length, 1);
  assert.deepEqual(segment(`${'a'.repeat(152)}€${'a'.repeat(10)}`).parts, ['a'.repeat(152), `€${'a'.repeat(10)}`]);
  assert.equal(segment('я'.repeat(70)).parts.length, 1);
  assert.equal(segment('я'.repeat(71)).parts.length, 2);
  assert.equal(segment(`${'я'.repeat(66)}😀яяяя`).parts[0], 'я'.repeat(66));
});

test('every character that forces Unicode is named, and a text without any is GSM', () => {
  fc.assert(
    fc.property(any, (text) => {
      const found = unicodeCharacters(text, text.length + 1);
      assert.equal(found.length === 0, encodingOf(text) === 'gsm');
      for (const { index, character } of found) assert.equal(text.slice(index, index + character.length), character);
    }),
    { numRuns: 5_000 },
  );
});

test('replaces a character only by GSM characters and keeps the rest', () => {
  assert.equal(toGsm('“Sale” – 50% off… ₱100'), '"Sale" - 50% off... PHP100');
  assert.equal(encodingOf(toGsm('“Sale” – 50% off…')), 'gsm');
  assert.equal(toGsm('я 😀'), 'я 😀');
});
