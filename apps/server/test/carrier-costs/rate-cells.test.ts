import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readClass,
  readCost,
  readDay,
  readNetworks,
  readPrefixes,
  readSenderKind,
} from '../../src/modules/carrier-costs/rate-cells.ts';
import { currencyOfHeading, findCarrierColumns, RATE_COLUMNS } from '../../src/modules/carrier-costs/rate-columns.ts';

test('reads costs with points, commas, currencies and exponents, without loss', () => {
  const cases: readonly (readonly [string, number | undefined])[] = [
    ['0.0125', 12_500],
    ['0,0125', 12_500],
    ['€ 0.0125', 12_500],
    ['0.0125 EUR', 12_500],
    ['USD0.00215', 2_150],
    ['1.25E-2', 12_500],
    ['2.1499999999999998E-2', 21_500],
    ['0.0000005', 1],
    ['0.0000004', 0],
    ['1.234,5', 1_234_500_000],
    ["1'234.5", 1_234_500_000],
    ['12', 12_000_000],
    ['-0.1', undefined],
    ['free', undefined],
    ['', undefined],
    ['1,2,3', undefined],
    ['1e999', undefined],
  ];
  for (const [text, millionths] of cases) assert.equal(readCost(text), millionths, text);
});

test('reads days in the forms of carriers and refuses those with two meanings', () => {
  for (const text of [
    '2026-01-31',
    '31.01.2026',
    '31/01/2026',
    '01/31/2026',
    '31-Jan-2026',
    'Jan 31, 2026',
    '20260131',
    '2026-01-31T00:00:00',
  ])
    assert.equal(readDay(text), '2026-01-31', text);
  assert.equal(readDay('01/02/2026'), null);
  assert.equal(readDay('05/05/2026'), '2026-05-05');
  for (const text of ['2026-02-30', '31-Foo-2026', 'soon', '31/13/2026']) assert.equal(readDay(text), undefined, text);
});

test('reads prefixes one by one, in lists and in ranges', () => {
  assert.deepEqual(readPrefixes('+63917'), ['63917']);
  assert.deepEqual(readPrefixes('0063917'), ['63917']);
  assert.deepEqual(readPrefixes('63917, 63918;63919'), ['63917', '63918', '63919']);
  assert.deepEqual(readPrefixes('63917-63919'), ['63917', '63918', '63919']);
  assert.deepEqual(readPrefixes('917-918', '63'), ['63917', '63918']);
  assert.deepEqual(readPrefixes('', '63'), ['63']);
  for (const text of ['abc', '63917-63910', '1-99999', '']) assert.equal(readPrefixes(text), undefined, text);
});

test('reads networks from one column or two, and restores lost zeros', () => {
  const smart = [{ mcc: '515', mnc: '03' }];
  for (const text of ['51503', '515-03', '515 03', '515/03', '5153'])
    assert.deepEqual(readNetworks(text, '', ''), smart, text);
  for (const mnc of ['3', '03']) assert.deepEqual(readNetworks('', '515', mnc), smart, mnc);
  assert.deepEqual(readNetworks('', '310', '003'), [{ mcc: '310', mnc: '003' }]);
  assert.deepEqual(readNetworks('', '515', 'all'), [{ mcc: '515', mnc: null }]);
  assert.deepEqual(readNetworks('515', '', ''), [{ mcc: '515', mnc: null }]);
  assert.deepEqual(readNetworks('', '515', '02,3'), [
    { mcc: '515', mnc: '02' },
    { mcc: '515', mnc: '03' },
  ]);
  for (const text of ['51', 'abc', '5150312']) assert.equal(readNetworks(text, '', ''), undefined, text);
});

test('reads the words of classes and senders', () => {
  assert.equal(readClass('Promotional'), 'bulk');
  assert.equal(readClass('2FA'), 'otp');
  assert.equal(readClass('All'), null);
  assert.equal(readClass('gold'), undefined);
  assert.equal(readSenderKind('Alpha'), 'alphanumeric');
  assert.equal(readSenderKind('Short code'), 'short_code');
  assert.equal(readSenderKind(''), null);
});

test('finds the columns of carriers’ files by their names', () => {
  const fields = (...names: string[]) => findCarrierColumns(names, new Map()).columns.map(({ field }) => field);
  assert.deepEqual(fields('Country', 'Network', 'MCC', 'MNC', 'Price (EUR)'), [null, null, 'mcc', 'mnc', 'price']);
  assert.deepEqual(fields('Destination', 'Dial Code', 'Rate USD', 'Effective Date'), [
    null,
    'prefix',
    'price',
    'starts_on',
  ]);
  assert.deepEqual(fields('MCC/MNC', 'Current Rate', 'New Rate', 'Ccy'), ['mccmnc', null, 'price', 'currency']);
  assert.deepEqual(fields('Country Code', 'Area Code', 'Cost per SMS'), ['country_code', 'area_code', 'price']);
  assert.equal(findCarrierColumns(['Zone', 'Tariff X'], new Map()).complete, false);
  const assigned = RATE_COLUMNS.assigned('Tariff X = price, Zone = prefix, Type = none')!;
  const found = findCarrierColumns(['Zone', 'Tariff X', 'Type'], assigned);
  assert.deepEqual([found.complete, ...found.columns.map(({ field }) => field)], [true, 'prefix', 'price', null]);
  assert.equal(RATE_COLUMNS.assigned('Zone'), null);
  assert.equal(RATE_COLUMNS.assigned('Zone = nothing'), null);
  assert.deepEqual(['Price (EUR)', 'Rate in USD', 'Price per SMS', 'Cost'].map(currencyOfHeading), [
    'EUR',
    'USD',
    undefined,
    undefined,
  ]);
});
