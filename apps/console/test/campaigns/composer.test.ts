import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileText } from '@heliograph/contract/kernel/merge-fields';
import { countParts, unicodeCharacters } from '@heliograph/contract/kernel/segments';
import fc from 'fast-check';
import { distinctUnicode, marksOf, measure } from '../../src/modules/campaigns/composer/measure.ts';
import { checkPasted, onlyGood } from '../../src/modules/campaigns/composer/pasted-numbers.ts';

const RULES = { min: 10, max: 15, start: '63', start_with_any_msisdn: false };

test('the pieces of a marked text together are the whole text', () => {
  const piece = fc.oneof(
    fc.constantFrom('{name}', '{param9}', '{foo}', '–', '“', '😀', '{', '}', 'ñ', 'ç', '\n'),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      assert.equal(
        marksOf(text, measure(text, {}, {}))
          .map((mark) => mark.text)
          .join(''),
        text,
      );
    }),
  );
});

test('only the characters that force Unicode are marked', () => {
  const marks = marksOf('Sale – “today” only', measure('Sale – “today” only', {}, {}));
  assert.deepEqual(
    marks.filter((mark) => mark.kind === 'unicode').map((mark) => mark.text),
    ['–', '“', '”'],
  );
});

test('a text in another script is not marked character by character', () => {
  const measured = measure('您好，您的订单已准备好。', {}, {});
  assert.equal(measured.deliberate, true);
  assert.deepEqual(
    marksOf('您好，您的订单已准备好。', measured).map((mark) => mark.kind),
    ['text'],
  );
});

test('the parts after a replacement match the counting rule', () => {
  const text = `${'a'.repeat(100)} – done`;
  const measured = measure(text, {}, {});
  assert.equal(measured.segments.parts.length, 2);
  assert.deepEqual(measured.plain, { text: text.replace('–', '-'), parts: countParts(text.replace('–', '-')).parts });
});

test('no replacement of all characters is offered if one has none', () => {
  assert.equal(measure('“hi” 😀', {}, {}).plain, undefined);
  assert.equal(distinctUnicode(unicodeCharacters('😀😀')).length, 1);
});

test('a value that needs Unicode is distinguished from a text that needs it', () => {
  const measured = measure('Hello {name}', { name: '王' }, {});
  assert.equal(measured.unicodeByValue, true);
  assert.equal(measured.unicode.length, 0);
});

test('a recipient without a value gets the default', () => {
  assert.equal(measure('Hello {name}', { name: null }, { name: 'friend' }).text, 'Hello friend');
  assert.deepEqual(compileText('{foo}').unknown, ['foo']);
});

test('pasted numbers are counted once each, with a reason for every other entry', () => {
  const pasted = checkPasted('+63 917 123 4567, 639171234567\n0917;abc\t6.39171E+11\n\n14155550100', RULES);
  assert.deepEqual(pasted.good, ['639171234567']);
  assert.deepEqual(pasted.bad, { duplicate: 1, too_short: 1, not_a_number: 1, spreadsheet_damage: 1, wrong_prefix: 1 });
  assert.equal(onlyGood(pasted), '639171234567');
});

test('pasted national numbers are read with their country code, counted, and undone', () => {
  const national = { country_code: '63', trunk_prefix: '0', start: '9' };
  const text = '0917 123 4567\n9181234567\n639191234567\n639171234567';
  const read = checkPasted(text, { ...RULES, national });
  assert.deepEqual([read.good.length, read.national, read.bad], [3, 2, { duplicate: 1 }]);
  const undone = checkPasted(text, RULES);
  assert.deepEqual([undone.good.length, undone.national, undone.bad], [2, 0, { wrong_prefix: 2 }]);
});

test('keeping only the valid numbers leaves no fault', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.stringMatching(/^63\d{8,13}$/), fc.string({ maxLength: 12 })), { maxLength: 30 }),
      (entries) => {
        const kept = checkPasted(onlyGood(checkPasted(entries.join('\n'), RULES)), RULES);
        assert.deepEqual(kept.bad, {});
        assert.deepEqual(kept.good, checkPasted(entries.join('\n'), RULES).good);
      },
    ),
  );
});
