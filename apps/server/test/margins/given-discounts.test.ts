import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { MARGIN_GROUPS, margins } from '@heliograph/contract/margins/margin';
import { RESALE_GROUPS, resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { parse } from 'csv-parse/sync';
import { closeMonths, postTransfers, reserve } from '#modules/billing';
import { marginFile } from '../../src/modules/margins/margin-report.ts';
import { setCurrency } from '../reports/every-outcome.ts';
import { exportedFile } from '../reports/exported-file.ts';
import { readerOf } from '../reports/report-reader.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { get, fileOf } = readerOf(api);
const month = Temporal.Now.plainDateISO('Asia/Manila').with({ day: 1 }).subtract({ months: 3 });
const last = month.add({ months: 1 }).subtract({ days: 1 });
const [first, end] = [month.toString(), last.toString()];
const period = { from: first, to: end };

/** Names of corporations and their accounts' charges in the month, in thousandths. */
const CHARGED = { 'Northwind Telecom': 9_000_001, 'Acme Retail': 7_654_321, 'Blue Harbor Bank': 1_234_567 };
const SELLERS: Record<keyof typeof CHARGED, string | null> = {
  'Northwind Telecom': null,
  'Acme Retail': 'Northwind Telecom',
  'Blue Harbor Bank': null,
};
const idOf = async (name: string | null) =>
  name === null ? null : Number((await owner.query('SELECT id FROM corporation WHERE name = $1', [name])).rows[0]!.id);
for (const name of ['Northwind Telecom', 'Acme Retail']) await setCurrency(owner, name, 'PHP');
await setCurrency(owner, 'Blue Harbor Bank', 'CHF');
await owner.query(
  "INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('CHF', 'PHP', '2020-01-01', 64333, 3)",
);
for (const [name, amount] of Object.entries(CHARGED)) {
  const corporation_id = (await idOf(name))!;
  const { rows } = await owner.query<{ id: number }>(
    'UPDATE billing_account SET created_at = $2, credit_limit = 1000000000 WHERE id = (SELECT min(id) FROM billing_account WHERE corporation_id = $1) RETURNING id',
    [corporation_id, `${first}T12:00:00Z`],
  );
  const billing_account_id = rows[0]!.id;
  await owner.query(
    `INSERT INTO volume_discount (corporation_id, billing_account_id, name, measure, applies, tiers, first_month, last_month)
     VALUES ($1, $2, 'Volume', 'amount', 'all', '[[1,1234]]', $3, $3)`,
    [await idOf(SELLERS[name as keyof typeof CHARGED]), billing_account_id, first],
  );
  const entry = { billing_account_id, corporation_id, amount, created_at: month.add({ days: 9 }).toString() };
  await api.database
    .db('owner')
    .transaction()
    .execute(async (db) => {
      await reserve(db, { ...entry, key: `r:${name}` });
      await postTransfers(db, [{ ...entry, key: `c:${name}`, kind: 'charge' }]);
    });
  // Traffic of the month: 2.000 and 1.500 of the platform's currency.
  await owner.query(
    `INSERT INTO margin_day (day, link_id, network_id, corporation_id, payer_id, campaign_id, sender_id, parts, price, cost, unknown_parts, unknown_price)
     SELECT $2, min(l.id), 0, $1, coalesce((SELECT reseller_id FROM corporation WHERE id = $1), $1), 0, 'Lamp', 9, 2000000, 1500000, 0, 0 FROM link l`,
    [corporation_id, month.add({ days: 9 }).toString()],
  );
}
await closeMonths({ database: api.database.db('worker'), clock: { now: () => new Date() } });

/** Discounts of the month, as the ledger has them. */
const posted = new Map<string, number>(
  (
    await owner.query<{ name: string; amount: number }>(
      `SELECT c.name, sum(t.amount)::bigint AS amount FROM ledger_transfer t JOIN corporation c ON c.id = t.corporation_id
       WHERE t.kind = 'discount' GROUP BY 1`,
    )
  ).rows.map(({ name, amount }) => [name, amount]),
);
const toPhp = (thousandths: number) => Number((BigInt(thousandths) * 1_000n * 64_333n + 500n) / 1_000n);
const northwind = posted.get('Northwind Telecom')! * 1_000;
const harbor = toPhp(posted.get('Blue Harbor Bank')!);
const millionths = (amount: string | null | undefined) => Math.round(Number(amount ?? Number.NaN) * 1_000_000);
type Report = ReplyOf<typeof margins>;
const report = async (values: object) => margins.reply.parse(await get('superadmin', '/api/v1/margins', values));
const named = (rows: Report['data'], name: string) => rows.find((row) => row.name === name);

test('margins show the posted discounts by corporation, reseller, day and in all', async () => {
  assert.equal(posted.size, 3);
  const expected = northwind + harbor;
  for (const by of MARGIN_GROUPS) {
    const { data, totals } = await report({ ...period, by });
    assert.equal(millionths(totals.discounts), expected, by);
    assert.equal(millionths(totals.margin_after_discounts), millionths(totals.margin) - expected, by);
    const isShown = ['corporation', 'reseller', 'day'].includes(by);
    for (const row of data) {
      assert.equal(row.discounts !== null, isShown, by);
      if (isShown)
        assert.equal(millionths(row.margin_after_discounts), millionths(row.margin) - millionths(row.discounts));
    }
    if (isShown)
      assert.equal(
        data.reduce((sum, row) => sum + millionths(row.discounts), 0),
        expected,
        by,
      );
  }
  const corporations = (await report({ ...period, by: 'corporation' })).data;
  assert.equal(millionths(named(corporations, 'Northwind Telecom')?.discounts), northwind);
  assert.equal(millionths(named(corporations, 'Blue Harbor Bank')?.discounts), harbor);
  assert.equal(millionths(named(corporations, 'Acme Retail')?.discounts), 0, 'its reseller gave it, not the platform');
  const resellers = (await report({ ...period, by: 'reseller' })).data;
  assert.deepEqual(
    [named(resellers, 'Northwind Telecom'), named(resellers, '')].map((row) => millionths(row?.discounts)),
    [northwind, harbor],
  );
  const days = (await report({ ...period, by: 'day' })).data;
  assert.equal(millionths(named(days, end)?.discounts), expected, 'the last day has them all');
  const { path } = await exportedFile(api, [marginFile], {
    login: 'superadmin',
    path: '/api/v1/margins/exports',
    body: { ...period, by: 'corporation', format: 'csv' },
  });
  const file: Record<string, string>[] = parse(await readFile(path), { columns: true, bom: true });
  const sum = file.reduce((all, row) => all + millionths(row['Volume discounts']), 0);
  assert.equal(sum, expected, 'the file has them too');
});

test('a discount belongs to its month’s last day, never to a link', async () => {
  const until = await report({ from: first, to: last.subtract({ days: 1 }).toString() });
  assert.equal(millionths(until.totals.discounts), 0);
  const only = await report({ from: end, to: end, by: 'corporation' });
  assert.deepEqual([millionths(only.totals.discounts), only.totals.parts], [northwind + harbor, 0]);
  const one = await report({ ...period, corporation_id: await idOf('Blue Harbor Bank') });
  assert.deepEqual([one.data.length, millionths(one.totals.discounts)], [1, harbor]);
  const { rows } = await owner.query('SELECT min(id) AS id FROM link');
  const linked = await report({ ...period, link_id: rows[0]!.id });
  assert.deepEqual([linked.totals.discounts, linked.data[0]?.margin_after_discounts], [null, null]);
  await owner.query("DELETE FROM exchange_rate WHERE from_currency = 'CHF' OR to_currency = 'CHF'");
  const { totals } = await report(period);
  assert.deepEqual([millionths(totals.discounts), totals.unknown_discounts], [northwind, 1]);
});

test('a reseller sees the discounts it gave and got, and no customer sees any', async () => {
  const acme = posted.get('Acme Retail')!;
  const own = { amount: (posted.get('Northwind Telecom')! / 1_000).toFixed(3), currency: 'PHP' };
  for (const login of ['reseller', 'superadmin'])
    for (const by of RESALE_GROUPS) {
      const body = await get(login, '/api/v1/resale-margins', { ...period, by });
      const { data, totals, own_discounts } = resaleMargins.reply.parse(body);
      assert.deepEqual(
        totals.map((row) => millionths(row.discounts)),
        [acme * 1_000],
        `${login} ${by}`,
      );
      assert.equal(millionths(totals[0]!.margin_after_discounts), millionths(totals[0]!.margin) - acme * 1_000);
      const isShown = by === 'corporation' || by === 'day';
      assert.deepEqual(
        data.map(({ name, discounts }) => [name, millionths(discounts)]),
        isShown ? [[by === 'day' ? end : 'Acme Retail', acme * 1_000]] : [],
      );
      assert.deepEqual(own_discounts, [own]);
    }
  const [row] = await fileOf('reseller', '/api/v1/resale-margins', { ...period, by: 'corporation', format: 'csv' });
  assert.equal(millionths(String(row?.['Volume discounts'])), acme * 1_000);
  const sender = resaleMargins.reply.parse(
    await get('reseller', '/api/v1/resale-margins', { ...period, sender_id: 'Lamp' }),
  );
  assert.deepEqual([sender.totals, sender.own_discounts], [[], []]);
  const corporate = await api.as('corporate');
  const path = `/api/v1/resale-margins?${new URLSearchParams(period)}`;
  assert.equal((await corporate('GET', path)).status, 403);
  // A permission that was given by mistake shows nothing either.
  await owner.query(
    `INSERT INTO role_permission (role_id, permission_id)
     SELECT u.role_id, p.id FROM user_account u, permission p
     WHERE u.email LIKE 'corporate%' AND p.name = 'resale-margins-index' ON CONFLICT DO NOTHING`,
  );
  const empty = { data: [], totals: [], own_discounts: [], next_cursor: null, has_more: false };
  assert.deepEqual((await corporate('GET', path)).body, empty);
});
