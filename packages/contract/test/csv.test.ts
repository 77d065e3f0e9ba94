import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvCell, csvOf } from '../src/kernel/csv.ts';

test('a cell that a spreadsheet would run as a formula is disarmed', () => {
  for (const lead of ['=', '+', '-', '@', '\t', '\r'])
    assert.match(csvCell(`${lead}cmd`), /^"?'/, JSON.stringify(lead));
});

test('numbers stay numbers, negative ones too', () => {
  assert.equal(csvCell(-12), '-12');
  assert.equal(csvCell('-20.000'), '-20.000');
});

test('quotes, commas and line breaks are escaped according to RFC 4180', () => {
  assert.equal(csvCell('a "b", c\nd'), '"a ""b"", c\nd"');
});

test('a document begins with a byte order mark and ends each record with CR LF', () => {
  assert.equal(csvOf(['name'], [['Ana'], [null]]), '\ufeffname\r\nAna\r\n\r\n');
});
