import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkNumber, type NumberRules } from '../src/kernel/number-rules.ts';

const RULES: NumberRules = { min: 10, max: 13, start: '63', start_with_any_msisdn: false };

test('however a person writes a number, it is one number', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', '.', '\u00a0', '(', ')', '\u202a'), {
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

test('each fault is told by its own name', () => {
  assert.deepEqual(checkNumber('', RULES), { fault: 'empty' });
  assert.deepEqual(checkNumber(' - ', RULES), { fault: 'empty' });
  for (const damaged of ['6.39171E+11', '6,39171E+11', '6e11', ' 6.4E11 ']) {
    assert.deepEqual(checkNumber(damaged, RULES), { fault: 'spreadsheet_damage' });
  }
  assert.deepEqual(checkNumber('63917CALLME', RULES), { fault: 'not_a_number' });
  assert.deepEqual(checkNumber('+63+9171234567', RULES), { fault: 'not_a_number' });
  assert.deepEqual(checkNumber('63917', RULES), { fault: 'too_short' });
  assert.deepEqual(checkNumber('63917123456789', RULES), { fault: 'too_long' });
  assert.deepEqual(checkNumber('447700900123', RULES), { fault: 'wrong_prefix' });
});

test('start_with_any_msisdn lifts the prefix rule and no other', () => {
  const rules = { ...RULES, start_with_any_msisdn: true };
  assert.deepEqual(checkNumber('447700900123', rules), { msisdn: '447700900123' });
  assert.deepEqual(checkNumber('4477', rules), { fault: 'too_short' });
});

test('whatever comes in, the answer is digits within the rules or a fault', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (raw) => {
      const { msisdn, fault } = checkNumber(raw, RULES);
      assert.ok(fault !== undefined || /^63\d{8,11}$/.test(msisdn));
    }),
    { numRuns: 10_000 },
  );
});
