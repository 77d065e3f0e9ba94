import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { feeOf } from '@heliograph/contract/top-ups/fee';
import { reconcile } from '#modules/billing';
import { beginCharges, chargeCard } from '../../src/modules/top-ups/charge-card.ts';
import { FREE, FUTURE, makeAutomaticStage, TERMS } from './automatic-stage.ts';
import { killAt } from './kill-at.ts';
import { makeReseller } from './stage.ts';

const stage = await makeAutomaticStage({ after });
const { owner, simulator, clock, quiet, work, read, balance, tools, call } = stage;
const {
  account,
  path,
  people,
  consentTo,
  later,
  bringTo,
  chargesOf,
  paymentOf,
  show,
  start,
  running,
  mailsOf,
  charge,
} = stage;
assert.ok(people > 0);

beforeEach(async () => {
  clock.set(FUTURE);
  simulator.notices.mode = 'usual';
  await call('boss', 'DELETE', path);
  await work();
  // The tests share an account: charges of one are not of the day of another.
  await owner.updateTable('top_up').set({ automatic: false }).where('state', '<>', 'created').execute();
  await bringTo(0);
});

test('the first payment keeps the card, and a low balance charges it once', async () => {
  const { id, first, consent } = await running();
  assert.equal((await read('boss', id))['state'], 'paid');
  const on = (await show())!;
  assert.deepEqual([on['state'], on['card_label'], on['consent_text']], ['on', 'visa 4242', consent]);
  assert.ok(first.method);
  assert.equal(await balance(), 500_000);
  await charge();
  assert.deepEqual(await chargesOf(), []);
  await bringTo(99_999);
  // The first payment counts as a charge: the next one waits for the minimum distance.
  clock.set(new Date().toISOString());
  await charge();
  assert.deepEqual(await chargesOf(), []);
  later(61);
  await Promise.all([beginCharges(tools.worker), beginCharges(tools.worker), beginCharges(tools.worker)]);
  await quiet();
  const [made, ...more] = await chargesOf();
  assert.deepEqual([made!.state, made!.amount, more.length], ['paid', 500_000, 0]);
  assert.equal(await balance(), 599_999);
  assert.equal(paymentOf(made!.reference).length, 1);
  assert.deepEqual(await reconcile(owner), []);
});

test('the threshold is the spendable balance: after reserves, with the credit limit', async () => {
  await running();
  later(61);
  await owner.updateTable('billing_account').set({ credit_limit: 200_000 }).where('id', '=', account).execute();
  await bringTo(-50_000);
  await charge();
  assert.equal((await chargesOf()).length, 0);
  await owner.updateTable('billing_account').set({ credit_limit: 0 }).where('id', '=', account).execute();
  await charge();
  assert.equal((await chargesOf()).length, 1);
});

test('limits of a day and a month hold, and people are told once', async () => {
  const { method } = await running({ ...TERMS, day_limit: '500.00', month_limit: '1000.00' });
  const next = async () =>
    (
      await owner
        .selectFrom('automatic_top_up')
        .select('next_at')
        .where('merchant_account_id', '=', method)
        .executeTakeFirstOrThrow()
    ).next_at;
  for (const [minutes, count, mails] of [
    [61, 1, 0],
    [120, 1, people],
    [10, 1, 0],
    [1_500, 2, 0],
    [1_500, 2, people],
    [10, 2, 0],
  ] as const) {
    later(minutes);
    await bringTo(0);
    assert.equal(await mailsOf(charge), mails);
    assert.equal((await chargesOf()).length, count);
  }
  // The next month begins at midnight in Manila.
  assert.equal(new Date(await next()).toISOString(), '2030-03-31T16:00:00.000Z');
  await bringTo(0);
  clock.set('2030-03-31T16:00:01Z');
  await charge();
  assert.equal((await chargesOf()).length, 3);
});

test('a declined card is tried three times, an hour apart, and then stops', async () => {
  const { first } = await running();
  first.refunds.push({ id: 're_1', amount: 1, status: 'succeeded', metadata: {}, reason: '' });
  for (const [minutes, count, mails] of [
    [61, 1, 0],
    [30, 1, 0],
    [31, 2, 0],
    [61, 3, people],
    [61, 3, 0],
    [10_000, 3, 0],
  ] as const) {
    later(minutes);
    await bringTo(0);
    assert.equal(await mailsOf(charge), mails);
    assert.deepEqual(
      (await chargesOf()).map(({ state }) => state),
      Array.from({ length: count }, () => 'failed'),
    );
  }
  const stopped = (await show())!;
  assert.deepEqual([stopped['state'], stopped['stop_reason']], ['stopped', 'declined']);
  first.refunds.length = 0;
  const { method_name } = (await chargesOf())[0]!;
  const { status } = await call('boss', 'PATCH', path, { ...TERMS, consent: consentTo(TERMS, { name: method_name }) });
  assert.equal(status, 200);
  // Longer than the distance from any charge of the tests before.
  later(40_000);
  await charge();
  assert.equal((await chargesOf()).at(-1)!.state, 'paid');
  assert.equal((await show())!['state'], 'on');
});

test('a worker killed between charge and record charges once, with or without a notice', async () => {
  for (const mode of ['usual', 'none'] as const) {
    await call('boss', 'DELETE', path);
    await running();
    clock.set(null);
    await owner.updateTable('automatic_top_up').set({ next_at: '2026-01-01T00:00:00Z' }).execute();
    await bringTo(0);
    simulator.notices.mode = mode;
    await beginCharges(tools.worker);
    const made = (await chargesOf()).at(-1)!;
    await killAt(stage, 'top-up.charged', 'charge', made.id);
    // Another worker may begin nothing while the outcome is not known.
    await owner.updateTable('automatic_top_up').set({ next_at: '2026-01-01T00:00:00Z' }).execute();
    await beginCharges(tools.worker);
    await quiet();
    assert.equal((await chargesOf()).at(-1)!.id, made.id);
    assert.deepEqual([(await read('boss', made.id))['state'], await balance()], ['paid', 500_000], mode);
    assert.equal(paymentOf(made.reference).length, 1);
  }
});

test('a charge whose worker died is found a day later, and after the end', async () => {
  for (const ended of [true, false]) {
    simulator.notices.mode = 'usual';
    await call('boss', 'DELETE', path);
    await running();
    clock.set(null);
    await owner.updateTable('automatic_top_up').set({ next_at: '2026-01-01T00:00:00Z' }).execute();
    await bringTo(0);
    simulator.notices.mode = 'none';
    await beginCharges(tools.worker);
    const made = (await chargesOf()).at(-1)!;
    await killAt(stage, 'top-up.charged', 'charge', made.id);
    if (ended)
      await owner
        .updateTable('automatic_top_up')
        .set({ state: 'ended', ended_at: '2026-03-10T02:00:00Z' })
        .where('id', '=', made.automatic_top_up_id!)
        .execute();
    else clock.set(new Date(Date.now() + 25 * 3_600_000).toISOString());
    await stage.poll();
    await chargeCard(tools.worker, tools.providers, made.id);
    assert.equal((await read('boss', made.id))['state'], 'paid');
    assert.deepEqual([paymentOf(made.reference).length, await balance()], [1, 500_000]);
  }
});

test('the end stops charges and removes the card, also while the first payment is open', async () => {
  const { first } = await running();
  assert.equal((await call('boss', 'DELETE', path)).status, 200);
  await work();
  assert.equal(first.method, null);
  assert.equal(await show(), null);
  later(100);
  await bringTo(0);
  await charge();
  assert.equal((await chargesOf()).length, 0);
  assert.equal((await call('boss', 'DELETE', path)).status, 404);
  clock.set(null);
  const { body } = await start();
  await work();
  await call('boss', 'DELETE', path);
  const [open] = paymentOf(body.data.reference);
  simulator.act(open!.id, 'pay');
  await quiet();
  await work();
  assert.deepEqual([open!.method, await balance()], [null, 500_000]);
});

test('another fee than the consent names stops it until the person agrees again', async () => {
  const { method } = await running(TERMS, { fee_percent: '2', fee_payer: 'customer' });
  assert.equal((await show())!['total'], '510.000');
  await call('admin', 'PATCH', `/api/v1/merchant-accounts/${method}`, { fee_percent: '3' });
  later(61);
  await bringTo(0);
  await charge();
  const stopped = (await show())!;
  assert.deepEqual(
    [stopped['state'], stopped['stop_reason'], (await chargesOf()).length],
    ['stopped', 'terms_changed', 0],
  );
  assert.equal(feeOf(500_000, { ...FREE, fee_percent: 3_000, fee_payer: 'customer' }).total, 515_000);
});

test('terms without their consent, or at a provider that keeps no cards, are refused', async () => {
  const refused = async (method: number, more: object, who = 'boss') => {
    const { body } = await call<{ errors?: object; code?: string }>(who, 'POST', path, {
      ...TERMS,
      merchant_account_id: method,
      consent: consentTo(TERMS, { name: 'Kept' }),
      ...more,
    });
    return Object.keys(body.errors ?? { [body.code ?? 'none']: 1 });
  };
  const card = await stage.method('stripe', { name: 'Kept' });
  assert.deepEqual(await refused(card, { consent: 'Yes' }), ['consent']);
  assert.deepEqual(await refused(card, { amount: '600.00' }), ['consent']);
  assert.deepEqual(await refused(card, { day_limit: '499.99' }), ['day_limit']);
  assert.deepEqual(await refused(card, { month_limit: '1499.99' }), ['month_limit']);
  assert.deepEqual(await refused(card, { threshold: '0' }), ['threshold']);
  assert.deepEqual(await refused(card, { minutes_between: 14 }), ['minutes_between']);
  for (const driver of ['paymongo', 'maya'] as const)
    assert.deepEqual(await refused(await stage.method(driver), {}), ['merchant_account_id']);
  // The seller cannot agree for its customer, and may end.
  assert.deepEqual(await refused(card, {}, 'admin'), ['forbidden']);
  await makeReseller(stage, 'Delta');
  for (const who of ['Delta', 'Delta-customer'])
    for (const method of ['GET', 'DELETE'] as const) assert.equal((await call(who, method, path)).status, 404);
  await running();
  assert.deepEqual(await refused(card, {}), ['automatic_top_up_on']);
  assert.equal((await show('admin'))!['state'], 'on');
  assert.equal((await call('admin', 'DELETE', path)).status, 200);
});
