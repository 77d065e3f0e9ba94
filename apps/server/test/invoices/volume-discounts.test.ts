import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type VolumeTier, volumeDiscount } from '@heliograph/contract/billing/volume-discount';
import { closeMonths, reconcile, refund } from '#modules/billing';
import { makeMonthInvoices } from '../../src/modules/invoices/month-invoices.ts';
import { makeMoneyStage } from '../billing/stage.ts';
import { randomFrom } from '../margins/made-month.ts';
import { sentParts } from './sent-parts.ts';
import { buyerBody, issuerBody } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { owner, tenant, clock, home, admin, plan_id } = stage;
const pool = home.pool('owner');
const of = { billing_account_id: tenant.billing_account_id, corporation_id: tenant.corporation_id };
const worker = { database: home.db('worker'), clock };
let keys = 0;
const { charge, send } = sentParts(stage, () => keys++);

await owner
  .updateTable('billing_account')
  .set({ credit_balance: 0, credit_limit: 100_000_000, created_at: '2026-01-01T12:00:00Z' })
  .execute();
await owner.updateTable('corporation').set({ timezone: 'America/New_York' }).execute();
await owner.updateTable('price_plan').set({ type: 'postpaid_special' }).execute();
const { tax_rate: _, ...seller } = issuerBody();
await owner
  .insertInto('invoice_issuer')
  .values({ ...seller, tax_rate: 12_000, issue_automatically: true, prices_include_tax: false })
  .execute();
await owner
  .insertInto('invoice_buyer')
  .values({ ...buyerBody(of.corporation_id), invoices_from: '2026-01-15' })
  .execute();

const phones = (count: number) => Array.from({ length: count }, (_, i) => `63917${String(1_000_000 + i)}`);
const terms = (more: object = {}) => ({
  name: 'Many parts',
  measure: 'parts',
  applies: 'all',
  tiers: [
    { from: '100', percent: '5' },
    { from: '200', percent: '12.5' },
  ],
  first_month: '2026-02',
  ...more,
});
const grant = (body: object) => admin('POST', 'volume-discounts', body);
const one = async <Row>(text: string, ...values: unknown[]) => (await pool.query(text, values)).rows[0] as Row;
const monthIsOver = async (next: string) => {
  clock.set(`${next}-01T06:00:00Z`);
  await Promise.all([closeMonths(worker), closeMonths(worker)]);
};
const given = async (month: string) =>
  (
    await one<{ amount: number | null }>(
      "SELECT sum(amount)::bigint AS amount FROM ledger_transfer WHERE kind = 'discount' AND key LIKE $1",
      `%:${month}-01`,
    )
  ).amount;

test('a discount equals the exact fraction, rounded once, for any tiers and volume', () => {
  const random = randomFrom(20_261_128);
  for (let i = 0; i < 20_000; i++) {
    const tiers: VolumeTier[] = [];
    for (let from = random(3) * 7, k = random(5); k >= 0; k--, from += 1 + random(4_000))
      tiers.push([from, 1 + random(10_000)]);
    const parts = random(9_000);
    const charged = random(4) ? random(9_000) : random(900_000_000) * 1_000 + random(1_000);
    const measure = random(2) ? 'parts' : 'amount';
    const applies = random(2) ? 'all' : 'step';
    const found = volumeDiscount({ measure, applies, tiers }, { parts, charged });
    const measured = measure === 'parts' ? parts : charged;
    // Percent of each unit of volume, summed part by part where that is feasible.
    let numerator = 0n;
    for (let k = 0; k < tiers.length; k++) {
      const [from, percent] = tiers[k]!;
      const end = Math.min(tiers[k + 1]?.[0] ?? measured, measured);
      if (applies === 'step' && end > from) numerator += BigInt(end - from) * BigInt(percent);
      if (applies === 'all' && measured >= from && !(tiers[k + 1] && measured >= tiers[k + 1]![0]))
        numerator = BigInt(measured) * BigInt(percent);
    }
    const whole = BigInt(measured) * 10_000n;
    const exact = BigInt(charged) * numerator;
    const twice = measured === 0 ? 0n : 2n * BigInt(found) * whole - 2n * exact;
    if (measured > 0)
      assert.ok(twice <= whole && twice > -whole, JSON.stringify({ measure, applies, tiers, parts, charged, found }));
    assert.ok(found >= 0 && found <= charged);
  }
});

test('ledger, statement and invoice have the same discount, which lowers the tax', async () => {
  clock.set('2026-02-01T12:00:00Z');
  const made = await grant(terms({ price_plan_id: plan_id }));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await send('2026-02-10T12:00:00Z', phones(150), 333);
  await send('2026-02-11T12:00:00Z', phones(70), 1_001);
  await charge('2026-02-12T12:00:00Z', 7);
  await owner
    .transaction()
    .execute((db) => refund(db, { ...of, key: 'refund', amount: 5_000, created_at: '2026-02-13T12:00:00Z' }));
  const open = await stage.call<{ data: object }>(
    'boss',
    'GET',
    `/api/v1/rate-details/price?billing_account_id=${of.billing_account_id}&number=639171234567`,
  );
  assert.deepEqual((open.body as unknown as { volume_discount: object }).volume_discount, {
    name: 'Many parts',
    measure: 'parts',
    applies: 'all',
    tiers: [
      { from: '100', percent: '5.00' },
      { from: '200', percent: '12.50' },
    ],
  });
  await monthIsOver('2026-03');
  const charged = 150 * 333 + 70 * 1_001 + 7 - 5_000;
  const amount = Number((BigInt(charged) * 1_250n * 2n + 10_000n) / 20_000n);
  assert.equal(await given('2026-02'), amount, '12.5 % from 200 parts, for the whole month');
  const statement = await one<Record<string, number>>("SELECT * FROM statement WHERE month = '2026-02-01'");
  assert.deepEqual([statement['discounts'], statement['closing_balance']], [amount, amount - charged]);
  assert.equal(await makeMonthInvoices(worker), 1);
  const invoice = await one<{ id: number; billed: number; net: number; tax: number; payable: number }>(
    'SELECT * FROM invoice ORDER BY id DESC LIMIT 1',
  );
  assert.equal(invoice.billed, charged - amount);
  const line = await one<Record<string, unknown>>(
    "SELECT description, quantity, unit_price, tax_rate FROM invoice_line WHERE invoice_id = $1 AND description LIKE 'Volume%'",
    invoice.id,
  );
  assert.deepEqual(line, {
    description: 'Volume discount “Many parts” for 220 parts',
    quantity: -1_000,
    unit_price: amount,
    tax_rate: 12_000,
  });
  const lines = await one<{ net: number }>(
    'SELECT sum(net)::bigint AS net FROM invoice_line WHERE invoice_id = $1',
    invoice.id,
  );
  assert.equal(lines.net, invoice.net);
  assert.equal(invoice.tax, Math.round((invoice.net * 0.12) / 10) * 10, 'tax is of the lowered sum');
  assert.deepEqual(await reconcile(owner), []);
});

test('steps and an account’s own discount count before the monthly commitment', async () => {
  clock.set('2026-03-05T12:00:00Z');
  const own = terms({
    billing_account_id: of.billing_account_id,
    name: 'Own',
    applies: 'step',
    measure: 'amount',
    first_month: '2026-03',
    last_month: '2026-03',
    tiers: [
      { from: '10.000', percent: '10' },
      { from: '20', percent: '50' },
    ],
  });
  assert.equal((await grant(own)).status, 201);
  assert.equal((await grant({ ...own, name: 'Twin' })).body.code, 'volume_discount_overlaps');
  await admin('PATCH', `billing-accounts/${of.billing_account_id}`, { monthly_plan: true, monthly_commitment: '25' });
  await owner.updateTable('billing_account').set({ commitment_from: '2026-03-01' }).execute();
  await charge('2026-03-10T12:00:00Z', 26_000);
  await monthIsOver('2026-04');
  assert.equal(await given('2026-03'), 1_000 + 3_000);
  const { commitment, closing_balance, opening_balance } = await one<Record<string, number>>(
    "SELECT * FROM statement WHERE month = '2026-03-01'",
  );
  assert.deepEqual([commitment, closing_balance! - opening_balance!], [-3_000, -25_000]);
  await admin('PATCH', `billing-accounts/${of.billing_account_id}`, { monthly_plan: false });
  await send('2026-04-10T12:00:00Z', phones(100), 10);
  await monthIsOver('2026-05');
  assert.equal(await given('2026-04'), 50, 'the plan’s counts again');
});

test('a discount ends with its month, and an ended one of the future never begins', async () => {
  clock.set('2026-05-10T12:00:00Z');
  const list = await admin<{ data: { id: number; state: string }[] }>('GET', 'volume-discounts?limit=10');
  assert.deepEqual(
    list.body.data.map(({ state }) => state),
    ['over', 'running'],
  );
  const planned = await grant(terms({ billing_account_id: of.billing_account_id, first_month: '2026-06' }));
  assert.equal((await admin('POST', `volume-discounts/${planned.body.data.id}/end`)).body.data['state'], 'over');
  const again = await grant(
    terms({
      billing_account_id: of.billing_account_id,
      first_month: '2026-06',
      tiers: [{ from: '100', percent: '20' }],
    }),
  );
  assert.equal(again.status, 201, 'the place is free');
  const plans = list.body.data.at(-1)!;
  assert.equal((await admin('POST', `volume-discounts/${plans.id}/end`)).body.data['last_month'], '2026-05');
  await send('2026-05-10T12:00:00Z', phones(100), 10);
  await send('2026-06-10T12:00:00Z', phones(100), 10);
  await monthIsOver('2026-07');
  assert.deepEqual([await given('2026-05'), await given('2026-06')], [50, 200]);
  await assert.rejects(owner.updateTable('month_discount').set({ amount: 1 }).execute(), /append-only/);
});

test('bad terms name the field, and nobody grants a discount to their own account', async () => {
  clock.set('2026-07-10T12:00:00Z');
  const fault = async (more: object) =>
    Object.entries((await grant(terms({ price_plan_id: plan_id, first_month: '2026-07', ...more }))).body.errors ?? {});
  const cases: [object, string][] = [
    [{ first_month: '2026-06' }, 'first_month'],
    [{ last_month: '2026-06' }, 'last_month'],
    [{ tiers: [] }, 'tiers'],
    [{ tiers: [{ from: '1.5', percent: '5' }] }, 'tiers'],
    [
      {
        tiers: [
          { from: '9', percent: '5' },
          { from: '9', percent: '6' },
        ],
      },
      'tiers',
    ],
    [{ tiers: [{ from: '9', percent: '101' }] }, 'tiers.0.percent'],
    [{ billing_account_id: of.billing_account_id }, 'price_plan_id'],
    [{ price_plan_id: null }, 'price_plan_id'],
  ];
  for (const [more, field] of cases)
    assert.deepEqual(
      (await fault(more)).map(([name]) => name),
      [field],
      JSON.stringify(more),
    );
  const boss = (body: object) => stage.call<{ code?: string }>('boss', 'POST', '/api/v1/volume-discounts', body);
  const own = await boss(terms({ billing_account_id: of.billing_account_id, first_month: '2026-08' }));
  assert.deepEqual([own.status, own.body.code], [403, 'forbidden']);
  const plan = await boss(terms({ price_plan_id: plan_id, first_month: '2026-08' }));
  assert.equal(plan.status, 403);
  const seen = await stage.call<{ data: unknown[] }>('boss', 'GET', '/api/v1/volume-discounts?limit=10');
  assert.deepEqual(seen.body.data, [], 'the platform’s discounts are not a customer’s');
});
