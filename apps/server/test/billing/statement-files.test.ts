import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { correct, pay } from '#modules/billing';
import { statementFile } from '../../src/modules/billing/statement-file.ts';
import { exportedFile } from '../reports/exported-file.ts';
import { startTestApi } from '../test-api.ts';

const NOW = new Date('2026-03-21T12:00:00Z');
const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const owner = api.database.db('owner');
const { id, corporation_id } = await owner
  .selectFrom('billing_account')
  .select(['id', 'corporation_id'])
  .where('name', '=', 'Acme main')
  .executeTakeFirstOrThrow();
const period = { from: '2026-03-02', to: '2026-03-20' };
const LINES = 2_300;

// The lines straddle the first and the last midnight of the period in the reader's time zone.
await owner.transaction().execute(async (db) => {
  const first = Date.parse('2026-03-01T15:30:00Z');
  const step = (Date.parse('2026-03-20T16:30:00Z') - first) / (LINES - 1);
  for (let nth = 0; nth < LINES; nth++) {
    const of = { key: `line ${nth}`, billing_account_id: id, corporation_id, note: nth === 7 ? '=1+1' : '月額 №' };
    const created_at = new Date(first + step * nth).toISOString();
    await (nth % 3 === 0 ? correct : pay)(db, { ...of, created_at, amount: nth % 3 === 0 ? -nth - 1 : nth + 1 });
  }
});

const file = (format: string, locale?: string) =>
  exportedFile(api, [statementFile], {
    login: 'corporate',
    path: `/api/v1/billing-accounts/${id}/statement/exports`,
    body: { ...period, format },
    now: NOW,
    ...(locale && { locale }),
  });
const thousandths = (text: string | undefined) => Math.round(Number(text) * 1_000);

test('each balance of the file follows from the line below', async () => {
  const { path, rows } = await file('csv');
  const [, ...lines] = parse(await readFile(path), { bom: true }) as string[][];
  assert.equal(lines.length, rows);
  const totals = await (await api.as('corporate'))(
    'GET',
    `/api/v1/billing-accounts/${id}/statement/totals?from=${period.from}&to=${period.to}`,
  );
  const { opening, closing } = (totals.body as { data: { opening: string; closing: string } }).data;
  const balance = lines.map((line) => line.at(-2));
  assert.deepEqual([balance[0], balance.at(-1)], [closing, opening]);
  assert.equal(balance[1], closing);
  for (const [place, line] of lines.entries()) {
    if (place === 0 || place === lines.length - 1) continue;
    assert.equal(thousandths(balance[place]), thousandths(balance[place + 1]) + thousandths(line[5]), String(place));
  }
  // Only the days of the period in the reader's time zone, UTC+8, are in it.
  const days = lines.slice(1, -1).map(([at]) => at!.slice(0, 10));
  assert.deepEqual([days.at(-1)! >= period.from, days[0]! <= period.to], [true, true]);
  const { count } = await owner
    .selectFrom('credit_change')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('billing_account_id', '=', id)
    .where('created_at', '>=', '2026-03-01T16:00:00Z')
    .where('created_at', '<', '2026-03-20T16:00:00Z')
    .executeTakeFirstOrThrow();
  assert.ok(lines.length - 2 <= Number(count) && lines.length > LINES - 10, `${lines.length}`);
  assert.doesNotMatch(await readFile(path, 'utf8'), /(^|,)=1\+1/m);
});

test('a statement is a workbook with typed cells and a PDF in each language', async () => {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile((await file('xlsx')).path);
  assert.equal(typeof book.worksheets[0]!.getCell('F3').value, 'number');
  for (const locale of LOCALES) {
    const { path, rows, download_file } = await file('pdf', locale);
    const pdf = await readFile(path, 'latin1');
    assert.match(download_file, /^account-statement_.*_2026-03-02_2026-03-20_Asia-Manila\.pdf$/);
    assert.match(pdf, /^%PDF-[\s\S]+%%EOF\s*$/);
    const pages = pdf.match(/\/Type \/Page\b(?!s)/g)!.length;
    assert.ok(pages >= rows / 45 && pages <= rows / 35 + 1, `${pages} pages of ${rows} lines`);
  }
});

test('a wrong period and a foreign account are refused before a file is queued', async () => {
  const ask = async (login: string, account: number, days: object) =>
    (
      await (
        await api.as(login)
      )('POST', `/api/v1/billing-accounts/${account}/statement/exports`, { ...period, ...days })
    ).status;
  assert.equal(await ask('corporate', id, { from: '2026-03-20', to: '2026-03-02' }), 422);
  assert.equal(await ask('corporate', id, { from: '2026-01-01' }), 422);
  const foreign = await owner
    .selectFrom('billing_account')
    .select('id')
    .where('corporation_id', '<>', corporation_id)
    .executeTakeFirstOrThrow();
  assert.equal(await ask('corporate', foreign.id, {}), 404);
});
