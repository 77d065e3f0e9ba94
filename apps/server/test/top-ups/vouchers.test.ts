import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { callerOf } from '../campaigns/stage.ts';
import { makeReseller, makeTopUpStage } from './stage.ts';

const stage = await makeTopUpStage({ after });
const { owner, clock, tenant, callers, balance, read } = stage;
const account = tenant.billing_account_id;

interface Made {
  id: number;
  codes: string[];
  redeemed: number;
}
const make = async (who: string, more: object = {}) =>
  stage.call<{ data: Made; code?: string }>(who, 'POST', '/api/v1/vouchers', {
    name: `Batch ${Math.random()}`,
    amount: '25.50',
    currency: 'PHP',
    count: 3,
    ...more,
  });
const redeem = (who: string, code: string, of = account) =>
  stage.call<{ code?: string; data: { top_up_id: number } }>(who, 'POST', '/api/v1/vouchers/redeem', {
    billing_account_id: of,
    code,
  });
/** Adds a person of the tenant, so that wrong codes of one test do not count in another. */
function person(name: string, user_id: number): string {
  callers.set(name, { ...callerOf(tenant, 'corporate_admin', { scope_level: 2 }), user_id });
  return name;
}

beforeEach(() => clock.set(null));

test('a code adds its amount once, however it is written, and only its digest is kept', async () => {
  const before = await balance();
  const { status, body } = await make('admin');
  assert.equal(status, 201);
  const [code] = body.data.codes as [string];
  assert.match(code, /^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
  const done = await redeem('boss', ` ${code.toLowerCase().replaceAll('-', ' ')} `);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(await balance(), before + 25_500);
  assert.deepEqual((await redeem('boss', code)).body.code, 'voucher_unknown');
  const row = await read('boss', done.body.data.top_up_id);
  assert.deepEqual([row['state'], row['driver'], row['amount']], ['paid', 'voucher', '25.500']);
  const stored = await owner.selectFrom('voucher').selectAll().execute();
  assert.ok(!JSON.stringify(stored).includes(code));
  assert.deepEqual(await reconcile(owner), []);
});

test('of five hundred redeems at the same time each code counts once', { timeout: 240_000 }, async () => {
  const before = await balance();
  const { body } = await make('admin', { count: 50 });
  const people = Array.from({ length: 50 }, (_, i) => person(`crowd-${i}`, 500_000 + i));
  const tries = body.data.codes.flatMap((code) => Array.from({ length: 10 }, (_, i) => [code, i] as const));
  const answers = await Promise.all(tries.map(([code], place) => redeem(people[place % 50]!, code)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 50);
  assert.equal(await balance(), before + 50 * 25_500);
  const { body: list } = await stage.call<{ data: Made[] }>('admin', 'GET', '/api/v1/vouchers');
  assert.equal(list.data.find(({ id }) => id === body.data.id)!.redeemed, 50);
  assert.deepEqual(await reconcile(owner), []);
});

test('void, expired and foreign vouchers are refused like a code that does not exist', async () => {
  const a = await makeReseller(stage, 'Alpha');
  const before = await balance();
  const ofA = (await make('Alpha')).body.data;
  const expired = (await make('admin', { expires_on: '2026-01-01' })).body.data;
  const euros = (await make('admin', { currency: 'EUR' })).body.data;
  const voided = (await make('admin')).body.data;
  assert.equal((await stage.call('Alpha', 'POST', `/api/v1/vouchers/${voided.id}/void`)).status, 404);
  assert.equal((await stage.call('admin', 'POST', `/api/v1/vouchers/${voided.id}/void`)).status, 200);
  const who = person('curious', 600_000);
  for (const { codes } of [ofA, expired, euros, voided])
    assert.equal((await redeem(who, codes[0]!)).body.code, 'voucher_unknown');
  assert.equal((await redeem('Alpha-customer', ofA.codes[0]!, account)).status, 422);
  assert.equal((await redeem('Alpha-customer', ofA.codes[0]!, a.account)).status, 200);
  assert.equal(await balance(), before);
  const { body } = await stage.call<{ data: Made[] }>('Alpha', 'GET', '/api/v1/vouchers');
  assert.deepEqual(
    body.data.map(({ id }) => id),
    [ofA.id],
  );
});

test('after ten wrong codes a person waits an hour, and right codes do not count', async () => {
  const who = person('guesser', 700_000);
  const { codes } = (await make('admin', { count: 20 })).body.data;
  for (let i = 0; i < 12; i++) assert.equal((await redeem(who, codes[i]!)).status, 200);
  for (let i = 0; i < 10; i++) assert.equal((await redeem(who, `WRONG-${i}`)).status, 422);
  assert.equal((await redeem(who, codes[15]!)).status, 429);
  assert.equal((await redeem(person('colleague', 700_001), codes[16]!)).status, 200);
  clock.set(new Date(Date.now() + 3_700_000).toISOString());
  assert.equal((await redeem(who, codes[15]!)).status, 200);
});

const PDF = Buffer.from('%PDF-1.4 proof');

test('a bank transfer is credited once, by two people above the limit, after its proof', async () => {
  const method = await stage.method('bank_transfer' as never, {
    mode: 'live',
    instructions: 'Bank of Test 1234',
    four_eyes_above: '1000',
  });
  callers.set('second', { ...callers.get('admin')!, user_id: 800_000 });
  const before = await balance();
  const act = (who: string, id: number, what: string, body: object = {}) =>
    stage.call<{ code?: string }>(who, 'POST', `/api/v1/top-ups/${id}/${what}`, body);
  const begin = async (amount: string) => (await stage.topUp('boss', method, amount)).body.data.id;
  const prove = (id: number, name = 'proof.pdf', data = PDF) =>
    stage.upload<{ code?: string }>('boss', `/api/v1/top-ups/${id}/proof`, name, data);

  const small = await begin('900');
  assert.equal((await read('boss', small))['instructions'], 'Bank of Test 1234');
  assert.equal((await act('admin', small, 'approve')).body.code, 'invalid_transition');
  assert.equal((await prove(small, 'proof.exe')).status, 422);
  assert.equal((await prove(small, 'proof.png')).status, 422);
  assert.equal((await prove(small, 'proof.pdf', Buffer.alloc(6 * 1024 * 1024, 1))).status, 413);
  assert.equal((await prove(small)).status, 201);
  assert.equal((await act('boss', small, 'approve')).status, 403);
  const both = await Promise.all([act('admin', small, 'approve'), act('second', small, 'approve')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(await balance(), before + 900_000);

  const large = await begin('1500');
  await prove(large);
  assert.equal((await act('admin', large, 'approve')).status, 200);
  assert.equal((await act('admin', large, 'approve')).body.code, 'top_up_four_eyes');
  assert.equal(await balance(), before + 900_000);
  // Another proof needs both approvals again.
  await prove(large);
  await act('second', large, 'approve');
  assert.equal((await read('boss', large))['state'], 'in_review');
  // Its approvers were told once.
  await stage.work();
  const { told } = await owner.selectFrom('top_up').select('told').where('id', '=', large).executeTakeFirstOrThrow();
  assert.deepEqual(told, ['review 1500000']);
  await act('admin', large, 'approve');
  assert.equal((await read('boss', large))['state'], 'paid');
  assert.equal(await balance(), before + 2_400_000);

  const wrong = await begin('100');
  await prove(wrong);
  assert.equal((await act('admin', wrong, 'reject', { reason: 'No money came' })).status, 200);
  const row = await read('boss', wrong);
  assert.deepEqual([row['state'], row['decision_note']], ['rejected', 'No money came']);
  assert.equal((await act('admin', wrong, 'approve')).body.code, 'invalid_transition');
  assert.deepEqual(await reconcile(owner), []);
});
