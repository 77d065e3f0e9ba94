import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { makeReseller, makeTopUpStage, type Provider } from './stage.ts';

const stage = await makeTopUpStage({ after });
const { owner, simulator, clock, tenant, quiet, work, opened, read, balance } = stage;
const PROVIDERS: readonly Provider[] = ['stripe', 'paymongo', 'maya'];
const methods = new Map<Provider, number>();
for (const driver of PROVIDERS) methods.set(driver, await stage.method(driver));
const methodOf = (driver: Provider) => methods.get(driver)!;

const eventsOf = async (id: number) =>
  (await owner.selectFrom('event').select('data').where('type', '=', 'payment.received').execute()).filter(
    ({ data }) => (data as { top_up_id?: number }).top_up_id === id,
  ).length;
const notices = async (id: number) => {
  const { reference } = await owner
    .selectFrom('top_up')
    .select('reference')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return owner.selectFrom('payment_notice').selectAll().where('reference', '=', reference).execute();
};

beforeEach(() => {
  clock.set(null);
  simulator.notices.mode = 'usual';
});

for (const driver of PROVIDERS) {
  test(`a payment by ${driver} is credited once, with its event and its card`, async () => {
    const before = await balance();
    const { id, payment } = await opened(methodOf(driver));
    assert.equal((await read('boss', id))['state'], 'awaiting_payment');
    simulator.act(payment.id, 'challenge');
    await quiet();
    assert.equal((await read('boss', id))['state'], 'awaiting_payment');
    simulator.act(payment.id, 'confirm');
    await quiet();
    const paid = await read('boss', id);
    assert.deepEqual([paid['state'], paid['problem']], ['paid', null]);
    assert.ok(paid['method_label']);
    assert.equal(await balance(), before + 500_000);
    assert.equal(await eventsOf(id), 1);
    assert.deepEqual(await reconcile(owner), []);
  });

  test(`repeated and reordered notices of ${driver} credit a payment once`, async () => {
    const before = await balance();
    for (const mode of ['repeat', 'reorder'] as const) {
      simulator.notices.mode = mode;
      const { id, payment } = await opened(methodOf(driver));
      simulator.act(payment.id, 'fail');
      simulator.act(payment.id, 'pay');
      await quiet();
      await quiet();
      assert.equal((await read('boss', id))['state'], 'paid', mode);
      assert.equal(await eventsOf(id), 1);
    }
    assert.equal(await balance(), before + 1_000_000);
  });

  test(`forged and late notices of ${driver} credit nothing that is not paid`, async () => {
    for (const mode of ['forge', 'late'] as const) {
      simulator.notices.mode = mode;
      const { id, payment } = await opened(methodOf(driver));
      simulator.act(payment.id, 'pay');
      await quiet();
      // Maya signs nothing: its notices only say where to look.
      const signs = driver !== 'maya';
      assert.equal((await notices(id)).length, signs ? 0 : 1, mode);
      assert.equal((await read('boss', id))['state'], signs ? 'awaiting_payment' : 'paid');
    }
    const { id, payment } = await opened(methodOf(driver));
    const key = (
      await owner
        .selectFrom('merchant_account')
        .select('notice_key')
        .where('id', '=', methodOf(driver))
        .executeTakeFirstOrThrow()
    ).notice_key;
    const forged = {
      id: payment.id,
      isPaid: true,
      status: 'PAYMENT_SUCCESS',
      requestReferenceNumber: payment.reference,
    };
    const url = `${stage.settings.PUBLIC_URL}/pay/notices/`;
    const send = (to: string) => fetch(`${url}${to}`, { method: 'POST', body: JSON.stringify(forged) });
    assert.equal((await send(key)).status, driver === 'maya' ? 200 : 400);
    assert.equal((await send(crypto.randomUUID())).status, 404);
    await work();
    assert.equal((await read('boss', id))['state'], 'awaiting_payment');
  });

  test(`a payment by ${driver} without a notice is found, also after its page expired`, async () => {
    simulator.notices.mode = 'none';
    const { id, payment } = await opened(methodOf(driver));
    const late = await opened(methodOf(driver));
    simulator.act(payment.id, 'pay');
    clock.set(new Date(Date.now() + 120_000).toISOString());
    await stage.poll();
    assert.equal((await read('boss', id))['state'], 'paid');
    clock.set(new Date(Date.now() + 49 * 3_600_000).toISOString());
    await stage.poll();
    assert.equal((await read('boss', late.id))['state'], 'expired');
    simulator.act(late.payment.id, 'pay');
    clock.set(new Date(Date.now() + 50 * 3_600_000).toISOString());
    await stage.call('boss', 'POST', `/api/v1/top-ups/${late.id}/check`);
    await work();
    assert.equal((await read('boss', late.id))['state'], 'paid');
    assert.deepEqual([await eventsOf(id), await eventsOf(late.id)], [1, 1]);
  });

  test(`another amount or reference at ${driver} adds no credit and says why`, async () => {
    const before = await balance();
    for (const [change, problem] of [
      [{ amount: 100 }, 'amount_differs'],
      [{ amount: 50_001 }, 'amount_differs'],
      ...(driver === 'maya' ? [] : ([[{ reference: 'TUOTHER' }, 'reference_differs']] as const)),
    ] as const) {
      const { id, payment } = await opened(methodOf(driver));
      Object.assign(payment, change);
      simulator.act(payment.id, 'pay');
      await stage.call('boss', 'POST', `/api/v1/top-ups/${id}/check`);
      await quiet();
      const seen = await read('boss', id);
      assert.deepEqual([seen['state'], seen['problem']], ['awaiting_payment', problem]);
    }
    assert.equal(await balance(), before);
  });
}

test('a fee of the customer is on top, to the cent, and the account gets the amount', async () => {
  const id = await stage.method('stripe', { fee_percent: '2.9', fee_fixed: '15', fee_payer: 'customer' });
  const before = await balance();
  const { id: topUp, payment } = await opened(id, '333.33');
  // 9.66657 and 15 are 24.67, rounded up.
  assert.equal(payment.amount, 35_800);
  simulator.act(payment.id, 'pay');
  await quiet();
  const row = await read('boss', topUp);
  assert.deepEqual([row['fee'], row['total'], row['state']], ['24.670', '358.000', 'paid']);
  assert.equal(await balance(), before + 333_330);
});

test('amounts outside the limits, and methods that are not offered, are refused', async () => {
  const id = await stage.method('stripe', { minimum: '50', maximum: '60' });
  for (const amount of ['49.99', '60.01', '0']) {
    const { status, body } = await stage.topUp('boss', id, amount);
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['amount']]);
  }
  const yen = await stage.method('stripe', { currency: 'JPY', minimum: '50', maximum: '60' });
  const off = await stage.method('stripe', { enabled: false });
  for (const method of [yen, off, 999_999])
    assert.deepEqual(Object.keys((await stage.topUp('boss', method, '55')).body.errors ?? {}), ['merchant_account_id']);
});

test('a reference of the customer begins one top-up, and is refused for another', async () => {
  const wanted = { client_reference: 'order 1' };
  const all = await Promise.all(
    Array.from({ length: 8 }, () => stage.topUp('boss', methodOf('stripe'), '200', wanted)),
  );
  assert.equal(new Set(all.map(({ body }) => body.data.id)).size, 1);
  const other = await stage.topUp('boss', methodOf('stripe'), '201', wanted);
  assert.deepEqual([other.status, other.body.code], [409, 'top_up_reference_used']);
  assert.match(other.body.message ?? '', /200\.000 PHP/);
});

test('customers see and use only the payment methods of whoever sells to them', async () => {
  const a = await makeReseller(stage, 'Alpha');
  const b = await makeReseller(stage, 'Bravo');
  const ofA = await stage.method('stripe', { corporation_id: a.id });
  const ofB = await stage.method('stripe', { corporation_id: b.id });
  const list = async (who: string, account: number) =>
    (
      await stage.call<{ data: { id: number }[] }>(who, 'GET', `/api/v1/billing-accounts/${account}/payment-methods`)
    ).body.data?.map(({ id }) => id);
  assert.deepEqual(await list('Alpha-customer', a.account), [ofA]);
  assert.deepEqual(await list('Bravo', b.account), [ofB]);
  assert.equal(await list('Alpha-customer', b.account), undefined);
  const pay = (who: string, account: number, method: number) =>
    stage.call<{ errors?: object }>(who, 'POST', '/api/v1/top-ups', {
      billing_account_id: account,
      merchant_account_id: method,
      amount: '100',
    });
  for (const method of [ofB, methodOf('stripe')])
    assert.equal((await pay('Alpha-customer', a.account, method)).status, 422);
  assert.equal((await pay('Alpha-customer', b.account, ofB)).status, 422);
  assert.equal((await pay('Alpha-customer', a.account, ofA)).status, 201);
  // The database refuses it too.
  await assert.rejects(
    owner
      .insertInto('top_up')
      .values({
        corporation_id: a.customer,
        billing_account_id: a.account,
        merchant_account_id: ofB,
        driver: 'stripe',
        method_name: 'x',
        amount: 1,
        total: 1,
        currency: 'PHP',
        reference: 'TUFOREIGN',
      })
      .execute(),
    /not of this customer/,
  );
  // The keys and the limits of another seller are not there.
  assert.equal((await stage.call('Alpha', 'GET', `/api/v1/merchant-accounts/${ofB}`)).status, 404);
  assert.equal((await stage.call('Alpha', 'GET', `/api/v1/merchant-accounts/${ofB}/notice-address`)).status, 404);
  assert.equal((await stage.call('Alpha-customer', 'GET', '/api/v1/merchant-accounts')).status, 403);
  const made = await stage.call<{ data: object }>('Alpha', 'GET', `/api/v1/merchant-accounts/${ofA}`);
  assert.doesNotMatch(JSON.stringify(made.body), /sealed|sk_simulated/);
});

test('only the platform adds simulated methods, and a reseller only its own', async () => {
  const make = (who: string, more: object) =>
    stage.call<{ errors?: object; data: { corporation_id: number } }>(who, 'POST', '/api/v1/merchant-accounts', {
      name: `M ${Math.random()}`,
      driver: 'stripe',
      mode: 'live',
      currency: 'PHP',
      secret_key: 'sk_live_12345678',
      ...more,
    });
  const c = await makeReseller(stage, 'Carrot');
  assert.deepEqual(Object.keys((await make('Carrot', { mode: 'simulated' })).body.errors ?? {}), ['mode']);
  assert.equal((await make('Carrot', { corporation_id: tenant.corporation_id })).status, 422);
  assert.equal((await make('Carrot', {})).body.data.corporation_id, c.id);
  for (const [more, field] of [
    [{ driver: 'paymongo', currency: 'EUR' }, 'currency'],
    [{ secret_key: null }, 'secret_key'],
    [{ driver: 'maya' }, 'public_key'],
    [{ driver: 'bank_transfer' }, 'instructions'],
    [{ minimum: '10', maximum: '9' }, 'maximum'],
  ] as const)
    assert.deepEqual(Object.keys((await make('Carrot', more)).body.errors ?? {}), [field]);
});
