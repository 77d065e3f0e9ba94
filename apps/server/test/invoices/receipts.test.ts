import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { settlePayments } from '../../src/modules/invoices/settle.ts';
import { credit as creditTopUp } from '../../src/modules/top-ups/settle.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { startTestApi } from '../test-api.ts';
import { done, type Invoice, line, sellingPlatform } from './stage.ts';

const api = await startTestApi({ after });
const worker = { database: api.database.db('worker'), clock: systemClock };
// Payments of before get no receipts.
await settlePayments(worker);
const { admin, customer, issuer_id, draft } = await sellingPlatform(api, { receipts: true });
const pool = api.database.pool('owner');
const owner = api.database.db('owner');
const { rows: accounts } = await pool.query<{ id: number; price_plan_id: number }>(
  'SELECT id, price_plan_id FROM billing_account WHERE corporation_id = $1 ORDER BY id LIMIT 1',
  [customer.id],
);
const account = accounts[0]!;
const setPlan = (type: string) =>
  pool.query('UPDATE price_plan SET type = $2 WHERE id = $1', [account.price_plan_id, type]);
let payments = 0;
const pay = (amount: string) =>
  done(admin, 'POST', `billing-accounts/${account.id}/payments`, { amount, reference: `bank ${++payments}` });
const settle = () => Promise.all([settlePayments(worker), settlePayments(worker), settlePayments(worker)]);
const receipts = () => done<Invoice[]>(admin, 'GET', 'invoices?kind=receipt&limit=50');
const credit = async () =>
  Number(
    (
      await pool.query<{ credit_balance: number }>('SELECT credit_balance FROM billing_account WHERE id = $1', [
        account.id,
      ])
    ).rows[0]!.credit_balance,
  );

test('each payment into a prepaid account gets one receipt of a series of its own', async () => {
  await setPlan('prepaid_package');
  const before = await credit();
  await pay('112');
  await pay('56.01');
  await settle();
  await settle();
  // Several workers number them in any order.
  const [second, first, ...others] = (await receipts()).sort((a, b) => Number(a.payable) - Number(b.payable));
  assert.deepEqual(others, []);
  assert.deepEqual([first!.payable, first!.net, first!.tax], ['112.000', '100.000', '12.000']);
  const numbers = [first, second].map((receipt) => receipt!.number!.replace(/^RC-\d{4}-/, '')).sort();
  assert.deepEqual(numbers, ['00001', '00002']);
  assert.deepEqual([first!.status, first!.open], ['issued', '0.000']);
  assert.equal((await credit()) - before, 168_010, 'prices include tax: the whole payment is credit');
  const lines = await done<{ description: string }[]>(admin, 'GET', `invoices/${first!.id}/lines?limit=10`);
  assert.deepEqual(
    lines.map(({ description }) => description),
    ['Messaging credit: bank 1'],
  );
});

test('with prices without tax, the tax of a payment is posted to the account', async () => {
  await done(admin, 'PATCH', `invoice-issuers/${issuer_id}`, { prices_include_tax: false });
  const before = await credit();
  await pay('112');
  await settle();
  const [receipt] = await receipts();
  assert.deepEqual([receipt!.payable, receipt!.net, receipt!.tax], ['112.000', '100.000', '12.000']);
  assert.equal((await credit()) - before, 100_000);
});

test('the receipt of a top-up says which fee was paid on top of the credit', async () => {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO top_up (corporation_id, billing_account_id, driver, method_name, amount, fee, total, currency, reference)
     VALUES ($1, $2, 'maya', 'Wallet', 1000000, 12500, 1012500, 'PHP', 'T-1') RETURNING id`,
    [customer.id, account.id],
  );
  const topUp = await owner.selectFrom('top_up').selectAll().where('id', '=', rows[0]!.id).executeTakeFirstOrThrow();
  await owner.transaction().execute((db) => creditTopUp(db, topUp, {}, new Date()));
  await settle();
  const { id, payable } = (await receipts())[0]!;
  assert.equal(payable, '1000.000');
  const { note } = await owner.selectFrom('invoice').select('note').where('id', '=', id).executeTakeFirstOrThrow();
  assert.match(note!, /^Fee of the payment method: PHP.12\.50\. Paid in total: PHP.1,012\.50\.$/);
  await pay('5');
  await settle();
  const plain = await owner
    .selectFrom('invoice')
    .select('note')
    .where('id', '=', (await receipts())[0]!.id)
    .executeTakeFirstOrThrow();
  assert.equal(plain.note, null, 'a payment without a fee has no such sentence');
});

test('postpaid accounts, refunded payments and sellers without receipts get none', async () => {
  const { length } = await receipts();
  await setPlan('postpaid_special');
  await pay('10');
  await settle();
  await setPlan('prepaid_package');
  await done(admin, 'PATCH', `invoice-issuers/${issuer_id}`, { receipts: false });
  await pay('10');
  await settle();
  assert.equal((await receipts()).length, length);
});

test('a draft for a month keeps its account, and its credit notes give to the account', async () => {
  await done(admin, 'PATCH', `invoice-issuers/${issuer_id}`, { prices_include_tax: true });
  const month = await draft([line('112')], { billing_account_id: account.id });
  await pool.query("UPDATE invoice SET billed = 112000, billed_from = '2026-10-01' WHERE id = $1", [month.id]);
  const moved = await admin('PATCH', `/api/v1/invoices/${month.id}`, { billing_account_id: null });
  assert.equal(moved.status, 422);
  assert.match(JSON.stringify(moved.body), /"billing_account_id"/);
  await done(admin, 'PATCH', `invoices/${month.id}`, { lines: [line('100.5')] });
  const before = await credit();
  await done(admin, 'POST', `invoices/${month.id}/issue`);
  assert.equal((await credit()) - before, 11_500, 'a line that was taken out is not owed');
  await done(admin, 'POST', `invoices/${month.id}/credit`, { reason: 'Half', lines: [{ position: 1, amount: '50' }] });
  await done(admin, 'POST', `invoices/${month.id}/credit`, { reason: 'Rest' });
  assert.equal((await credit()) - before, 112_000);
  const { rows } = await pool.query<{ note: string }>(
    "SELECT note FROM ledger_transfer WHERE key LIKE 'invoice:%' ORDER BY id DESC LIMIT 1",
  );
  assert.match(rows[0]!.note, /^Credit note CN-/);
});
