import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { closeMonths, correct, pay, reconcile } from '#modules/billing';
import { callerOf } from '../campaigns/stage.ts';
import { makeAccounts } from './account.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { owner, tenant, callers, clock, admin, home } = stage;

const beacon = await makeAccounts(owner, 2, { name: 'Beacon' });
const other = await makeAccounts(owner, 1, { name: 'Other' });
const [main, spare] = beacon.accounts as [number, number];
const customer = tenant.billing_account_id;
const mine = { corporation_id: tenant.corporation_id };
await owner.updateTable('corporation').set({ is_reseller: true }).where('id', '=', beacon.corporation_id).execute();
await owner
  .updateTable('corporation')
  .set({ reseller_id: beacon.corporation_id })
  .where('id', '=', tenant.corporation_id)
  .execute();
await owner.updateTable('billing_account').set({ credit_balance: 0 }).execute();
callers.set(
  'beacon',
  callerOf(tenant, 'reseller', {
    scope_level: 2,
    corporation_id: beacon.corporation_id,
    corporations: [beacon.corporation_id, tenant.corporation_id],
    billing_account_id: main,
    department_id: null,
  }),
);

const balances = async () => {
  const rows = await owner.selectFrom('billing_account').select(['id', 'credit_balance']).execute();
  return new Map(rows.map(({ id, credit_balance }) => [id, credit_balance]));
};
const of = async (...ids: number[]) => {
  const all = await balances();
  return ids.map((id) => all.get(id));
};
const transit = async () => {
  const entries = await owner.selectFrom('ledger_entry').select('amount').where('book', '=', 'transit').execute();
  return entries.reduce((sum, { amount }) => sum + amount, 0);
};
let given = 0;
const fund = (id: number, amount: number) =>
  owner
    .transaction()
    .execute((db) =>
      pay(db, { key: `fund ${given++}`, billing_account_id: id, corporation_id: beacon.corporation_id, amount }),
    );
const transfer = (who: string, from: number, to: number, amount: string, more: object = {}) =>
  stage.call<Body>(who, 'POST', '/api/v1/account-transfers', {
    from_account_id: from,
    to_account_id: to,
    amount,
    ...more,
  });
const reverse = (who: string, id: number, note = 'Wrong customer') =>
  stage.call<Body>(who, 'POST', `/api/v1/account-transfers/${id}/reverse`, { note });
const lines = async (who: string, id: number) => {
  const path = `/api/v1/billing-accounts/${id}/statement`;
  const { body } = await stage.call<{ data: Record<string, string>[] }>(who, 'GET', path);
  return body.data.map(({ kind, amount, balance_after, note }) => [kind, amount, balance_after, note]);
};

beforeEach(() => clock.set(null));

test('a transfer debits one account and credits the other, and both statements say so', async () => {
  await fund(main, 100_000);
  const made = await transfer('beacon', main, customer, '12.345', { reference: 'PO 7', note: 'March' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(await of(main, customer), [87_655, 12_345]);
  assert.deepEqual((await lines('beacon', main))[0], ['transfer', '-12.345', '87.655', 'Main: PO 7: March']);
  // The customer does not learn the name of its provider's account.
  assert.deepEqual((await lines('boss', customer))[0], ['transfer', '12.345', '12.345', 'PO 7: March']);
  const seen = await stage.call<{ data: Record<string, unknown>[] }>('boss', 'GET', '/api/v1/account-transfers');
  const { from_account_name, to_account_name, reversible } = seen.body.data[0]!;
  assert.deepEqual([from_account_name, to_account_name !== null, reversible], [null, true, false]);
  assert.deepEqual([await reconcile(owner), await transit()], [[], 0]);
});

test('a reference moves money once, and is refused for other content', async () => {
  const before = await of(main, customer);
  const many = await Promise.all(
    Array.from({ length: 12 }, () => transfer('beacon', main, customer, '1', { reference: 'once' })),
  );
  assert.deepEqual([...new Set(many.map(({ status, body }) => `${status} ${body.data.id}`))].length, 1);
  assert.deepEqual(await of(main, customer), [before[0]! - 1_000, before[1]! + 1_000]);
  for (const [to, amount, note] of [
    [customer, '2'],
    [spare, '1'],
    [customer, '1', 'Other'],
  ] as const) {
    const refused = await transfer('beacon', main, to, amount, { reference: 'once', ...(note ? { note } : {}) });
    assert.deepEqual([refused.status, refused.body.code], [409, 'transfer_reference_used']);
    assert.match(refused.body.message ?? JSON.stringify(refused.body), /1\.000/);
  }
  // Another account has references of its own.
  assert.equal(
    (await transfer('beacon', spare, main, '0.001', { reference: 'once' })).body.code,
    'transfer_insufficient',
  );
  assert.equal(await transit(), 0);
});

test('nothing moves without credit, from a suspended account, or to an unrelated one', async () => {
  const before = await balances();
  const refusals: [Promise<{ status: number; body: Body }>, string][] = [
    [transfer('beacon', main, customer, '99999'), 'transfer_insufficient'],
    [transfer('beacon', main, customer, '0'), 'amount'],
    [transfer('beacon', main, main, '1'), 'to_account_id'],
    [transfer('beacon', customer, main, '1'), 'to_account_id'],
    [transfer('beacon', other.accounts[0]!, main, '1'), 'from_account_id'],
    [transfer('beacon', main, other.accounts[0]!, '1'), 'to_account_id'],
    [transfer('admin', main, other.accounts[0]!, '1'), 'to_account_id'],
    [transfer('admin', other.accounts[0]!, main, '1'), 'to_account_id'],
  ];
  for (const [refused, why] of refusals) {
    const { status, body } = await refused;
    assert.ok(status === 409 || status === 422, `${why}: ${status}`);
    assert.ok(body.code === why || why in (body.errors ?? {}), `${why}: ${JSON.stringify(body)}`);
  }
  await owner.updateTable('billing_account').set({ suspended: true }).where('id', '=', main).execute();
  assert.equal((await transfer('beacon', main, customer, '1')).body.code, 'transfer_suspended');
  await owner.updateTable('billing_account').set({ suspended: false }).where('id', '=', main).execute();
  await owner.updateTable('corporation').set({ currency: 'EUR' }).where('id', '=', other.corporation_id).execute();
  await owner
    .updateTable('corporation')
    .set({ reseller_id: beacon.corporation_id })
    .where('id', '=', other.corporation_id)
    .execute();
  const foreign = await transfer('admin', main, other.accounts[0]!, '1');
  assert.match(JSON.stringify(foreign.body.errors), /PHP and EUR/);
  assert.deepEqual(await balances(), before);
});

test('only who manages the paying account reverses a transfer, once, with a reason', async () => {
  await fund(main, 50_000);
  const { body } = await transfer('beacon', main, customer, '20');
  const before = await of(main, customer);
  assert.equal((await reverse('boss', body.data.id)).status, 403);
  assert.equal(
    (await stage.call('beacon', 'POST', `/api/v1/account-transfers/${body.data.id}/reverse`, {})).status,
    422,
  );
  const both = await Promise.all([reverse('beacon', body.data.id), reverse('beacon', body.data.id)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.deepEqual(await of(main, customer), [before[0]! + 20_000, before[1]! - 20_000]);
  assert.equal((await reverse('beacon', body.data.id)).body.code, 'transfer_reversed');
  assert.deepEqual((await lines('boss', customer))[0]!.slice(0, 2), ['transfer', '-20.000']);
  // Credit that was spent since cannot be taken back.
  const all = await transfer('beacon', main, customer, '5');
  const [left] = await of(customer);
  const spent = { key: 'spent', billing_account_id: customer, ...mine, amount: 4_999 - left! };
  await owner.transaction().execute((db) => correct(db, spent));
  assert.equal((await reverse('beacon', all.body.data.id)).body.code, 'transfer_insufficient');
  assert.deepEqual([await reconcile(owner), await transit()], [[], 0]);
});

test('random transfers at the same time create no money and pass no limit', async () => {
  const accounts = [main, spare, customer];
  const limits = new Map([
    [main, 3_000],
    [spare, 0],
    [customer, 0],
  ]);
  for (const [id, credit_limit] of limits)
    await owner
      .updateTable('billing_account')
      .set({ credit_limit, cost_warning_limit: null })
      .where('id', '=', id)
      .execute();
  const one = fc.record({
    from: fc.nat(2),
    to: fc.nat(2),
    amount: fc.integer({ min: 1, max: 20_000 }),
    again: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(one, { minLength: 4, maxLength: 16 }), async (moves) => {
      const total = async () => (await of(...accounts)).reduce((sum: number, each) => sum + each!, 0);
      const before = await total();
      await Promise.all(
        moves.map(({ from, to, amount, again }) =>
          transfer('admin', accounts[from]!, accounts[to]!, (amount / 1_000).toFixed(3), {
            reference: `r${again}-${amount}`,
          }),
        ),
      );
      assert.equal(await total(), before);
      for (const [id, balance] of await balances()) assert.ok(balance >= -(limits.get(id) ?? 0), `${id}: ${balance}`);
    }),
    { numRuns: 12 },
  );
  assert.deepEqual([await reconcile(owner), await transit()], [[], 0]);
});

test('the statement of a month closes with its transfers', async () => {
  clock.set('2027-02-10T00:00:00Z');
  await transfer('admin', main, spare, '0.001');
  clock.set('2027-04-01T12:00:00Z');
  await closeMonths({ database: home.db('worker'), clock });
  const { body } = await admin<{ data: Record<string, string>[] }>(
    'GET',
    `statements?billing_account_id=${main}&limit=200`,
  );
  for (const {
    opening_balance,
    payments,
    charges,
    refunds,
    commitment,
    corrections,
    transfers,
    closing_balance,
  } of body.data) {
    const sum = [opening_balance, payments, charges, refunds, commitment, corrections, transfers];
    assert.equal(
      sum.reduce((total, each) => total + Math.round(Number(each) * 1_000), 0),
      Math.round(Number(closing_balance) * 1_000),
    );
  }
  assert.ok(body.data.some(({ transfers }) => transfers !== '0.000'));
});
