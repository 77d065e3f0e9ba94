import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import fc from 'fast-check';
import { type CellRules, readContact, tagsOf } from '../../src/modules/audience/contact-cells.ts';
import { orderOfDates, readDate } from '../../src/modules/audience/contact-dates.ts';

const numbers: NumberRules = {
  min: 7,
  max: 15,
  start: '63',
  start_with_any_msisdn: false,
  national: { country_code: '63', trunk_prefix: '0', start: '9' },
};
const field = (type: string, slot: string, choices: string[] = []) =>
  [`fields.${slot}`, { id: 1, key: slot, name: slot, type, choices, slot }] as never;
const rules: CellRules = {
  fields: new Map([
    field('number', 'number_1'),
    field('date', 'date_1'),
    field('choice', 'text_1', ['Gold', 'Silver']),
    field('yes_no', 'flag_1'),
    field('text', 'text_2'),
  ]),
  numbers: { ...numbers, national: null },
  configured: numbers,
  order: undefined,
  tags: [],
};
const read = (target: string, text: string, exact?: string) => {
  const { contact, faults } = readContact({ [target]: { text, exact } }, rules);
  return faults[0] ? { fault: faults[0].fault, suggestion: faults[0].suggestion } : contact.values[target.slice(7)];
};
const days = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('a date in any written form is read as the day that it names', () => {
  fc.assert(
    fc.property(days, fc.constantFrom('/', '.', '-', ' / '), (day, mark) => {
      const [year, month, date] = day.split('-') as [string, string, string];
      assert.deepEqual(readDate([date, month, year].join(mark), 'day_first'), { day });
      assert.deepEqual(readDate([month, date, year].join(mark), 'month_first'), { day });
      assert.deepEqual(readDate([year, month, date].join(mark)), { day });
      assert.deepEqual(readDate(`${year}年${Number(month)}月${Number(date)}日`), { day });
      const unclear = readDate([date, month, year].join(mark));
      if (Number(date) > 12 || date === month) assert.deepEqual(unclear, { day });
      else assert.deepEqual(unclear, { fault: 'order' });
    }),
  );
  assert.deepEqual(readDate('5 Jan 1999'), { day: '1999-01-05' });
  assert.deepEqual(readDate('January 5, 2026'), { day: '2026-01-05' });
  assert.deepEqual(readDate('31/05/29'), { day: '2029-05-31' });
  assert.deepEqual(readDate('31/05/30'), { day: '1930-05-31' });
  assert.deepEqual(readDate('30.02.2026'), { fault: 'date' });
});

test('other rows of a column tell the order of day and month', () => {
  assert.equal(orderOfDates(['03/04/2026', '25/04/2026']), 'day_first');
  assert.equal(orderOfDates(['03/04/2026', '04/25/2026']), 'month_first');
  assert.equal(orderOfDates(['03/04/2026', '25/04/2026', '04/25/2026']), 'unclear');
  assert.equal(orderOfDates(['2026-03-04', '']), 'clear');
  assert.equal(orderOfDates(['Gold', 'Silver']), null);
});

test('numbers are read with the marks of a sheet, and never with digits that were lost', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999, max: 999_999_999 }), (value) => {
      assert.equal(read('fields.number_1', value.toLocaleString('en-US')), value);
      assert.equal(read('fields.number_1', String(value)), value);
      assert.equal(read('fields.number_1', `${value}%`), value);
    }),
  );
  assert.equal(read('fields.number_1', '12.5%', '0.125'), 12.5);
  assert.equal(read('fields.number_1', '₱1,234.50', '1234.5'), 1234.5);
  assert.deepEqual(read('fields.number_1', '₱1,234.50'), {
    fault: 'validation.contact_value_number',
    suggestion: '1234.50',
  });
  assert.deepEqual(read('number', '6.39E+11'), { fault: 'validation.spreadsheet_damage', suggestion: null });
});

test('a suggestion is accepted in the place of the value that it is for', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('gold', ' GOLD', 'Glod', 'Silvr', '0917 123 4567', '9171234567/8', '45000', '3/4/2026', 'PHP 12'),
  );
  const targets = ['number', 'name', 'tags', ...rules.fields.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...targets), texts, (target, text) => {
      const { faults } = readContact({ [target]: { text } }, rules);
      const suggestion = faults[0]?.suggestion;
      if (suggestion != null) assert.deepEqual(readContact({ [target]: { text: suggestion } }, rules).faults, []);
    }),
  );
  assert.deepEqual(read('fields.text_1', 'gold'), { fault: 'validation.contact_value_choice', suggestion: 'Gold' });
  assert.deepEqual(read('fields.date_1', '45000'), {
    fault: 'validation.contact_value_date',
    suggestion: '2023-03-15',
  });
  assert.deepEqual(read('number', '0917 123 4567'), { fault: 'validation.wrong_prefix', suggestion: '+639171234567' });
});

test('tags of a cell are each once, without blanks around them', () => {
  assert.deepEqual(tagsOf(' vip; new|vip,\nspring '), ['vip', 'new', 'spring']);
});
