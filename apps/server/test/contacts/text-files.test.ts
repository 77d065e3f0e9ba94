import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileReading, Separator, TextEncoding } from '@heliograph/contract/kernel/file-reading';
import { ENCODINGS, PREVIEW_BYTES, SEPARATORS } from '@heliograph/contract/kernel/file-reading';
import fc from 'fast-check';
import { BusinessError } from '#platform/errors';
import { firstRows } from '#platform/table/read-table';
import { encode } from './encoded-text.ts';
import { allRows, bookOfTables, fileOf } from './table-file.ts';

const NAMES: Readonly<Record<string, readonly string[]>> = {
  gbk: ['王小明', '李娜', '刘洋,深圳市', '陈静'],
  big5: ['王小明', '陳美玲', '張惠妹,臺北', '黃大偉'],
  shift_jis: ['山田太郎', '佐藤花子', 'ヤマダ タロウ', '鈴木さん,東京'],
  'euc-kr': ['김민수', '이영희', '박지성,서울', '최고객'],
  'windows-1251': ['Иван Петров', 'Мария', 'Ольга,Москва', 'Дмитрий'],
  'windows-1252': ['José Ñuñez', 'Müller', 'François,Besançon', 'Zoë'],
};

const SIGNS: Readonly<Record<Separator, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };

const quoted = (cell: string, sign: string) => (cell.includes(sign) ? `"${cell}"` : cell);

/** Writes a table as CSV text, with quotes around the cells that contain the separator. */
function textOf(rows: readonly (readonly string[])[], { sign = ',', line = '\r\n' } = {}): string {
  return rows.map((row) => row.map((cell) => quoted(cell, sign)).join(sign) + line).join('');
}

const rowsOf = (names: readonly string[], count: number) => [
  ['number', 'name'],
  ...Array.from({ length: count }, (_, at) => [String(639170000000 + at), names[at % names.length]!]),
];

test('short and long files in six encodings are read as they were written', async (t) => {
  for (const [encoding, names] of Object.entries(NAMES) as [TextEncoding, string[]][])
    for (const rows of [...names.map((name) => rowsOf([name], 1)), rowsOf(names, 2_000)]) {
      const path = fileOf(t, encode(textOf(rows), encoding));
      assert.equal(
        (await firstRows(path, 1, { tenant: null, reading: {} })).read_as.encoding,
        encoding,
        String(rows[1]),
      );
      assert.deepEqual(
        (await allRows(path)).map(({ cells }) => cells),
        rows,
      );
    }
});

test('the encoding is detected from one line, even with signs and capital letters', async (t) => {
  const texts: readonly (readonly [TextEncoding, ...string[]])[] = [
    [
      'windows-1252',
      'I’m here',
      'It’s €5 – today',
      'O’Brien',
      'Price: 5€',
      'MUÑOZ',
      'Où êtes-vous',
      '¡Hola! ¿Cómo estás?',
    ],
    ['gbk', '尊敬的客户，您的验证码是1234，请勿泄露。', 'VIP客户您好', '【京东】您的订单已发货', '退订回T'],
    ['big5', '親愛的顧客您好，您的訂單已出貨', 'VIP會員', '慶祝週年慶全館八折'],
    ['shift_jis', 'お客様のご注文を承りました', '【重要】お知らせ', '東京都新宿区'],
    ['euc-kr', '안녕하세요 고객님, 주문하신 상품이 발송되었습니다.', '[공지] 이벤트 당첨'],
    ['windows-1251', 'Уважаемый клиент, ваш заказ готов', 'СКИДКА 50%', 'Вітаємо з днем народження', 'ООО «Ромашка»'],
  ];
  for (const [encoding, ...lines] of texts)
    for (const line of lines) {
      const path = fileOf(t, encode(`number;content\n639170000001;${line}\n`, encoding));
      assert.equal((await firstRows(path, 1, { tenant: null, reading: {} })).read_as.encoding, encoding, line);
    }
});

test('every encoding, separator, line end and byte order mark gives the same rows', async (t) => {
  const encodings: readonly TextEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'gbk'];
  for (const encoding of encodings)
    for (const [separator, sign] of Object.entries(SIGNS))
      for (const line of ['\n', '\r\n', '\r'])
        for (const mark of encoding === 'gbk' ? [''] : ['', '\ufeff'])
          for (const quote of [false, true]) {
            const rows = [
              ['number', 'name'],
              ['639170000001', quote ? `王${sign}小明` : '王小明'],
              ['639170000002', '李娜'],
            ];
            const path = fileOf(t, encode(mark + textOf(rows, { sign, line }), encoding));
            const { read_as } = await firstRows(path, 1, { tenant: null, reading: {} });
            const label = JSON.stringify([encoding, separator, line, mark, quote]);
            assert.deepEqual([read_as.encoding, read_as.separator], [encoding, separator], label);
            assert.deepEqual(
              (await allRows(path)).map(({ cells }) => cells),
              rows,
              label,
            );
          }
});

test('a chosen encoding and separator win over what is detected', async (t) => {
  const path = fileOf(t, encode(textOf(rowsOf(['王小明'], 1)), 'gbk'));
  assert.equal((await allRows(path, { encoding: 'windows-1252' }))[1]?.cells[1], 'ÍõÐ¡Ã÷');
  assert.deepEqual((await allRows(path, { encoding: 'gbk', separator: 'semicolon' }))[1]?.cells, [
    '639170000000,王小明',
  ]);
});

test('UTF-16 without a byte order mark is detected even if most text is Chinese', async (t) => {
  const rows = rowsOf(['尊敬的客户一一您好，您的订单已经发货，请注意查收，谢谢您的支持和信任'], 5);
  for (const encoding of ['utf-16le', 'utf-16be'] as const)
    assert.deepEqual(
      (await allRows(fileOf(t, encode(textOf(rows), encoding)))).map(({ cells }) => cells),
      rows,
    );
});

/** Returns the error of reading a file: its code and parameters. */
async function faultOf(path: string, reading: FileReading = {}) {
  const error = (await allRows(path, reading).catch((caught: unknown) => caught)) as BusinessError;
  return [error.code, error.params];
}

test('an invalid byte in a UTF-8 file is reported with its row and column', async (t) => {
  const lines = textOf([...rowsOf(['José', 'Zoë', 'Müller'], 3_000), ['639180000000', 'Pe?a']]);
  const bytes = Buffer.from(lines);
  bytes[bytes.lastIndexOf('?')] = 0xf1;
  const path = fileOf(t, bytes);
  assert.deepEqual(await faultOf(path), ['file_bytes_invalid', { row: 3_002, column: 2 }]);
  assert.equal((await allRows(path, { encoding: 'utf-8' })).at(-1)?.cells[1], 'Pe\ufffda');
  const preview = await firstRows(path, 2, { tenant: null, reading: {} });
  assert.deepEqual([preview.fault?.code, preview.rows[1]?.cells[1]], ['file_bytes_invalid', 'José']);
});

test('NUL bytes, mixed separators and open quotes are refused with their row', async (t) => {
  const text = textOf(rowsOf(['Ana'], 3));
  assert.deepEqual(await faultOf(fileOf(t, text.replace('Ana\r\n6391700000', 'A\0na\r\n6391700000'))), [
    'file_holds_nul',
    { row: 2 },
  ]);
  assert.deepEqual(await faultOf(fileOf(t, 'number,name\n639170000001;Ana\n639170000002;Eva\n')), [
    'separators_mixed',
    { first: ',', row: 2, second: ';' },
  ]);
  assert.deepEqual(await faultOf(fileOf(t, 'number,name\n639170000001,Ana\n639170000002,"Eva\n639170000003,Bo\n')), [
    'quote_open',
    { row: 3 },
  ]);
  assert.deepEqual(await faultOf(fileOf(t, text), { header_row: 9 }), ['header_row_missing', { row: 9 }]);
  const preview = await firstRows(fileOf(t, text), 1, { tenant: null, reading: { header_row: 9 } });
  assert.deepEqual([preview.fault?.code, preview.above.length], ['header_row_missing', 4]);
});

test('a line sep= sets the separator and is not a row', async (t) => {
  const [header, row] = await allRows(fileOf(t, 'sep=;\r\nzone;prefix;charge\r\nPH;63917;0,35\r\n'));
  assert.deepEqual([header?.line, header?.cells], [2, ['zone', 'prefix', 'charge']]);
  assert.deepEqual([row?.cells, row?.exact], [['PH', '63917', '0,35'], { 2: '0.35' }]);
});

/** Returns the headings found in a file. */
const headingsOf = async (path: string) => (await firstRows(path, 1, { tenant: null, reading: {} })).rows[0]?.cells;

test('titles above the headings are skipped, and no other row is', async (t) => {
  const files: readonly [text: string, first: readonly string[]][] = [
    ['Customers of March\n\nnumber,name\n639170000001,Ana\n', ['number', 'name']],
    ['Report;;\nPrinted;2026-03-01;\nMobile No.;City;Tier\n639170000001;Cebu;Gold\n', ['Mobile No.', 'City', 'Tier']],
    ['Kunden,,\nTel.,Ort,Stufe\n639170000001,Köln,1\n', ['Tel.', 'Ort', 'Stufe']],
    ['Liste\nWer,Ort,Stufe\n639170000001,Köln,1\n', ['Wer', 'Ort', 'Stufe']],
    ['group,key,en,fp\nfields,number,Number,Number\nfields,name,Name,Pangalan\n', ['group', 'key', 'en', 'fp']],
    ['Mobile\n\nnumber,name\n639170000001,Ana\n', ['number', 'name']],
    ['number\n1\n2\n', ['number']],
    ['number\nn/a\n639170000001\n', ['number']],
    ['639170000001\n639170000002,Ana,Gold\n', ['639170000001']],
    ['639170000001,Ana\nnumber,name\n', ['639170000001', 'Ana']],
    ['number,name\n1,x\n2\n3,x,y,z\n', ['number', 'name']],
    ['手机号码,姓名\n639170000001,王\n', ['手机号码', '姓名']],
  ];
  for (const [text, first] of files) assert.deepEqual(await headingsOf(fileOf(t, text)), first, text);
});

test('after a cover sheet, the next sheet with a table is read', async (t) => {
  const table = [
    ['number', 'name'],
    ['639170000001', 'Ana'],
  ];
  const path = await bookOfTables(t, {
    Cover: [['Spring sale'], ['For the team']],
    People: table,
    More: [['number'], ['639170000009']],
  });
  const preview = await firstRows(path, 1, { tenant: null, reading: {} });
  assert.deepEqual([preview.read_as.sheet, preview.read_as.sheets], ['People', ['Cover', 'People', 'More']]);
  assert.deepEqual(
    (await allRows(path)).map(({ cells }) => cells),
    table,
  );
  assert.equal((await allRows(path, { sheet: 'More' }))[1]?.cells[0], '639170000009');
  assert.equal((await allRows(path, { sheet: 'Cover' }))[0]?.cells[0], 'Spring sale');
});

test('a preview reads the start of a file exactly as an import would', async (t) => {
  for (const encoding of ['utf-8', 'gbk', 'utf-16le'] as const)
    for (const shift of ['', 'x', 'xx']) {
      const bytes = encode(`number,name${shift}\n${'639170000001,王小明\n'.repeat(20_000)}`, encoding);
      const path = fileOf(t, bytes.subarray(0, PREVIEW_BYTES));
      const { read_as, rows, fault } = await firstRows(path, 2, { tenant: null, reading: {}, cut: true });
      assert.deepEqual([read_as.encoding, rows[1]?.cells[1], fault], [encoding, '王小明', null]);
    }
});

test('a text damaged anywhere gives rows or a refusal, in a preview too', async (t) => {
  const good = encode(textOf(rowsOf(NAMES['gbk']!, 30), { sign: ';' }), 'gbk');
  const reading = fc.record(
    {
      encoding: fc.constantFrom(...ENCODINGS),
      separator: fc.constantFrom(...SEPARATORS),
      header_row: fc.integer({ min: 1, max: 40 }),
    },
    { requiredKeys: [] },
  );
  const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 4 });
  const refusal = (error: unknown) => assert.ok(error instanceof BusinessError, String(error));
  await fc.assert(
    fc.asyncProperty(reading, flips, fc.nat(good.length), async (chosen, changes, length) => {
      const bytes = Buffer.from(good);
      for (const [at, byte] of changes) bytes[at] = byte;
      const path = fileOf(t, bytes.subarray(0, length));
      await allRows(path, chosen).catch(refusal);
      await firstRows(path, 5, { tenant: null, reading: chosen, cut: true }).catch(refusal);
    }),
    { numRuns: 300 },
  );
});
