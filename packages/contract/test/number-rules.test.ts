import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkNumber, type NumberRules } from '../src/kernel/number-rules.ts';

const RULES: NumberRules = { min: 10, max: 13, start: '63', start_with_any_msisdn: false };

test('reads every way a person writes a number as that number', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', '\u00a0', '\u200b', '\u2011', '\u202a'), {
    minLength: 13,
    maxLength: 13,
  });
  const prefix = fc.constantFrom('', '+', '00', ' +');
  fc.assert(
    fc.property(prefix, separators, (before, between) => {
      const written = before + [...'639171234567'].map((digit, i) => digit + between[i]).join('');
      assert.deepEqual(checkNumber(written, RULES), { msisdn: '639171234567' });
    }),
  );
});

test('reports each fault of a number by its own name', () => {
  assert.deepEqual(checkNumber('', RULES), { fault: 'empty' });
  assert.deepEqual(checkNumber(' - ', RULES), { fault: 'empty' });
  for (const dotted of ['639.171.234.567', '63917123456.7', '639171234567.', '0917.1234567', '639171234567.01'])
    assert.deepEqual(checkNumber(dotted, RULES), { fault: 'dot' }, dotted);
  for (const damaged of ['6.39171E+11', '6,39171E+11', '6e11', ' 6.4E11 ']) {
    assert.deepEqual(checkNumber(damaged, RULES), { fault: 'spreadsheet_damage' });
  }
  assert.deepEqual(checkNumber('63917CALLME', RULES), { fault: 'not_a_number' });
  assert.deepEqual(checkNumber('+63+9171234567', RULES), { fault: 'not_a_number' });
  assert.deepEqual(checkNumber('63917', RULES), { fault: 'too_short' });
  assert.deepEqual(checkNumber('63917123456789', RULES), { fault: 'too_long' });
  assert.deepEqual(checkNumber('447700900123', RULES), { fault: 'wrong_prefix' });
});

test('start_with_any_msisdn turns off only the prefix rule', () => {
  const rules = { ...RULES, start_with_any_msisdn: true };
  assert.deepEqual(checkNumber('447700900123', rules), { msisdn: '447700900123' });
  assert.deepEqual(checkNumber('4477', rules), { fault: 'too_short' });
});

test('any text gives either digits within the rules or a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (raw) => {
      const { msisdn, fault } = checkNumber(raw, RULES);
      assert.ok(fault !== undefined || /^63\d{8,11}$/.test(msisdn));
    }),
    { numRuns: 10_000 },
  );
});

const HOME: NumberRules = { ...RULES, national: { country_code: '63', trunk_prefix: '0', start: '9' } };

test('reads a national number in any notation with its country code', () => {
  const read = { msisdn: '639171234567', national: true };
  for (const written of [
    '09171234567',
    '9171234567',
    '0917-123-4567',
    '(0917) 123 4567',
    '0917 123 4567',
    "'09171234567",
    '9171234567.0',
    '+63 (0) 917 123 4567',
    '63 0917 123 4567',
    '0063(0)9171234567',
  ])
    assert.deepEqual(checkNumber(written, HOME), read, written);
  for (const whole of ['639171234567', '+639171234567', '00639171234567'])
    assert.deepEqual(checkNumber(whole, HOME), { msisdn: '639171234567' }, whole);
});

test('leaves foreign numbers unchanged, and national ones if there is no rule', () => {
  const any = { ...HOME, start_with_any_msisdn: true };
  for (const foreign of ['447700900123', '14155550100', '6581234567', '4712345678']) {
    assert.deepEqual(checkNumber(foreign, HOME), { fault: 'wrong_prefix' }, foreign);
    assert.deepEqual(checkNumber(foreign, any), { msisdn: foreign }, foreign);
  }
  assert.deepEqual(checkNumber('+919171234567', any), { msisdn: '919171234567' });
  assert.deepEqual(checkNumber('9171234567', any), { msisdn: '9171234567' });
  assert.deepEqual(checkNumber('+9171234567', HOME), { fault: 'wrong_prefix' });
  assert.deepEqual(checkNumber('09171234567', any), { msisdn: '639171234567', national: true });
  for (const rules of [RULES, { ...HOME, national: null }])
    assert.deepEqual(checkNumber('09171234567', rules), { fault: 'wrong_prefix' });
});

/** Ways in which spreadsheets and programs write a whole number; each keeps its digits. */
const WRITTEN: readonly ((digits: string) => string)[] = [
  (n) => `${n}.0`,
  (n) => `${n}.00`,
  (n) => `${n},00`,
  (n) => `'${n}`,
  (n) => `="${n}"`,
  (n) => `"${n}"`,
  (n) => `\u2018${n}`,
  (n) => `${n}   `,
  (n) => `\u00a0${n}\u00a0`,
  (n) => `${n}\u200b\ufeff`,
  (n) => `\u202a+${n}\u202c`,
  (n) => Number(n).toLocaleString('en'),
  (n) => `${Number(n).toLocaleString('en')}.00`,
  (n) => Number(n).toLocaleString('en-IN'),
  (n) => Number(n).toLocaleString('de-CH'),
  (n) => Number(n).toLocaleString('fr'),
  (n) => Number(n).toLocaleString('ar-EG', { useGrouping: false }),
  (n) => Number(n).toLocaleString('ar-EG'),
  (n) => Number(n).toLocaleString('fa', { useGrouping: false }),
  (n) => Number(n).toLocaleString('hi-u-nu-deva', { useGrouping: false }),
  (n) => n.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)),
  (n) => n.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
];
const number = fc.integer({ min: 0, max: 9_999_999_999 }).map((i) => `63${String(i).padStart(10, '0')}`);

test('reads a number in any notation of spreadsheets and programs', () => {
  fc.assert(
    fc.property(number, fc.constantFrom(...WRITTEN), (digits, write) => {
      assert.deepEqual(checkNumber(write(digits), RULES), { msisdn: digits }, write(digits));
    }),
    { numRuns: 2_000 },
  );
});

test('refuses a number in scientific notation', () => {
  const decimals = fc.integer({ min: 0, max: 11 });
  fc.assert(
    fc.property(
      number,
      decimals,
      fc.constantFrom('E+11', 'e+11', 'E11', 'e11', ' E+11', 'Ｅ＋11'),
      (digits, n, power) => {
        const short = Number(digits).toExponential(n).replace(/e\+11/, power);
        for (const written of [short, short.replace('.', ','), ` ${short}\u00a0`])
          assert.deepEqual(checkNumber(written, RULES), { fault: 'spreadsheet_damage' }, written);
      },
    ),
  );
});

test('never joins digits across a dot, a letter, a footnote or a second number', () => {
  const between = fc.constantFrom('.', '。', '．', '٫', 'x', 'O', ' ext ', '²', '①', '·', '…', '&', ';');
  fc.assert(
    fc.property(number, between, fc.integer({ min: 1, max: 99 }), (digits, mark, more) => {
      const { msisdn } = checkNumber(`${digits}${mark}${more}`, { ...RULES, max: 15 });
      assert.equal(msisdn, undefined, `${digits}${mark}${more}`);
    }),
  );
  for (const two of ['639171234567/8', '639171234567 (2)', '639171234567²'])
    assert.deepEqual(checkNumber(two, RULES), { fault: 'not_a_number' }, two);
});
