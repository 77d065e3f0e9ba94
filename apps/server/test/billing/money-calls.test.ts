import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pay, postTransfers, reconcile, reserve } from '#modules/billing';
import { makeTenant } from '../contacts/tenant.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, clock, plan_id } = stage;
const id = tenant.billing_account_id;
const path = `billing-accounts/${id}`;
const of = { billing_account_id: id, corporation_id: tenant.corporation_id };

// Reconciliation would report credit without a transfer.
await owner.updateTable('billing_account').set({ credit_balance: 0 }).execute();
await owner.transaction().execute((db) => pay(db, { ...of, key: 'opening', amount: 1_000_000 }));

const account = () => owner.selectFrom('billing_account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const balance = async () => (await account()).credit_balance;
const sound = async () => assert.deepEqual(await reconcile(owner), []);

async function running(numbers: string): Promise<number> {
  const quote = await stage.quote({ custom_numbers: numbers });
  const { body } = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Sale' });
  await stage.prepare(body.data.id);
  return body.data.id;
}

beforeEach(() => clock.set(null));

test('an amount with too many digits or decimals is refused on its field', async () => {
  const before = await account();
  for (const [field, value, sentence] of [
    ['credit_limit', '12345678901', 'Give an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['credit_limit', '1.234', 'Give an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['cost_warning_limit', '1234567', 'Give an amount with up to 6 digits and two decimals, such as 12.50.'],
    ['monthly_commitment', '-1', 'Give an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['monthly_commitment', 'NaN', 'Give an amount with up to 10 digits and two decimals, such as 12.50.'],
    ['low_balance_limit', '1e9', 'Give an amount with up to 6 digits and two decimals, such as 12.50.'],
  ] as const) {
    const { status, body } = await admin('PATCH', path, { [field]: value });
    assert.deepEqual([status, body.errors], [422, { [field]: [sentence] }], `${field} ${value}`);
  }
  const plan = await admin('PATCH', `price-plans/${plan_id}`, { default_charge: '12345.1' });
  assert.deepEqual(plan.body.errors, {
    default_charge: ['Give an amount with up to 4 digits and three decimals, such as 12.50.'],
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
  assert.deepEqual([own.status, own.body.message], [409, 'You can not delete your own billing account.']);
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
  assert.deepEqual(much.body.errors, { amount: ['More than the campaign was charged: at most 0.000.'] });
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

test('the settlements of a campaign are one row per quarter of an hour', async () => {
  const campaign_id = await running('639170000003,639170000004,639170000005,639170000006');
  const at = (time: string, key: string, kind: 'charge' | 'release', amount: number) => ({
    ...of,
    key,
    kind,
    amount,
    campaign_id,
    created_at: `2026-05-01T${time}Z`,
  });
  for (const batch of [
    [at('10:00:00', 'b1', 'charge', 350), at('10:00:00', 'b1r', 'release', 50)],
    [at('10:59:59', 'b2', 'charge', 350)],
    [at('11:00:00', 'b3', 'charge', 350), at('11:00:01', 'b4', 'charge', 300)],
  ])
    await owner.transaction().execute((db) => postTransfers(db, batch));
  type Page = {
    data: {
      id: number;
      kind: string;
      amount: string;
      transfers: number;
      user_name: string | null;
      campaign_name: string;
      balance_after: string;
    }[];
  };
  const { body } = await stage.call<Page>('boss', 'GET', `/api/v1/credit-changes?campaign_id=${campaign_id}`);
  assert.deepEqual(
    body.data.map(({ kind, amount, transfers, user_name, campaign_name }) => [
      kind,
      amount,
      transfers,
      user_name,
      campaign_name,
    ]),
    [
      ['charge', '-0.650', 2, null, 'Sale'],
      ['charge', '-0.350', 1, null, 'Sale'],
      ['release', '0.050', 1, null, 'Sale'],
      ['charge', '-0.350', 1, null, 'Sale'],
      ['reservation', '-1.400', 1, 'Test person', 'Sale'],
    ],
  );
  assert.equal(body.data[0]!.balance_after, body.data[1]!.balance_after);
  // Each row opens to exactly the transfers that it sums, page by page.
  for (const row of body.data) {
    const amounts: number[] = [];
    for (let more = ''; more !== 'none'; ) {
      const of = `/api/v1/credit-changes/${row.id}/transfers?limit=1${more}`;
      const { body: page } = await stage.call<Page & { next_cursor: string | null }>('boss', 'GET', of);
      amounts.push(...page.data.map(({ amount }) => Number(amount)));
      more = page.next_cursor === null ? 'none' : `&cursor=${page.next_cursor}`;
    }
    assert.equal(amounts.length, row.transfers);
    assert.equal(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(3), row.amount);
  }
  clock.set('2026-05-20T00:00:00Z');
  const day = await stage.call<Page>('boss', 'GET', '/api/v1/credit-changes?from=2026-05-01&to=2026-05-01&kind=charge');
  assert.equal(day.body.data.length, 3);
  for (const query of ['from=2026-05-01', 'from=2026-03-01&to=2026-05-01', 'from=2024-05-01&to=2024-05-02'])
    assert.equal((await stage.call('boss', 'GET', `/api/v1/credit-changes?${query}`)).status, 422, query);
});

test('each credit change follows from the one before, in every time zone', async () => {
  const [first, second] = [await running('639170000011'), await running('639170000012')];
  const random = fc.sample(
    fc.record({
      kind: fc.constantFrom('payment', 'reservation', 'charge', 'release', 'correction'),
      minute: fc.integer({ min: 0, max: 3 * 24 * 60 }),
      amount: fc.integer({ min: 1, max: 5_000 }),
      campaign_id: fc.constantFrom(first, second, null),
    }),
    { numRuns: 150, seed: 7 },
  );
  const start = Date.parse('2026-05-10T00:00:00Z');
  for (const [i, { kind, minute, amount, campaign_id }] of random.entries()) {
    // Reservations and settlements come in the order of time, at most a little late.
    const created_at = new Date(start + Math.max(0, (i * 4_320) / 150 - (minute % 20)) * 60_000).toISOString();
    const transfer = { ...of, key: `chain ${i}`, amount, campaign_id, created_at };
    await owner.transaction().execute(async (db) => {
      if (kind === 'payment') await pay(db, transfer);
      else if (kind === 'reservation') await reserve(db, transfer);
      else await postTransfers(db, [{ ...transfer, kind, amount: 1 + (amount % 50) }]);
    });
  }
  clock.set('2026-05-20T00:00:00Z');
  const lines = async (query: string) => {
    const found: Line[] = [];
    for (let cursor = ''; cursor !== 'none'; ) {
      const path = `/api/v1/credit-changes?billing_account_id=${of.billing_account_id}&limit=7${query}${cursor}`;
      const { body } = await stage.call<{ data: Line[]; next_cursor: string | null }>('boss', 'GET', path);
      found.push(...body.data);
      cursor = body.next_cursor === null ? 'none' : `&cursor=${body.next_cursor}`;
    }
    return found;
  };
  const all = await lines('');
  const account = await owner
    .selectFrom('billing_account')
    .select(['credit_balance', 'reserved'])
    .where('id', '=', of.billing_account_id)
    .executeTakeFirstOrThrow();
  assert.equal(thousandths(all[0]!.balance_after), account.credit_balance);
  assert.equal(thousandths(all[0]!.reserved_after), account.reserved);
  for (const [i, line] of all.entries()) {
    const before = all[i + 1];
    const follows = (what: 'balance' | 'reserved') =>
      thousandths(line[`${what}_after`]) - thousandths(line[`${what}_change`]);
    if (!before) continue;
    assert.equal(follows('balance'), thousandths(before.balance_after), `line ${line.id}`);
    assert.equal(follows('reserved'), thousandths(before.reserved_after), `line ${line.id}`);
  }
  for (const zone of ['Asia/Kathmandu', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/New_York']) {
    await sql`INSERT INTO user_preference (user_id, timezone, page_size, date_format, mail_kinds)
      SELECT id, ${zone}, 25, 'language', '{}' FROM user_account
      ON CONFLICT (user_id) DO UPDATE SET timezone = EXCLUDED.timezone`.execute(owner);
    for (const date of ['2026-05-10', '2026-05-11', '2026-05-12']) {
      const { rows } = await sql<{
        sum: number;
        n: number;
      }>`SELECT coalesce(sum(amount), 0)::bigint AS sum, count(*) AS n
        FROM ledger_transfer WHERE billing_account_id = ${of.billing_account_id}
          AND (created_at AT TIME ZONE ${zone})::date = ${date}`.execute(owner);
      const shown = await lines(`&from=${date}&to=${date}`);
      const sums = [
        shown.reduce((sum, { amount }) => sum + thousandths(amount), 0),
        shown.reduce((sum, { transfers }) => sum + transfers, 0),
      ];
      assert.deepEqual(sums, [rows[0]!.sum, rows[0]!.n], `${zone} ${date}`);
    }
  }
  await owner.deleteFrom('user_preference').execute();
});

interface Line {
  id: number;
  transfers: number;
  amount: string;
  balance_after: string;
  balance_change: string;
  reserved_after: string;
  reserved_change: string;
}
const thousandths = (amount: string) => Math.round(Number(amount) * 1_000);
