import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorker } from '../../src/processes/worker.ts';
import { dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { formOf, uploadFile } from '../uploads.ts';
import { encode } from './encoded-text.ts';
import { bookOfTables } from './table-file.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const [corporate, harbor] = await Promise.all(['corporate', 'corporate@harbor.test'].map((login) => api.as(login)));
if (!corporate || !harbor) throw new Error('nobody signed in');

const owner = api.database.pool('owner');
const one = async (text: string): Promise<number> => (await owner.query<{ id: number }>(text)).rows[0]!.id;
const corporation_id = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
const department_id = await one(
  `SELECT id FROM department WHERE corporation_id = ${corporation_id} ORDER BY id LIMIT 1`,
);
const at = (i: number) => `63917${String(i).padStart(7, '0')}`;

test('an upload is read as chosen, otherwise as detected, and reports how', async (t) => {
  const file = encode(`number;name\n${at(840)};王小明\n`, 'gbk');
  const made = { name: 'Readings', corporation_id, department_id };
  const list = dataOf(await corporate('POST', '/api/v1/number-lists', made)).id;
  const imported = async (content: Buffer, query = '') => {
    const sent = await corporate('POST', `/api/v1/number-lists/${list}/imports${query}`, formOf(content));
    let row = dataOf(sent);
    while (sent.status === 202 && row['finished_at'] === null) {
      await sleep(50);
      row = dataOf(await corporate('GET', `/api/v1/imports/${row.id}`));
    }
    return { sent, row };
  };
  const wrong = await imported(file, '?encoding=windows-1252');
  assert.deepEqual(wrong.row['rows_added'], 1);
  const seen = await imported(file);
  const read_as = { encoding: 'gbk', separator: 'semicolon', sheet: null, sheets: [], header_row: 1 };
  assert.deepEqual([seen.row['read_as'], seen.row['rows_duplicate']], [read_as, 1]);
  assert.equal((await imported(file)).sent.status, 409);
  assert.equal((await imported(file, '?encoding=klingon')).sent.status, 422);
  const open = await imported(Buffer.from(`number,name\n${at(841)},"Ana\n`));
  assert.deepEqual([open.row['error_code'], open.row['error_params']], ['quote_open', { row: 2 }]);
  const tables = { First: [['number'], [at(842)]], Second: [['number'], [at(843)]] };
  const book = readFileSync(await bookOfTables(t, tables));
  const { upload } = await uploadFile(corporate, `opt-outs/bulk?corporation_id=${corporation_id}&sheet=Second`, book);
  assert.deepEqual(
    [upload.rows_added, upload.read_as?.sheet, upload.read_as?.sheets],
    [1, 'Second', ['First', 'Second']],
  );
  const titled = `Gone\n\nnumber\n${at(844)}\n`;
  const blocked = await uploadFile(corporate, `blacklist-numbers/bulk?corporation_id=${corporation_id}`, titled);
  assert.deepEqual([blocked.upload.rows_added, blocked.upload.read_as?.header_row], [1, 3]);
});

test('a preview shows how a file would be read, and stores nothing', async (t) => {
  const preview = async (content: string | Buffer, query = '') =>
    dataOf(await corporate('POST', `/api/v1/file-previews${query}`, formOf(content)));
  const uploads = () => readdirSync(join(api.config.DATA_DIR, 'files'), { recursive: true }).length;
  const before = uploads();
  const file = encode(`Kunden\nnumber,name\n${at(850)},Иван\n`, 'windows-1251');
  const shown = await preview(file);
  assert.deepEqual(shown['rows'], [
    { line: 1, cells: ['Kunden'] },
    { line: 2, cells: ['number', 'name'] },
    { line: 3, cells: [at(850), 'Иван'] },
  ]);
  const read_as = { encoding: 'windows-1251', separator: 'comma', sheet: null, sheets: [], header_row: 2 };
  assert.deepEqual([shown['read_as'], shown['fault']], [read_as, null]);
  const otherwise = await preview(file, '?encoding=windows-1252&header_row=1');
  assert.deepEqual((otherwise['rows'] as { cells: string[] }[])[2]?.cells[1], 'Èâàí');
  assert.equal((otherwise['read_as'] as { header_row: number }).header_row, 1);
  const book = readFileSync(await bookOfTables(t, { A: [['number']], B: [['name']] }));
  assert.deepEqual((await preview(book, '?sheet=B'))['rows'], [{ line: 1, cells: ['name'] }]);
  const mixed = await preview(`number,name\n${at(851)};Ana\n`);
  assert.match(String(mixed['fault']), /separated by “,”, but row 2 is separated by “;”/);
  assert.equal(uploads(), before);
});

test('reading a file of recipients in another way makes a new file', async () => {
  const file = encode(`number,name\n${at(860)},山田太郎\n`, 'shift_jis');
  const sent = dataOf(await corporate('POST', '/api/v1/campaigns/files', formOf(file)));
  assert.deepEqual(
    [sent['preview'], (sent['read_as'] as { encoding: string }).encoding],
    [[[at(860), '山田太郎']], 'shift_jis'],
  );
  const again = dataOf(await corporate('POST', `/api/v1/campaigns/files/${sent.id}/readings`, { encoding: 'gbk' }));
  assert.notEqual(again.id, sent.id);
  assert.notDeepEqual(again['preview'], sent['preview']);
  assert.deepEqual(again['columns'], ['number', 'name']);
  const foreign = await harbor('POST', `/api/v1/campaigns/files/${sent.id}/readings`, {});
  assert.equal(foreign.status, 404);
});
