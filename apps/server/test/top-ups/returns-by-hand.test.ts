import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { mailTopUp, tellTopUp } from '../../src/modules/top-ups/tell-top-ups.ts';
import { startSmtpSink } from '../organizations/smtp-sink.ts';
import { makeTopUpStage } from './stage.ts';

const stage = await makeTopUpStage({ after });
const { owner, simulator, tenant, callers, balance, read, quiet, opened, home, config } = stage;
const bank = await stage.method('bank_transfer' as never, { mode: 'live', instructions: 'Bank of Test 1234' });
const maya = await stage.method('maya');
callers.set('second', { ...callers.get('admin')!, user_id: 800_000 });

interface Given {
  id: number;
  state: string;
  may: Record<string, boolean>;
}
const call = (who: string, path: string, body: object = {}) =>
  stage.call<{ code?: string; errors?: object }>(who, 'POST', `/api/v1/${path}`, body);
const record = (id: number, kind: string, amount: string, who = 'admin') =>
  call(who, `top-ups/${id}/returns`, { kind, amount, reason: 'Bank letter 7' });
const last = async (id: number, who = 'admin') => ((await read(who, id))['returns'] as Given[]).at(-1)!;
async function transferred(amount: string): Promise<number> {
  const { id } = (await stage.topUp('boss', bank, amount)).body.data;
  await stage.upload('boss', `/api/v1/top-ups/${id}/proof`, 'proof.pdf', Buffer.from('%PDF-1.4 proof'));
  assert.equal((await call('admin', `top-ups/${id}/approve`)).status, 200);
  return id;
}

test('a refund of a bank transfer moves money once, when another person approves', async () => {
  const before = await balance();
  const id = await transferred('1000');
  const asked = await call('admin', `top-ups/${id}/refunds`, { amount: '400', reason: 'Paid twice' });
  assert.equal(asked.status, 201);
  assert.equal(await balance(), before + 1_000_000);
  const given = await last(id);
  assert.deepEqual((await read('boss', id))['returns'], [], 'customers do not see what is not decided');
  assert.deepEqual([given.state, given.may], ['requested', { approve: false, reject: true, reverse: false }]);
  assert.deepEqual(Object.keys((await record(id, 'chargeback', '600.01')).body.errors ?? {}), ['amount']);
  const approve = (who: string) => call(who, `top-up-returns/${given.id}/approve`);
  assert.equal((await approve('admin')).body.code, 'top_up_return_four_eyes');
  assert.equal((await approve('boss')).status, 403, 'the customer decides nothing');
  const both = await Promise.all([approve('second'), approve('second')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  assert.deepEqual([await balance(), (await read('boss', id))['state']], [before + 600_000, 'partly_refunded']);
  await assert.rejects(
    owner
      .updateTable('top_up_return')
      .set({ decided_by: tenant.user_id, user_id: tenant.user_id })
      .where('id', '=', given.id)
      .execute(),
    /two_people/,
  );
  assert.deepEqual(await reconcile(owner), []);
});

test('a chargeback by hand tells the customer, and a reason reverses it', async () => {
  const before = await balance();
  const { id, payment } = await opened(maya, '500');
  simulator.act(payment.id, 'pay');
  await quiet();
  assert.equal((await record(id, 'refund', '10')).body.code, 'top_up_not_refundable', 'Maya reports its refunds');
  assert.equal((await record(id, 'chargeback', '500')).status, 201);
  const { id: given } = await last(id);
  assert.equal((await call('second', `top-up-returns/${given}/approve`)).status, 200);
  assert.deepEqual([await balance(), (await read('boss', id))['state']], [before, 'charged_back']);
  assert.equal((await call('admin', `top-up-returns/${given}/reverse`)).status, 422, 'a reason is needed');
  const reversed = await call('admin', `top-up-returns/${given}/reverse`, { reason: 'The bank paid' });
  assert.equal(reversed.status, 200, JSON.stringify(reversed.body));
  assert.deepEqual([await balance(), (await read('boss', id))['state']], [before + 500_000, 'paid']);
  assert.equal(
    (await call('admin', `top-up-returns/${given}/reverse`, { reason: 'Again' })).body.code,
    'invalid_transition',
  );
  const { rows } = await home
    .pool('owner')
    .query<{ description: string }>(
      "SELECT description FROM activity_log WHERE subject_type = 'top-ups' AND subject_id = $1 AND description LIKE 'return %' ORDER BY id",
      [id],
    );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['return requested', 'return approved', 'return reversed'],
  );
  const sink = await startSmtpSink({ after });
  const worker = {
    database: home.db('worker'),
    config: { ...config, MAIL_URL: `smtp://127.0.0.1:${sink.port}` },
    log: stage.server.log as never,
  };
  for (const news of ['charged_back', 'given_again'] as const) {
    await tellTopUp(worker, { top_up_id: id, news, amount: 500_000 });
    await mailTopUp(worker as never, { top_up_id: id, news, amount: 500_000, user_id: tenant.user_id });
  }
  assert.equal(sink.mails.length, 2);
  assert.match(sink.mails[1]!.source, /credit given back/);
  assert.deepEqual(await reconcile(owner), []);
});

test('a rejected or withdrawn request takes nothing, and cannot be approved any more', async () => {
  const id = await transferred('100');
  const before = await balance();
  await record(id, 'chargeback', '100');
  const { id: given } = await last(id);
  assert.equal((await call('boss', `top-up-returns/${given}/reject`, { reason: 'No' })).status, 403);
  assert.equal((await call('admin', `top-up-returns/${given}/reject`, { reason: 'Wrong transfer' })).status, 200);
  assert.equal((await call('second', `top-up-returns/${given}/approve`)).body.code, 'invalid_transition');
  assert.equal(await balance(), before);
  assert.equal((await record(id, 'chargeback', '100')).status, 201, 'the whole amount is free again');
  assert.equal((await call('second', 'top-up-returns/999999999/approve')).status, 404);
});
