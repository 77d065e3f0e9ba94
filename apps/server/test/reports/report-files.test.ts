import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import type { campaignStatuses } from '@heliograph/contract/reports/campaign-history';
import ExcelJS from 'exceljs';
import { creditChangeFile } from '../../src/modules/billing/credit-change.ts';
import { rateDetailFile } from '../../src/modules/billing/rate-detail.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { REPORT_FILES } from '../../src/modules/reports/report-routes.ts';
import { createDatabase } from '../../src/platform/database/db.ts';
import { readFile } from '../../src/platform/files/files.ts';
import { exportList } from '../../src/platform/tasks/exported-list.ts';
import { startTestApi } from '../test-api.ts';
import { exportedFile } from './exported-file.ts';
import { readerOf } from './report-reader.ts';
import { makeThreeWeeks, NOW } from './three-weeks.ts';

const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const owner = api.database.pool('owner');
await makeThreeWeeks(api.database, NOW);
const { all } = readerOf(api);

test('the campaign history counts each message of a campaign in exactly one status', async () => {
  await owner.query("UPDATE campaign SET created_at = '2026-03-20' WHERE id IN (SELECT campaign_id FROM message)");
  const rows = await all<ReplyOf<typeof campaignStatuses>['data'][number]>(
    'superadmin',
    '/api/v1/campaign-history/statuses',
    {
      from: '2026-03-15',
      to: '2026-03-21',
    },
  );
  assert.ok(rows.length >= 3, String(rows.length));
  for (const row of rows) {
    const { rows: truth } = await owner.query(
      'SELECT state, count(*)::int AS n FROM message_row WHERE campaign_id = $1 GROUP BY 1',
      [row.id],
    );
    const counted = Object.fromEntries(
      MESSAGE_STATES.filter((state) => row[state] > 0).map((state) => [state, row[state]]),
    );
    assert.deepEqual(counted, Object.fromEntries(truth.map((each) => [each.state, each.n])), row.name);
  }
});

test('a report file matches the screen and has no text that spreadsheets run', async () => {
  await owner.query(
    "UPDATE campaign SET name = '=1+1' WHERE id = (SELECT max(id) FROM campaign WHERE name = 'Survey')",
  );
  const call = await api.as('corporate');
  const asked = { from: '2026-02-21', to: '2026-03-21', format: 'csv' };
  for (const [path, rows] of [
    ['/api/v1/summary-reports', await all('corporate', '/api/v1/summary-reports', { from: asked.from, to: asked.to })],
    [
      '/api/v1/campaign-history',
      await all('corporate', '/api/v1/campaign-history', { from: asked.from, to: asked.to }),
    ],
  ] as const) {
    const { status, body } = await call('POST', `${path}/exports`, asked);
    assert.equal(status, 202, JSON.stringify(body));
    const { id } = (body as { data: { id: number } }).data;
    const database = createDatabase(api.database.pool('worker'));
    const worker = { database, config: api.config, log: api.log, clock: { now: () => NOW } };
    await exportList(worker, (user) => loadCaller(database, user), REPORT_FILES, id, new AbortController().signal);
    const { rows: files } = await owner.query('SELECT * FROM download WHERE id = $1', [id]);
    assert.equal(files[0].state, 'done');
    assert.equal(files[0].rows, rows.length);
    let text = '';
    for await (const piece of await readFile(api.config, files[0].file_path)) text += piece;
    assert.equal(text.trim().split('\n').length, rows.length + 1);
    assert.doesNotMatch(text, /(^|,)=1\+1/m);
  }
});

test('a workbook has a named sheet, a bold heading, and typed dates and amounts', async () => {
  const period = { from: '2026-03-01', to: '2026-03-21' };
  await owner.query(
    `INSERT INTO credit_change (corporation_id, billing_account_id, kind, amount, balance_after, transfers, first_transfer_id,
       last_transfer_id, created_at, last_at)
     SELECT corporation_id, id, 'payment', 12500, 12500, 1, 1, 1, '2026-03-20T01:30:00Z', '2026-03-20T01:30:00Z'
     FROM billing_account WHERE name = 'Acme main'`,
  );
  const lists = [...REPORT_FILES, creditChangeFile, rateDetailFile];
  const bookOf = async (path: string, filters: object) => {
    const file = await exportedFile(api, lists, {
      login: 'corporate',
      path: `/api/v1/${path}/exports`,
      body: { ...filters, format: 'xlsx' },
      now: NOW,
    });
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file.path);
    const sheet = book.worksheets[0]!;
    assert.equal(sheet.getCell('A1').font?.bold, true, path);
    assert.equal(sheet.rowCount, file.rows + 1, path);
    return { name: file.download_file, sheet };
  };
  const changes = await bookOf('credit-changes', period);
  assert.deepEqual(
    [changes.name, changes.sheet.name],
    ['credit-changes_Acme-Retail_2026-03-01_2026-03-21_Asia-Manila.xlsx', 'Credit changes'],
  );
  const at = changes.sheet.getCell('A2');
  assert.deepEqual([at.value, at.numFmt], [new Date('2026-03-20T09:30:00Z'), 'yyyy-mm-dd hh:mm:ss']);
  const amount = changes.sheet.getCell('H2');
  assert.deepEqual([amount.value, amount.numFmt], [12.5, '#,##0.000']);
  const rates = await bookOf('rate-details', {});
  assert.match(rates.name, /^rate-details_Acme-Retail_Acme-main_Asia-Manila\.xlsx$/);
  const charge = rates.sheet.getCell(rates.sheet.rowCount, 3);
  assert.deepEqual([typeof charge.value, charge.numFmt], ['number', '#,##0.000']);
  const summary = await bookOf('summary-reports', period);
  assert.ok(summary.sheet.getCell('A2').value instanceof Date);
  const spend = summary.sheet.getRow(2);
  assert.ok(
    [...Array(spend.cellCount)].some((_, i) => spend.getCell(i + 1).numFmt === '0.00%'),
    'rates are percentages',
  );
});
