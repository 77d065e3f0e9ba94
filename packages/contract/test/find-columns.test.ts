import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findColumns } from '../src/kernel/find-columns.ts';

const rules = {
  min: 12,
  max: 12,
  start: '63',
  start_with_any_msisdn: false,
  national: { country_code: '63', trunk_prefix: '0', start: '9' },
};
const find = (...rows: string[][]) => {
  const { fault, headless, columns } = findColumns(rows, ['number', 'name', 'param1'], rules);
  return fault ?? [headless, ...columns.map(({ field }) => field)];
};
const [ANA, BEN] = ['0917 123 4567', '639181234567'];

test('finds a column of phone numbers by its name in any script and spelling', () => {
  for (const name of [
    ...['number', 'Mobile No.', 'MOBILE_NO', ' Phone ', 'Contact number', 'Cellphone #', 'Tel. no', 'MSISDN'],
    ...[
      '手机号码',
      '電話',
      '手機',
      '携帯電話',
      '전화번호',
      'Número',
      'numero',
      'celular',
      'Téléphone',
      'Телефон',
      'Số điện thoại',
    ],
    ...['เบอร์โทรศัพท์', 'رقم الجوال'],
  ])
    assert.deepEqual(find(['City', name], ['', 'abc']), [false, null, 'number'], name);
});

test('exact names come first, then other names, then the cells', () => {
  assert.deepEqual(find(['Phone', 'number'], [ANA, BEN]), [false, null, 'number']);
  assert.deepEqual(find(['Account', 'Phone'], [BEN, ANA]), [false, null, 'number']);
  assert.deepEqual(find(['Full Name', 'x', 'Param 1'], ['Ana', ANA, 'Gold']), [false, 'name', 'number', 'param1']);
  assert.deepEqual(find(['a', 'b'], ['1', ANA], ['2', 'none'], ['3', BEN]), [false, null, 'number']);
  assert.deepEqual(find(['Numero', 'WhatsApp'], ['1', ANA], ['2', BEN]), [false, null, 'number']);
});

test('reads the first row of a file without column names as a record', () => {
  assert.deepEqual(find([ANA], [BEN]), [true, 'number']);
  assert.deepEqual(find(['Ana', ANA], ['Ben', BEN]), [true, null, 'number']);
  assert.deepEqual(find(['12345678'], [BEN]), [true, 'number']);
  assert.deepEqual(find(['number'], ['12345678']), [false, 'number']);
});

test('never joins or guesses between two columns that match equally well', () => {
  assert.equal(find(['Phone', 'Mobile'], [ANA, BEN]), 'file_columns_ambiguous');
  assert.equal(find(['number', 'Number'], [ANA, BEN]), 'file_columns_ambiguous');
  assert.equal(find([ANA, BEN]), 'file_columns_ambiguous');
  assert.deepEqual(find(['Phone', 'Mobile'], ['', ANA], ['-', BEN]), [false, null, 'number']);
  assert.deepEqual(find(['number', 'First name', 'Customer'], [ANA, 'Ana', 'Ana R.']), [false, 'number', null, null]);
  assert.equal(find(['name'], ['Ana']), 'file_headers_invalid');
  assert.equal(find(), 'file_headers_invalid');
});
