import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { margins } from '@heliograph/contract/margins/margin';
import type { resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { countMargins } from '../../src/modules/margins/index.ts';
import { countDestinations } from '../../src/modules/reports/count-destinations.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestApi } from '../test-api.ts';
import { makeTraffic } from './made-traffic.ts';
import { readerOf } from './report-reader.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const database = api.database.db('worker');
const { get, fileOf } = readerOf(api);
const worker = { pool: api.database.pool('worker'), database, config: api.config, clock: systemClock, log: api.log };

// Noon in Manila, so that the day is the same whenever the test runs.
const at = new Date(Math.floor(Date.now() / 86_400_000 - 12) * 86_400_000 + 4 * 3_600_000);
const day = at.toTemporalInstant().toZonedDateTimeISO('Asia/Manila').toPlainDate().toString();
const period = { from: day, to: day };

async function seed(): Promise<void> {
  const link = await api.database.one('SELECT min(id) AS id FROM link');
  const card = await api.database.one(
    `INSERT INTO carrier_card (link_id, name, currency, charged_on, starts_on) VALUES (${link}, 'Costs', 'CHF', 'delivery', '2020-01-01') RETURNING id`,
  );
  await owner.query(`INSERT INTO carrier_rate (carrier_card_id, prefix, amount) VALUES ($1, '63', 6001)`, [card]);
  await owner.query(
    `UPDATE carrier_card SET version = 800, applied_at = '2020-01-01', from_at = '2020-01-01', timezone = 'Asia/Manila' WHERE id = $1`,
    [card],
  );
  await owner.query(
    `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('CHF', 'PHP', '2020-01-01', 645, 1)`,
  );
  const campaign = await api.database.one(
    "SELECT max(k.id) AS id FROM campaign k JOIN corporation c ON c.id = k.corporation_id WHERE c.name = 'Acme Retail'",
  );
  const messages = [
    { msisdn: '639171000001', answers: [0], outcome: 'delivered' },
    { msisdn: '639181000002', parts: 2, answers: [0, 0], outcome: 'delivered' },
    { msisdn: '639181000003', answers: [0], outcome: 'failed_other' },
    { msisdn: '639181000004', answers: [69], outcome: 'failed_submit' },
    { msisdn: '88351000005', answers: [0], outcome: 'delivered' },
  ];
  const [first] = await makeTraffic(owner, {
    ...{ corporation: 'Acme Retail', at, unit_price: 350, messages, campaign_id: Number(campaign) },
  });
  await owner.query(
    `UPDATE chunk SET reseller_corporation_id = r.id, reseller_account_id = (SELECT min(id) FROM billing_account WHERE corporation_id = r.id),
       reseller_unit_price = 131, reseller_charge_on_delivery = true
     FROM corporation r WHERE r.name = 'Northwind Telecom' AND chunk.id = $1`,
    [Math.floor(first! / 1_024)],
  );
  await owner.query(
    "UPDATE corporation SET currency = 'PHP' WHERE name IN ('Northwind Telecom', 'Acme Retail', 'Blue Harbor Bank')",
  );
  await makeTraffic(owner, { corporation: 'Blue Harbor Bank', at, unit_price: 400, messages: messages.slice(0, 2) });
  await owner.query('UPDATE campaign SET created_at = $1 WHERE id = $2', [at.toISOString(), campaign]);
  await owner.query("SELECT rebuild_traffic($1::timestamptz - interval '1 day', $1::timestamptz + interval '1 day')", [
    at.toISOString(),
  ]);
  await owner.query('DELETE FROM margin_counted');
  await countMargins({ database, clock: systemClock }, new AbortController().signal);
  await countDestinations(worker, new AbortController().signal, 31);
}
await seed();

const ask = async (login: string, path: string, body: object) =>
  (await api.as(login))('POST', `/api/v1/${path}/exports`, { ...period, ...body });

/** Reads the file of transactions as rows by heading. */
async function messagesOf(login: string, body: object): Promise<Record<string, unknown>[]> {
  const { status, body: reply } = await ask(login, 'transactions', body);
  assert.equal(status, 202, JSON.stringify(reply));
  const { id } = (reply as { data: { id: number } }).data;
  await exportTransactions(worker, (user) => loadCaller(database, user), id, new AbortController().signal);
  const { rows } = await owner.query('SELECT * FROM download WHERE id = $1', [id]);
  assert.equal(rows[0].state, 'done');
  const file = join(api.config.DATA_DIR, 'files', rows[0].file_path);
  if (file.endsWith('.csv')) return parse(await readFile(file), { columns: true, bom: true });
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(file);
  const [head, ...lines] = book.worksheets[0]!.getSheetValues().slice(1) as unknown[][];
  return lines.map((line) => Object.fromEntries(head!.slice(1).map((name, i) => [String(name), line[i + 1] ?? ''])));
}

const micros = (rows: readonly object[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number((row as Record<string, unknown>)[column]) * 1e6), 0);
const sumsOf = (rows: readonly object[]) => ['Price', 'Cost', 'Margin'].map((column) => micros(rows, column));

test('files with the costs of carriers have the sums of the margin report', async () => {
  const report = await get<ReplyOf<typeof margins>>('superadmin', '/api/v1/margins', { ...period, by: 'corporation' });
  const { price, cost, margin, unknown_parts } = report.totals;
  const expected = [price, cost, margin].map((amount) => Math.round(Number(amount) * 1e6));
  assert.ok(expected.every((sum) => sum !== 0) && unknown_parts > 0, String([expected, unknown_parts]));
  for (const format of ['csv', 'xlsx']) {
    const messages = await messagesOf('superadmin', { costs: 'carriers', format });
    assert.deepEqual(sumsOf(messages), expected, `transactions as ${format}`);
    assert.equal(
      messages.reduce((sum, row) => sum + Number(row['Parts without cost']), 0),
      unknown_parts,
    );
    const numbers = messages.filter((row) => row['Number'] === '639181000002');
    assert.deepEqual(
      numbers
        .map((row) => [Number(row['Price']), Number(row['Cost']), Number(row['Margin']), row['Cost currency']])
        .sort(),
      [
        [0.262, 0.77413, -0.51213, 'PHP'],
        [0.8, 0.77413, 0.02587, 'PHP'],
      ].sort(),
    );
    for (const type of ['corporation', 'sender', 'network']) {
      const summary = await fileOf('superadmin', '/api/v1/summary-reports', {
        ...period,
        type,
        costs: 'carriers',
        format,
      });
      assert.deepEqual(sumsOf(summary), expected, `summary by ${type} as ${format}`);
    }
  }
  // The history has the sums of whole campaigns, whenever their messages were sent.
  const month = {
    from: day,
    to: new Date().toTemporalInstant().toZonedDateTimeISO('Asia/Manila').toPlainDate().toString(),
  };
  const campaigns = await get<ReplyOf<typeof margins>>('superadmin', '/api/v1/margins', { ...month, by: 'campaign' });
  const history = await fileOf('superadmin', '/api/v1/campaign-history', {
    ...period,
    costs: 'carriers',
    format: 'csv',
  });
  const named = campaigns.data.filter(({ name }) =>
    history.some((row) => row['Campaign'] === name || row['Name'] === name),
  );
  assert.ok(named.length > 0, JSON.stringify(history));
  for (const { name, price: of } of named)
    assert.equal(
      micros(
        history.filter((row) => row['Campaign'] === name || row['Name'] === name),
        'Price',
      ),
      Number(of) * 1e6,
      name,
    );
  assert.ok(micros(history, 'Price') > 0);
});

test('a message without an accepted part has no cost in a filtered file', async () => {
  const all = await messagesOf('superadmin', { costs: 'carriers', number: '63918100' });
  assert.equal(all.length, 4);
  const refused = all.find((row) => row['Number'] === '639181000004');
  assert.deepEqual([refused?.['Price'], refused?.['Cost'], refused?.['Cost currency']], ['', '', '']);
});

test('a reseller’s files have its own charges for its customers, never the carriers’', async () => {
  const { totals } = await get<ReplyOf<typeof resaleMargins>>('reseller', '/api/v1/resale-margins', period);
  const expected = [totals[0]!.cost, totals[0]!.margin!].map((amount) => Math.round(Number(amount) * 1e6));
  assert.ok(
    expected.every((sum) => sum > 0),
    String(expected),
  );
  for (const format of ['csv', 'xlsx']) {
    const messages = await messagesOf('reseller', { costs: 'resale', format });
    assert.deepEqual(
      ['Cost', 'Margin'].map((column) => micros(messages, column)),
      expected,
      format,
    );
    assert.ok(!('Price' in messages[0]!));
    for (const type of ['corporation', 'network']) {
      const summary = await fileOf('reseller', '/api/v1/summary-reports', { ...period, type, costs: 'resale', format });
      assert.deepEqual(
        ['Cost', 'Margin'].map((column) => micros(summary, column)),
        expected,
        `summary by ${type} as ${format}`,
      );
    }
  }
  for (const path of ['transactions', 'summary-reports', 'campaign-history'])
    for (const login of ['reseller', 'corporate'])
      assert.equal((await ask(login, path, { costs: 'carriers' })).status, 403, `${login} ${path}`);
});

test('a customer gets no cost, even with a permission that was given by mistake', async () => {
  for (const path of ['transactions', 'summary-reports', 'campaign-history'])
    assert.equal((await ask('corporate', path, { costs: 'resale' })).status, 403, path);
  await owner.query(
    `INSERT INTO role_permission (role_id, permission_id) SELECT u.role_id, p.id FROM user_account u, permission p
     WHERE u.email LIKE 'corporate@%' AND p.name IN ('margins-download', 'resale-margins-download') ON CONFLICT DO NOTHING`,
  );
  for (const path of ['transactions', 'summary-reports', 'campaign-history'])
    assert.equal((await ask('corporate', path, { costs: 'carriers' })).status, 403, path);
  const files = [
    await messagesOf('corporate', { costs: 'resale' }),
    await fileOf('corporate', '/api/v1/summary-reports', { ...period, costs: 'resale', format: 'csv' }),
    await fileOf('corporate', '/api/v1/campaign-history', { ...period, costs: 'resale', format: 'csv' }),
  ];
  for (const rows of files) {
    assert.ok(rows.length > 0);
    assert.deepEqual(new Set(rows.flatMap((row) => [row['Cost'], row['Margin']])), new Set(['']));
  }
});

test('a person who lost the right to costs before the file is written gets none', async () => {
  const { body } = await ask('superadmin', 'transactions', { costs: 'carriers' });
  const { id } = (body as { data: { id: number } }).data;
  const without = async (user: number) => {
    const caller = await loadCaller(database, user);
    return (
      caller && {
        ...caller,
        permissions: new Set([...caller.permissions].filter((name) => name !== 'margins-download')),
      }
    );
  };
  await exportTransactions(worker, without, id, new AbortController().signal);
  const { rows } = await owner.query('SELECT state, file_path FROM download WHERE id = $1', [id]);
  assert.deepEqual([rows[0].state, rows[0].file_path], ['failed', null]);
});
