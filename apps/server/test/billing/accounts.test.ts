import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reconcile } from '../../src/modules/billing/index.ts';
import { demoApi } from '../organizations/demo-api.ts';

const { database, as } = await demoApi();
const admin = await as('admin@heliograph.test');
const reseller = await as('reseller@heliograph.test');
const corporate = await as('corporate@heliograph.test');

const { idOf } = database;
const acme = await idOf('corporation', 'Acme Retail');
const acmeMain = await idOf('billing_account', 'Acme main');
const northwindMain = await idOf('billing_account', 'Northwind main');
const retail = await idOf('price_plan', 'Northwind retail');

type Account = { data: { credit_balance: string; abilities: { edit: boolean } } };
const balance = async (id: number) => (await admin<Account>('GET', `billing-accounts/${id}`)).body.data.credit_balance;

test('a payment adds credit once per reference, even if sent three times in parallel', async () => {
  const before = Number(await balance(acmeMain));
  const pay = () => reseller('POST', `billing-accounts/${acmeMain}/payments`, { amount: '250.5', reference: 'OR-77' });
  const answers = await Promise.all([pay(), pay(), pay()]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal(Number(await balance(acmeMain)), before + 250.5);
  await reseller('POST', `billing-accounts/${acmeMain}/payments`, { amount: '1' });
  await reseller('POST', `billing-accounts/${acmeMain}/payments`, { amount: '1' });
  assert.equal(Number(await balance(acmeMain)), before + 252.5);
  for (const amount of ['0', '-5', '1.2345', 'many']) {
    const refused = await reseller('POST', `billing-accounts/${acmeMain}/payments`, { amount });
    assert.equal(refused.status, 422, amount);
    assert.ok(refused.body.errors?.amount);
  }
  assert.deepEqual(await reconcile(database.db('owner')), []);
});

test('a reused reference is refused with the date and amount of its first use', async () => {
  const send = (what: string, body: object) => admin('POST', `billing-accounts/${acmeMain}/${what}`, body);
  for (const [what, more] of [
    ['payments', {}],
    ['corrections', { note: 'counted twice' }],
  ] as const) {
    const first = { amount: '12.5', reference: 'OR-88', ...more };
    const made = await send(what, first);
    const again = await send(what, first);
    assert.deepEqual([again.status, again.body], [201, made.body], 'the same words have the same answer');
    for (const change of [{ amount: '13' }, { note: 'another' }]) {
      const { status, body } = await send(what, { ...first, ...change });
      assert.deepEqual([status, (body as { code?: string }).code], [409, 'reference_used'], JSON.stringify(change));
      assert.match((body as unknown as { message: string }).message, /used on \d{4}-\d\d-\d\d for 12\.500 PHP\./);
    }
    assert.deepEqual((await send(what, first)).body, made.body, 'nothing was moved');
  }
});

test('no person pays into, or sets limits of, the account of their own corporation', async () => {
  assert.equal((await reseller('POST', `billing-accounts/${northwindMain}/payments`, { amount: '1' })).status, 403);
  assert.equal((await reseller('PATCH', `billing-accounts/${northwindMain}`, { credit_limit: '1000000' })).status, 422);
  const { body } = await reseller<Account>('GET', `billing-accounts/${northwindMain}`);
  assert.equal(body.data.abilities.edit, false);
  assert.equal((await corporate('POST', `billing-accounts/${acmeMain}/payments`, { amount: '1' })).status, 403);
});

test('the cost warning limit must stay below the credit limit after any change', async () => {
  const sentence = 'The cost warning limit must be less than the credit limit.';
  const account = { corporation_id: acme, name: 'Second', key: 'AC-2002', price_plan_id: retail };
  const refused = await reseller('POST', 'billing-accounts', {
    ...account,
    credit_limit: '100',
    cost_warning_limit: '100',
  });
  assert.deepEqual(refused.body.errors, { cost_warning_limit: [sentence] });
  const made = await reseller('POST', 'billing-accounts', {
    ...account,
    credit_limit: '100',
    cost_warning_limit: '99.99',
  });
  assert.equal(made.status, 201);
  const path = `billing-accounts/${made.body.data.id}`;
  assert.deepEqual((await reseller('PATCH', path, { credit_limit: '50' })).body.errors, {
    cost_warning_limit: [sentence],
  });
  assert.equal(
    (await reseller('PATCH', path, { credit_limit: '0' })).status,
    200,
    'without a credit limit there is none to exceed',
  );
  assert.equal((await reseller('POST', 'billing-accounts', account)).body.code, 'billing_account_already_exists');
});

test('suspending an account needs its own permission', async () => {
  const path = `billing-accounts/${acmeMain}`;
  assert.equal((await reseller('PATCH', path, { suspended: true })).status, 200);
  await database.pool('owner').query(
    `DELETE FROM role_permission WHERE permission_id = (SELECT id FROM permission WHERE name = 'billing-accounts-suspend')
       AND role_id = (SELECT id FROM role WHERE name = 'reseller')`,
  );
  assert.equal((await reseller('PATCH', path, { suspended: false })).status, 403);
  assert.equal((await reseller('PATCH', path, { suspended: true, flash_allowed: false })).status, 200, 'unchanged');
  assert.equal((await admin('PATCH', path, { suspended: false })).status, 200);
});

test('an update of an account cannot change the balances of the ledger', async () => {
  const before = await balance(acmeMain);
  for (const field of ['credit_balance', 'reserved']) {
    await reseller('PATCH', `billing-accounts/${acmeMain}`, { [field]: '999999.000' });
  }
  assert.equal(await balance(acmeMain), before);
});

test('a reseller creates its own plans and cannot change those of the platform', async () => {
  const plan = { name: 'Night plan', type: 'prepaid_package', default_charge: '0.350' };
  const made = await reseller('POST', 'price-plans', plan);
  assert.equal(made.status, 201);
  assert.equal(made.body.data.corporation_id, await idOf('corporation', 'Northwind Telecom'));
  assert.equal((await reseller('POST', 'price-plans', plan)).body.code, 'price_plan_already_exists');
  const wholesale = await idOf('price_plan', 'Wholesale');
  assert.equal((await reseller('PATCH', `price-plans/${wholesale}`, { default_charge: '0' })).status, 403);
  assert.equal((await reseller('DELETE', `price-plans/${wholesale}`)).status, 403);
  const standard = await idOf('price_plan', 'Standard prepaid');
  assert.equal((await reseller('GET', `price-plans/${standard}`)).status, 404);
  const account = { corporation_id: acme, name: 'Third', key: 'AC-2003', price_plan_id: standard };
  assert.ok((await reseller('POST', 'billing-accounts', account)).body.errors?.price_plan_id);
});

test('a person reads only their own credit changes, page by page, newest first', async () => {
  type Page = { data: { id: number; billing_account_name: string }[]; next_cursor: string | null; has_more: boolean };
  const ids: number[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `credit-changes?limit=4${cursor ? `&cursor=${cursor}` : ''}`;
    const { body } = await corporate<Page>('GET', query);
    assert.equal(body.has_more, body.next_cursor !== null);
    for (const row of body.data) {
      assert.equal(row.billing_account_name.startsWith('Acme') || row.billing_account_name === 'Second', true);
      ids.push(row.id);
    }
    cursor = body.next_cursor;
  } while (cursor);
  assert.ok(ids.length > 15);
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => b - a),
  );
  assert.equal((await corporate('GET', 'credit-changes?cursor=x')).status, 400);
});

test('the badge shows prepaid credit or postpaid debt, and nothing to the platform', async () => {
  type Badge = { label: string; amount: string; currency: string; type: string };
  const badge = async (client: typeof admin) => (await client<Badge>('GET', 'total-outstanding-notify')).body;
  assert.deepEqual(await badge(corporate), {
    label: 'Acme main',
    amount: await balance(acmeMain),
    currency: 'PHP',
    type: 'prepaid',
  });
  const harbor = await badge(await as('corporate@harbor.test'));
  assert.equal(harbor.type, 'postpaid');
  assert.equal(Number(harbor.amount), -Number(await balance(await idOf('billing_account', 'Blue Harbor main'))));
  assert.equal((await badge(admin)).type, 'none');
});
