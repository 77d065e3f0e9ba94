import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import {
  closeMonths,
  mailBalanceAlertJob,
  pay,
  postTransfers,
  reconcile,
  refund,
  reserve,
  type Transfer,
} from '#modules/billing';
import { createLogger } from '#platform/log';
import { recordFindings } from '../../src/modules/billing/reconcile.ts';
import { BalanceWatch, mailBalanceAlert } from '../../src/modules/billing/watch-balances.ts';
import { startFanOut } from '../../src/platform/fan-out/tell.ts';
import { makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, clock, home, config } = stage;
const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
const of = { billing_account_id: tenant.billing_account_id, corporation_id: tenant.corporation_id };
await owner.updateTable('billing_account').set({ credit_balance: 0, created_at: '2025-09-20T00:00:00Z' }).execute();
await owner
  .updateTable('corporation')
  .set({ timezone: 'America/New_York' })
  .where('id', '=', tenant.corporation_id)
  .execute();

const post = (work: (db: typeof owner) => Promise<unknown>) => owner.transaction().execute((db) => work(db));
let keys = 0;
const at = (created_at: string, amount: number): Transfer => ({ ...of, key: `t${keys++}`, amount, created_at });

/** Reserves and charges an amount at a given time. */
const charged = (created_at: string, amount: number, campaign_id: number | null = null) =>
  post(async (db) => {
    await reserve(db, { ...at(created_at, amount), campaign_id });
    await postTransfers(db, [{ ...at(created_at, amount), kind: 'charge', campaign_id }]);
  });

type Statement = Record<
  'id' | 'month' | 'opening_balance' | 'payments' | 'charges' | 'refunds' | 'commitment' | 'closing_balance',
  string
>;
const statements = async () => (await admin<{ data: Statement[] }>('GET', 'statements?limit=200')).body.data;
const close = () => closeMonths({ database: home.db('worker'), clock });
const shown = async () =>
  (await statements())
    .toReversed()
    .map(({ month, opening_balance, payments, charges, refunds, commitment, closing_balance }) =>
      [month, opening_balance, payments, charges, refunds, commitment, closing_balance].join(' '),
    );

test('a month is closed once, at midnight of the account, even by two workers', async () => {
  await post((db) => pay(db, at('2025-10-01T03:59:59Z', 5_000_000))); // still September there
  await charged('2025-10-01T04:00:00Z', 1_000); // and this is October
  await charged('2025-11-01T03:59:59Z', 2_000); // its last second, at UTC-4
  await charged('2025-11-01T04:00:00Z', 4_000); // November
  await charged('2025-12-01T04:59:59Z', 8_000); // its last second, at UTC-5 by now
  await charged('2025-12-01T05:00:00Z', 16_000);
  clock.set('2025-12-01T05:09:59Z');
  await close();
  assert.equal((await statements())[0]!.month, '2025-10', 'a month rests ten minutes');
  clock.set('2025-12-01T05:10:00Z');
  await Promise.all([close(), close()]);
  assert.deepEqual(await shown(), [
    '2025-09 0.000 5000.000 0.000 0.000 0.000 5000.000',
    '2025-10 5000.000 0.000 -3.000 0.000 0.000 4997.000',
    '2025-11 4997.000 0.000 -12.000 0.000 0.000 4985.000',
  ]);
});

test('a monthly commitment bills the shortfall of each full month once', async () => {
  await admin('PATCH', `billing-accounts/${of.billing_account_id}`, { monthly_plan: true, monthly_commitment: '100' });
  await owner.updateTable('billing_account').set({ commitment_from: '2025-12-02' }).execute();
  await charged('2026-01-10T00:00:00Z', 30_000);
  await post((db) => refund(db, at('2026-01-11T00:00:00Z', 10_000)));
  await charged('2026-02-10T00:00:00Z', 150_000);
  clock.set('2026-03-01T06:00:00Z');
  await Promise.all([close(), close()]);
  assert.deepEqual((await shown()).slice(3), [
    '2025-12 4985.000 0.000 -16.000 0.000 0.000 4969.000',
    '2026-01 4969.000 0.000 -30.000 10.000 -80.000 4869.000',
    '2026-02 4869.000 0.000 -150.000 0.000 0.000 4719.000',
  ]);
  const { credit_balance } = await owner
    .selectFrom('billing_account')
    .select('credit_balance')
    .executeTakeFirstOrThrow();
  assert.equal(credit_balance, 4_719_000);
  assert.deepEqual(await reconcile(owner), []);
  await admin('PATCH', `billing-accounts/${of.billing_account_id}`, { monthly_plan: false });
  const { commitment_from } = await owner
    .selectFrom('billing_account')
    .select('commitment_from')
    .executeTakeFirstOrThrow();
  assert.equal(commitment_from, null);
  await assert.rejects(owner.updateTable('statement').set({ charges: 0 }).execute(), /append-only/);
});

test('a statement is a CSV with lines that add up, and a PDF in each language', async () => {
  const { id } = (await statements()).find(({ month }) => month === '2026-01')!;
  const csv = await stage.call<string>('boss', 'GET', `/api/v1/statements/${id}/csv`);
  const lines = csv.body
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  assert.deepEqual(
    lines.slice(1, -8).map(([date, , amount]) => [date, amount]),
    [
      ['2026-01-09', '-30.000'],
      ['2026-01-10', '10.000'],
      ['2026-01-31', '-80.000'],
    ],
  );
  const sum = lines.slice(1, -8).reduce((total, [, , amount]) => total + Number(amount), Number(lines[0]![2]));
  assert.equal(sum, Number(lines.at(-1)![2]));
  const sizes: number[] = [];
  for (const locale of ['en', 'fp', 'cn', 'zh']) {
    const reply = await stage.server.inject({
      url: `/api/v1/statements/${id}/pdf`,
      headers: { authorization: 'Bearer boss' },
      cookies: { locale },
    });
    assert.equal(reply.headers['content-type'], 'application/pdf');
    assert.equal(reply.rawPayload.subarray(0, 5).toString(), '%PDF-');
    sizes.push(reply.rawPayload.length);
  }
  assert.ok(sizes[2]! > sizes[0]! * 2, 'Chinese brings the characters it needs');
  assert.equal((await stage.call('boss', 'GET', '/api/v1/statements/999999/pdf')).status, 404);
});

test('people are warned once each time that the available amount passes its limit', async () => {
  await owner
    .updateTable('billing_account')
    .set({ low_balance_limit: 3_000_000, cost_warning_limit: 500_000, credit_limit: 2_000_000 })
    .execute();
  await owner.updateTable('user_account').set({ scope_level: 2, department_id: null }).execute();
  const heard: string[] = [];
  const fanOut = await startFanOut(config, 'owner', log);
  await fanOut.subscribe('events', (text) => {
    const { channel, event, data } = JSON.parse(text) as { channel: string; event: string; data: { type?: string } };
    heard.push(`${channel} ${data.type ?? event}`);
  });
  after(() => fanOut.stop());
  const watch = new BalanceWatch({ database: home.db('worker'), log });
  const alerts = async () =>
    (await owner.selectFrom('balance_alert').select('kind').orderBy('id').execute()).map(({ kind }) => kind);
  await watch.look();
  const take = (amount: number) => charged(new Date().toISOString(), amount);
  // The balance is 4,719 and the credit limit 2,000, so 6,719 can be spent.
  await post((db) => reserve(db, at(new Date().toISOString(), 3_800_000)));
  assert.deepEqual(await alerts(), ['low_balance'], 'a reserved amount cannot be spent, and is not owed');
  await post((db) => postTransfers(db, [{ ...at(new Date().toISOString(), 3_700_000), kind: 'release' }]));
  await take(3_000_000); // 3,619 can be spent
  assert.deepEqual(await alerts(), ['low_balance']);
  await take(1_000_000); // 2,619
  await take(100_000); // 2,519, still below
  assert.deepEqual(await alerts(), ['low_balance', 'low_balance']);
  await take(1_200_000); // 581 owed
  assert.deepEqual(await alerts(), ['low_balance', 'low_balance', 'cost_warning']);
  await post((db) => pay(db, at(new Date().toISOString(), 2_000_000))); // 3,319
  await take(500_000); // 2,819: another crossing
  assert.deepEqual(await alerts(), ['low_balance', 'low_balance', 'cost_warning', 'low_balance']);
  await Promise.all([watch.look(), watch.look()]);
  await watch.look();
  await until('all are told', () => heard.length >= 5);
  const person = `private-App.Models.User.${tenant.user_id}`;
  assert.deepEqual(heard.filter((each) => each.startsWith(person)).sort(), [
    `${person} billing.cost_warning`,
    `${person} billing.low_balance`,
    `${person} billing.low_balance`,
    `${person} billing.low_balance`,
  ]);
  assert.ok(heard.includes(`private-corporation.${tenant.corporation_id} billing.balance`));
  const { rows } = await home
    .pool('owner')
    .query<{ data: { balance_alert_id: number; user_id: number } }>(
      'SELECT data FROM jobs.job WHERE name = $1 ORDER BY data',
      [mailBalanceAlertJob.name],
    );
  assert.equal(rows.length, 4);
  await mailBalanceAlert({ database: home.db('worker'), config, log }, rows[2]!.data);
  const [file] = readdirSync(join(config.DATA_DIR, 'mail'));
  const mail = readFileSync(join(config.DATA_DIR, 'mail', file!), 'utf8');
  assert.match(mail, /Main has passed its cost warning limit/);
  assert.match(mail.replaceAll('=\r\n', ''), /581\.000/);
});

test('reconciliation finds a balance changed by hand, and keeps each finding once', async () => {
  const find = async () =>
    (await reconcile(owner)).map(({ rule, billing_account_id }) => `${rule} ${billing_account_id}`);
  // The reservations of the previous test have no messages.
  const before = await find();
  assert.deepEqual(before, [`open_reservations ${of.billing_account_id}`]);
  await owner
    .updateTable('billing_account')
    .set((eb) => ({ credit_balance: eb('credit_balance', '+', 1) }))
    .execute();
  assert.deepEqual(await find(), [
    `account_entries ${of.billing_account_id}`,
    `account_transfers ${of.billing_account_id}`,
    ...before,
  ]);
  const worker = { database: home.db('worker'), log };
  assert.equal((await recordFindings(worker, true)).length, 3);
  await recordFindings(worker, false);
  const kept = await owner.selectFrom('billing_finding').selectAll().execute();
  assert.equal(kept.length, 3);
  await assert.rejects(owner.deleteFrom('billing_finding').execute(), /append-only/);
  await owner
    .updateTable('billing_account')
    .set((eb) => ({ credit_balance: eb('credit_balance', '-', 1) }))
    .execute();
  assert.deepEqual(await find(), before);
});
