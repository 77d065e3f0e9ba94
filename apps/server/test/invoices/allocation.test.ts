import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { correct } from '#modules/billing';
import { overdueOf } from '../../src/modules/billing/overdue.ts';
import { settlePayments } from '../../src/modules/invoices/settle.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { codeOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';
import { done, type Invoice, line, sellingPlatform } from './stage.ts';

const api = await startTestApi({ after });
const worker = { database: api.database.db('worker'), clock: systemClock };
await settlePayments(worker);
const { admin, customer, draft } = await sellingPlatform(api);
const owner = api.database.db('owner');
const account = await owner
  .selectFrom('billing_account')
  .select('id')
  .where('corporation_id', '=', customer.id)
  .executeTakeFirstOrThrow();
const mine = { billing_account_id: account.id };

const issued = async (price: string, more: object = {}): Promise<Invoice> => {
  const { id } = await draft([line(price)], { ...mine, ...more });
  return done(admin, 'POST', `invoices/${id}/issue`);
};
let payments = 0;
async function pay(amount: string): Promise<number> {
  await done(admin, 'POST', `billing-accounts/${account.id}/payments`, { amount, reference: `bank ${++payments}` });
  await settlePayments(worker);
  const { id } = await owner
    .selectFrom('account_payment')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return Number(id);
}
const open = async ({ id }: Invoice) => (await done(admin, 'GET', `invoices/${id}`)).open;
const free = async ({ id }: Invoice) =>
  (await done<{ id: number; free: string }[]>(admin, 'GET', `invoices/${id}/free-payments`)).map((each) => [
    each.id,
    each.free,
  ]);

test('a payment is taken off one invoice and pays a chosen one, never more than it has', async () => {
  const [soon, late] = [await issued('50', { payment_days: 5 }), await issued('100', { payment_days: 30 })];
  const payment = await pay('80');
  assert.deepEqual([await open(soon), await open(late)], ['0.000', '70.000']);
  await done(admin, 'POST', `invoices/${soon.id}/payments/release`, { payment_id: payment });
  assert.deepEqual([await open(soon), (await free(late))[0]], ['50.000', [payment, '50.000']]);
  const tooMuch = await admin('POST', `/api/v1/invoices/${late.id}/payments`, {
    payment_id: payment,
    amount: '50.001',
  });
  assert.equal(tooMuch.status, 422);
  const both = await Promise.all(
    [soon, late].map(({ id }) =>
      admin('POST', `/api/v1/invoices/${id}/payments`, { payment_id: payment, amount: '50' }),
    ),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422]);
  const sum = await sql<{
    used: number;
  }>`SELECT sum(amount) AS used FROM invoice_payment WHERE payment_id = ${payment}`.execute(owner);
  assert.equal(Number(sum.rows[0]!.used), 80_000);
  const boss = await api.as('corporate');
  assert.equal((await boss('POST', `/api/v1/invoices/${late.id}/payments`, { payment_id: payment })).status, 403);
  const without = await issued('1', { billing_account_id: null });
  assert.equal(
    codeOf(await admin('POST', `/api/v1/invoices/${without.id}/payments`, { payment_id: payment })),
    'invoice_not_payable',
  );
  await pay('70');
  assert.deepEqual([await open(soon), await open(late)], ['0.000', '0.000']);
});

test('a credit note frees the money of its invoice, which pays the next one', async () => {
  const first = await issued('100');
  await pay('100');
  const next = await issued('60');
  assert.equal(await open(next), '60.000');
  await done(admin, 'POST', `invoices/${first.id}/credit`, { reason: 'Half', lines: [{ position: 1, amount: '75' }] });
  assert.deepEqual([await open(first), await open(next)], ['0.000', '0.000']);
  assert.deepEqual((await free(next))[0]?.[1], '15.000');
  const { paid, credited } = await done(admin, 'GET', `invoices/${first.id}`);
  assert.deepEqual([paid, credited], ['25.000', '75.000']);
});

test('with month-end invoices, what is overdue follows due dates and the debt', async () => {
  const month = await draft([line('300')], { ...mine, payment_days: 10 });
  const { rows } = await sql<{ id: number }>`
    INSERT INTO statement (corporation_id, billing_account_id, month, timezone, currency, starts_at, ends_at, opening_balance, payments,
      charges, refunds, commitment, corrections, transfers, closing_balance)
    VALUES (${customer.id}, ${account.id}, date_trunc('month', now() - interval '1 month'), 'Asia/Manila', 'PHP', now() - interval '40 days',
      now() - interval '1 hour', 0, 0, -300000, 0, 0, 0, 0, -300000) RETURNING id`.execute(owner);
  await owner
    .updateTable('invoice')
    .set({ billed: 300_000, billed_from: '2026-01-01', statement_id: rows[0]!.id })
    .where('id', '=', month.id)
    .execute();
  // The account owes 200: 100 were paid before.
  const { credit_balance, reserved } = await owner
    .selectFrom('billing_account')
    .select(['credit_balance', 'reserved'])
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  const owed = {
    ...mine,
    corporation_id: customer.id,
    key: 'debt',
    created_at: new Date(Date.now() - 7_200_000).toISOString(),
  };
  await owner.transaction().execute((db) => correct(db, { ...owed, amount: -200_000 - credit_balance - reserved }));
  await pay('0.01');
  const invoice = await done(admin, 'POST', `invoices/${month.id}/issue`);
  const overdueIn = async (days: number) => {
    const clock = { now: () => new Date(Date.now() + days * 86_400_000) };
    const [found] = await overdueOf({ db: owner, clock }, [account.id]);
    return [found!.overdue, found!.due_on];
  };
  assert.deepEqual(await overdueIn(9), [0, null]);
  const [overdue, due_on] = await overdueIn(12);
  assert.equal(due_on, invoice['due_date']);
  // Money that was free paid what was paid in advance, and no more than the account owes is overdue.
  assert.equal(overdue, 199_990);
  await pay('199.99');
  assert.deepEqual(await overdueIn(12), [0, null]);
});
