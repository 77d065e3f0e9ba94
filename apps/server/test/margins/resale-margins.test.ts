import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resale } from '@heliograph/contract/dashboard/resale';
import { RESALE_GROUPS, resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { setCurrency } from '../reports/every-outcome.ts';
import { readerOf } from '../reports/report-reader.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { get, fileOf } = readerOf(api);
for (const name of ['Northwind Telecom', 'Acme Retail']) await setCurrency(owner, name, 'PHP');
const { totals, days } = resale.reply.parse(await get('reseller', '/api/v1/dashboard/resale'));
const period = { from: days[0]!.date, to: days.at(-1)!.date };
const thousandths = (rows: readonly object[], column: string) =>
  Math.round(rows.reduce((sum, row) => sum + Number((row as Record<string, unknown>)[column]), 0) * 1_000);

test('a reseller’s margins have the same sums in each group and in its file', async () => {
  const columns = ['revenue', 'cost', 'margin'] as const;
  const expected = columns.map((column) => thousandths([totals], column));
  assert.ok(
    expected.every((sum) => sum > 0),
    String(expected),
  );
  for (const by of RESALE_GROUPS) {
    const report = resaleMargins.reply.parse(await get('reseller', '/api/v1/resale-margins', { ...period, by }));
    assert.deepEqual(
      [report.totals, report.data].map((rows) => columns.map((column) => thousandths(rows, column))),
      [expected, expected],
      by,
    );
    const file = await fileOf('reseller', '/api/v1/resale-margins', { ...period, by, format: 'csv' });
    assert.deepEqual(
      ['Revenue', 'Cost', 'Margin'].map((head) => thousandths(file, head)),
      expected,
      `${by} in the file`,
    );
  }
});

test('nobody below a reseller learns what it pays, and two currencies have no margin', async () => {
  const platform = resaleMargins.reply.parse(await get('superadmin', '/api/v1/resale-margins', period));
  assert.deepEqual([...new Set(platform.data.map(({ name }) => name))], ['Acme Retail'], 'only what resellers sold');
  const corporate = await api.as('corporate');
  const path = `/api/v1/resale-margins?${new URLSearchParams(period)}`;
  assert.equal((await corporate('GET', path)).status, 403);
  // A permission that was given by mistake shows nothing either.
  await owner.query(
    `INSERT INTO role_permission (role_id, permission_id)
     SELECT u.role_id, p.id FROM user_account u, permission p
     WHERE u.email LIKE 'corporate%' AND p.name = 'resale-margins-index' ON CONFLICT DO NOTHING`,
  );
  const { status, body } = await corporate('GET', path);
  assert.deepEqual(
    [status, body],
    [200, { data: [], totals: [], own_discounts: [], next_cursor: null, has_more: false }],
  );
  await setCurrency(owner, 'Acme Retail', 'USD');
  const [other] = resaleMargins.reply.parse(await get('reseller', '/api/v1/resale-margins', period)).totals;
  assert.deepEqual([other!.currency, other!.cost_currency, other!.margin], ['USD', 'PHP', null]);
  await setCurrency(owner, 'Acme Retail', 'PHP');
});
