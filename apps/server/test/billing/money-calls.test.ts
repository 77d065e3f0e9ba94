import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { postTransfers, reconcile } from '#modules/billing';
import { makeTenant } from '../contacts/tenant.ts';
import { moneyAccount } from './money-account.ts';
import type { Body } from './stage.ts';

const { stage, admin, owner, tenant, clock, plan_id, id, of, running } = await moneyAccount({ after });

const path = `billing-accounts/${id}`;
const account = () => owner.selectFrom('billing_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const balance = async () => (await account()).credit_balance;
const sound = async () => assert.deepEqual(await reconcile(owner), []);

beforeEach(() => clock.set(null));

test('an amount with too many digits or decimals is refused on its field', async () => {
  const before = await account();
  for (const [field, value, sentence] of [
    ['credit_limit', '12345678901', 'Enter an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['credit_limit', '1.234', 'Enter an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['cost_warning_limit', '1234567', 'Enter an amount with up to 6 digits and two decimals, such as 12.50.'],
    ['monthly_commitment', '-1', 'Enter an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['monthly_commitment', 'NaN', 'Enter an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['low_balance_limit', '1e9', 'Enter an amount with up to 6 digits and two decimals, such as 12.50.'],
  ] as const) {
    const { status, body } = await admin('PATCH', path, { [field]: value });
    assert.deepEqual([status, body.errors], [422, { [field]: [sentence] }], `${field} ${value}`);
  }
  const plan = await admin('PATCH', `price-plans/${plan_id}`, { default_charge: '12345.1' });
  assert.deepEqual(plan.body.errors, {
    default_charge: ['Enter an amount with up to 4 digits and three decimals, such as 12.50.'],
  });
  assert.deepEqual(await account(), before);
  // An amount as the server returns it, with three decimals, is accepted.
  assert.equal((await admin('PATCH', path, { credit_limit: '10.500' })).status, 200);
  await admin('PATCH', path, { credit_limit: '0' });
});

test('values missing in the form of a new account come from its plan', async () => {
  const plan = await admin('POST', 'price-plans', {
    name: 'Committed',
    type: 'prepaid_monthly',
    default_charge: '1',
    credit_limit: '500',
    monthly_plan: true,
    monthly_commitment: '250.50',
  });
  const form = { corporation_id: tenant.corporation_id, price_plan_id: plan.body.data.id };
  const made = await admin('POST', 'billing-accounts', { ...form, name: 'By plan', key: 'BP-1' });
  const { credit_limit, monthly_plan, monthly_commitment } = made.body.data;
  assert.deepEqual([credit_limit, monthly_plan, monthly_commitment], ['500.000', true, '250.500']);
  const own = await admin('POST', 'billing-accounts', {
    ...form,
    name: 'Own',
    key: 'BP-2',
    credit_limit: '0',
    monthly_plan: false,
  });
  assert.deepEqual([own.body.data['credit_limit'], own.body.data['monthly_plan']], ['0.000', false]);
  for (const each of [made, own])
    assert.equal((await admin('DELETE', `billing-accounts/${each.body.data.id}`)).status, 200);
  assert.equal((await admin('DELETE', `price-plans/${plan.body.data.id}`)).status, 200);
});

test('an account only accepts a plan in force of the platform or its reseller', async () => {
  const other = await makeTenant(owner);
  const plans = await owner
    .insertInto('price_plan')
    .values([
      { name: 'Of another', type: 'prepaid_package', default_charge: 1, corporation_id: other.corporation_id },
      { name: 'Off', type: 'prepaid_package', default_charge: 1, enabled: false },
      { name: 'Over', type: 'prepaid_package', default_charge: 1, expires_on: '2026-01-31' },
      { name: 'Not yet', type: 'prepaid_package', default_charge: 1, starts_on: '2026-02-02' },
    ])
    .returning('id')
    .execute();
  clock.set('2026-01-31T16:00:00Z'); // in Manila the first of February
  for (const { id: price_plan_id } of plans) {
    const { status, body } = await admin('PATCH', path, { price_plan_id });
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['price_plan_id']]);
  }
  clock.set('2026-01-31T15:59:59Z');
  assert.equal((await admin('PATCH', path, { price_plan_id: plans[2]!.id })).status, 200, 'its last day');
  clock.set(null);
  const { error_code, state } = await stage.quote({ custom_numbers: '639170000001' });
  assert.deepEqual([state, error_code], ['failed', 'price_plan_not_in_force']);
  await admin('PATCH', path, { price_plan_id: plan_id });
});

test('a suspended account runs no campaign until it is resumed', async () => {
  const quote = await stage.quote({ custom_numbers: '639170000001' });
  const suspended = await admin('POST', `${path}/suspend`, { note: 'unpaid' });
  assert.deepEqual([suspended.status, suspended.body.data['suspended']], [200, true]);
  assert.equal((await admin('POST', `${path}/suspend`, {})).status, 200);
  const run = () => stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Sale' });
  const refused = await run();
  assert.deepEqual([refused.status, refused.body.message], [409, 'Your billing account is suspended']);
  assert.equal((await stage.call('boss', 'POST', `/api/v1/${path}/resume`, {})).status, 403, 'not by its own people');
  assert.equal((await admin('POST', `${path}/resume`, {})).status, 200);
  const before = await balance();
  await owner.updateTable('billing_account').set({ credit_limit: 0 }).execute();
  const poor = await stage.quote({
    custom_numbers: Array.from({ length: 3_000 }, (_, i) => 639_170_000_000 + i).join(),
  });
  const short = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: poor.id, name: 'Large' });
  assert.deepEqual([short.status, short.body.message], [409, 'Insufficient credit to run the campaign']);
  assert.equal(await balance(), before);
  await sound();
});

test('no person deletes their own account, or one that has moved money', async () => {
  const own = await stage.call<Body>('boss', 'DELETE', `/api/v1/${path}`);
  assert.deepEqual([own.status, own.body.message], [409, 'You cannot delete your own billing account.']);
  assert.equal((await admin('DELETE', path)).body.message, 'Can not delete this because there are dependencies');
});

test('refunds never exceed the charge of the campaign, and count once per reference', async () => {
  const campaign_id = await running('639170000001,639170000002');
  const charge = { ...of, key: 'charged', kind: 'charge' as const, campaign_id, amount: 700 };
  await owner.transaction().execute((db) => postTransfers(db, [charge]));
  const before = await balance();
  const refund = (amount: string, reference?: string) =>
    admin('POST', `${path}/refunds`, { campaign_id, amount, note: 'wrong text', ...(reference && { reference }) });
  const answers = await Promise.all([refund('0.5', 'R-1'), refund('0.5', 'R-1'), refund('0.5', 'R-1')]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(await balance(), before + 500);
  const raced = await Promise.all([refund('0.2'), refund('0.2')]);
  assert.deepEqual(raced.map(({ status }) => status).sort(), [201, 422], 'there is enough for one');
  const much = await refund('0.001');
  assert.deepEqual(much.body.errors, { amount: ['This is more than the campaign was charged. Refund at most 0.000.'] });
  assert.deepEqual(
    Object.keys(
      (await admin('POST', `${path}/refunds`, { campaign_id: 999_999, amount: '1', note: 'x' })).body.errors ?? {},
    ),
    ['campaign_id'],
  );
  assert.equal(await balance(), before + 700);
  await owner.updateTable('campaign_counter').set({ charged: 700 }).where('campaign_id', '=', campaign_id).execute();
  const wrong = await reconcile(owner);
  assert.deepEqual(
    wrong.map(({ rule }) => rule),
    ['open_reservations'],
    'the messages themselves were never answered',
  );
});

test('a correction adds a new entry and changes no old one', async () => {
  const before = await balance();
  const correct = (amount: string, reference?: string) =>
    admin('POST', `${path}/corrections`, { amount, note: 'counted twice', ...(reference && { reference }) });
  await Promise.all([correct('-12.345', 'C-1'), correct('-12.345', 'C-1')]);
  assert.equal(await balance(), before - 12_345);
  await correct('12.345');
  assert.equal(await balance(), before);
  for (const amount of ['0', '-0.0', '1.2345', 'NaN', '1e9', '12345678901'])
    assert.deepEqual(Object.keys((await correct(amount)).body.errors ?? {}), ['amount'], amount);
  assert.deepEqual(Object.keys((await admin('POST', `${path}/corrections`, { amount: '1' })).body.errors ?? {}), [
    'note',
  ]);
  assert.equal(
    (await stage.call('boss', 'POST', `/api/v1/${path}/corrections`, { amount: '1', note: 'x' })).status,
    403,
  );
  assert.equal(await balance(), before);
});
