import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { feeOf, fromUnits, takenBack, toUnits } from '@heliograph/contract/top-ups/fee';
import fc from 'fast-check';
import { correct, peopleOf, reconcile } from '#modules/billing';
import { lookAtTopUp } from '../../src/modules/top-ups/look.ts';
import { tellTopUp } from '../../src/modules/top-ups/tell-top-ups.ts';
import { killAt } from './kill-at.ts';
import { makeTopUpStage, type Provider } from './stage.ts';
import { TOP_UP_PLACES } from './top-up-places.ts';

const stage = await makeTopUpStage({ after });
const { owner, simulator, clock, tenant, quiet, work, opened, read, balance, tools } = stage;
const PROVIDERS: readonly Provider[] = ['stripe', 'paymongo', 'maya'];
const methods = new Map<Provider, number>();
for (const driver of PROVIDERS) methods.set(driver, await stage.method(driver));

beforeEach(() => {
  clock.set(null);
  simulator.notices.mode = 'usual';
});

const refund = (id: number, amount: string, who = 'admin') =>
  stage.call<{ code?: string; errors?: object }>(who, 'POST', `/api/v1/top-ups/${id}/refunds`, {
    amount,
    reason: 'Paid twice',
  });

async function paid(driver: Provider, amount = '1000', more: object = {}) {
  const made = await opened(methods.get(driver)!, amount, more);
  simulator.act(made.payment.id, 'pay');
  await quiet();
  return made;
}

/** Corrects the account to a balance. */
async function bringTo(wanted: number): Promise<void> {
  const amount = wanted - (await balance());
  if (amount === 0) return;
  const { billing_account_id, corporation_id } = tenant;
  await owner
    .transaction()
    .execute((db) => correct(db, { key: `correct ${Math.random()}`, billing_account_id, corporation_id, amount }));
}

for (const driver of PROVIDERS)
  test(`refunds by ${driver} take the same part of the credit, and no more than was paid`, async () => {
    const before = await balance();
    const { id, payment } = await paid(driver);
    assert.equal((await refund(id, '250.50')).status, 201);
    assert.equal(await balance(), before + 749_500);
    await quiet();
    const partly = await read('boss', id);
    assert.deepEqual(
      [partly['state'], partly['returned'], partly['taken_back']],
      ['partly_refunded', '250.500', '250.500'],
    );
    assert.deepEqual([payment.refunds.length, payment.refunds[0]!.amount], [1, 25_050]);
    assert.deepEqual(Object.keys((await refund(id, '749.51')).body.errors ?? {}), ['amount']);
    // The customer does not refund itself.
    assert.equal((await refund(id, '1', 'boss')).status, 403);
    await refund(id, '749.50');
    await quiet();
    assert.equal((await read('boss', id))['state'], 'refunded');
    assert.equal(await balance(), before);
    assert.equal((await refund(id, '1')).body.code, 'top_up_not_refundable');
    assert.deepEqual(await reconcile(owner), []);
  });

test('a refund that the provider refuses gives the credit back', async () => {
  const before = await balance();
  const { id, payment } = await paid('stripe', '100');
  payment.amount = 5_000;
  await refund(id, '80');
  assert.equal(await balance(), before + 20_000);
  await work();
  const row = await read('boss', id);
  assert.deepEqual([row['state'], await balance()], ['paid', before + 100_000]);
  assert.deepEqual(
    (row['returns'] as { state: string }[]).map(({ state }) => state),
    ['failed'],
  );
});

test('a chargeback may take the balance below zero, and a won dispute gives it back', async () => {
  for (const driver of ['stripe', 'paymongo'] as const) {
    await bringTo(0);
    const { id, payment } = await paid(driver, '200');
    await bringTo(10_000);
    simulator.act(payment.id, 'charge_back');
    await quiet();
    assert.equal((await read('boss', id))['state'], 'charged_back');
    assert.equal(await balance(), -190_000);
    simulator.act(payment.id, 'win');
    await quiet();
    await stage.call('boss', 'POST', `/api/v1/top-ups/${id}/check`);
    await work();
    assert.deepEqual([(await read('boss', id))['state'], await balance()], ['paid', 10_000]);
  }
});

test('a refund that races a chargeback takes the credit once', async () => {
  for (const order of ['refund first', 'chargeback first'] as const) {
    const before = await balance();
    const { id, payment } = await paid('stripe', '300');
    if (order === 'refund first') await refund(id, '300');
    simulator.act(payment.id, 'charge_back');
    if (order === 'chargeback first') await refund(id, '300');
    await quiet();
    await quiet();
    assert.equal(await balance(), before, order);
    const { state, returned, taken_back } = await read('boss', id);
    assert.deepEqual([state, returned, taken_back], ['charged_back', '300.000', '300.000']);
  }
});

test('people are told once of credit, refunds and chargebacks', async () => {
  const person = owner.updateTable('user_account').where('id', '=', tenant.user_id);
  await person.set({ scope_level: 2 }).execute();
  const people = (await peopleOf(owner, { id: tenant.billing_account_id, corporation_id: tenant.corporation_id }))
    .length;
  assert.ok(people > 0);
  const mails = () => stage.ran.filter((job) => job === 'mail-top-up').length;
  simulator.notices.mode = 'repeat';
  const start = mails();
  const { id, payment } = await paid('stripe', '300');
  await quiet();
  assert.equal(mails() - start, people);
  await refund(id, '10');
  await quiet();
  assert.equal(mails() - start, 2 * people);
  await refund(id, '20');
  await quiet();
  assert.equal(mails() - start, 3 * people);
  simulator.act(payment.id, 'charge_back');
  await quiet();
  await lookAtTopUp(tools.worker, tools.providers, id);
  await quiet();
  assert.equal(mails() - start, 4 * people);
  // A job that runs again tells nobody.
  const told = { top_up_id: id, news: 'credited', amount: 300_000 } as const;
  await tellTopUp(tools.worker, told);
  await work();
  assert.equal(mails() - start, 4 * people);
  await person.set({ scope_level: 4 }).execute();
});

test('a look that saw an older state never overrules a newer one', async () => {
  const { id, payment } = await paid('stripe', '100');
  simulator.act(payment.id, 'charge_back');
  await Promise.all(Array.from({ length: 6 }, () => lookAtTopUp(tools.worker, tools.providers, id)));
  simulator.act(payment.id, 'win');
  await Promise.all(Array.from({ length: 6 }, () => lookAtTopUp(tools.worker, tools.providers, id)));
  assert.equal((await read('boss', id))['state'], 'paid');
});

test('a worker killed at any place between notice and posting credits once', { timeout: 120_000 }, async () => {
  for (const [place, job] of TOP_UP_PLACES) {
    if (job !== 'notice' && job !== 'look') continue;
    const before = await balance();
    const { id, payment } = await opened(methods.get('stripe')!, '170');
    simulator.act(payment.id, 'pay');
    await simulator.notices.idle();
    const notice = await owner
      .selectFrom('payment_notice')
      .select('id')
      .where('reference', '=', payment.reference)
      .executeTakeFirstOrThrow();
    await killAt(stage, place, job, job === 'notice' ? notice.id : id);
    await work();
    assert.deepEqual([(await read('boss', id))['state'], await balance()], ['paid', before + 170_000], place);
  }
  assert.deepEqual(await reconcile(owner), []);
});

test('after a kill between page and record the payment of the next page credits once', async () => {
  const before = await balance();
  const made = await stage.topUp('boss', methods.get('stripe')!, '190');
  const { id, reference } = made.body.data as { id: number; reference: string };
  await killAt(stage, 'top-up.page-opened', 'page', id);
  await work();
  assert.equal((await read('boss', id))['state'], 'awaiting_payment');
  const pages = [...simulator.book.payments.values()].filter((payment) => payment.reference === reference);
  simulator.act(pages.at(-1)!.id, 'pay');
  await quiet();
  assert.deepEqual([(await read('boss', id))['state'], await balance()], ['paid', before + 190_000]);
});

test('a worker killed after it sent a refund does not refund twice', async () => {
  const before = await balance();
  const { id, payment } = await paid('stripe', '180');
  await refund(id, '30');
  const wanted = await owner
    .selectFrom('top_up_return')
    .select('id')
    .where('top_up_id', '=', id)
    .executeTakeFirstOrThrow();
  await killAt(stage, 'top-up.refund-sent', 'refund', wanted.id);
  await work();
  await quiet();
  assert.deepEqual([payment.refunds.length, await balance()], [1, before + 150_000]);
  assert.equal((await read('boss', id))['state'], 'partly_refunded');
});

test('five hundred parallel top-ups with repeated notices add up exactly', { timeout: 240_000 }, async () => {
  const before = await balance();
  simulator.notices.mode = 'repeat';
  const method = methods.get('stripe')!;
  const all = await Promise.all(Array.from({ length: 500 }, () => stage.topUp('boss', method, '100')));
  assert.ok(all.every(({ status }) => status === 201));
  await work();
  const references = new Set(all.map(({ body }) => body.data['reference']));
  const payments = [...simulator.book.payments.values()].filter(({ reference }) => references.has(reference));
  for (const [place, { id }] of payments.entries()) simulator.act(id, place % 10 === 0 ? 'fail' : 'pay');
  await simulator.notices.idle();
  await Promise.all([work(), work(), work()]);
  assert.equal(await balance(), before + 450 * 100_000);
  const { count } = await owner
    .selectFrom('ledger_transfer')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('key', 'like', 'top-up % paid')
    .where('amount', '=', 100_000)
    .where('note', 'like', 'stripe%')
    .executeTakeFirstOrThrow();
  assert.ok(Number(count) >= 450);
  assert.deepEqual(await reconcile(owner), []);
});

test('fees are whole cents, and refunds in any parts take back exactly the amount', () => {
  const currency = fc.constantFrom('PHP', 'JPY', 'KWD', 'EUR');
  fc.assert(
    fc.property(
      currency,
      fc.nat(99_999_999),
      fc.nat(99_999),
      fc.nat(100_000),
      fc.array(fc.nat(9_999_999)),
      (c, units, percent, fixed, parts) => {
        const amount = fromUnits(units + 1, c);
        const { fee, total } = feeOf(amount, {
          fee_percent: percent,
          fee_fixed: fixed * 10,
          fee_payer: 'customer',
          currency: c,
        });
        assert.equal(total, amount + fee);
        const exact = (amount * percent) / 100_000 + fixed * 10;
        assert.ok(fee >= exact - 1e-3 && fee < exact + fromUnits(1, c) + 1e-3);
        assert.equal(fromUnits(toUnits(total, c), c), total);
        let [returned, taken] = [0, 0];
        for (const part of [...parts, total]) {
          returned = Math.min(total, returned + part);
          const next = takenBack(returned, { amount, total });
          assert.ok(next >= taken);
          taken = next;
        }
        assert.equal(taken, amount);
      },
    ),
  );
});
