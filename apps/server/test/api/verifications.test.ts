import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#platform/clock';
import { endExpired } from '../../src/modules/verify/end-expired.ts';
import { codeOf } from './stage.ts';
import { verifyStage } from './verify-stage.ts';

const s = await verifyStage({ after });
const { call } = s;

test('a code that a phone got approves its verification once', async () => {
  const service = await s.service();
  const started = await s.start(service, s.number(1), { client_ref: 'login-1' });
  assert.deepEqual(
    [started.status, started.attempts_left, started.resends_left, started.parts, started.client_ref, started.test],
    ['pending', 5, 3, 1, 'login-1', false],
  );
  const code = await s.codeOn(s.number(1));
  assert.match(code, /^\d{6}$/);
  const wrong = await s.check(started.id, code === '000000' ? '000001' : '000000');
  assert.deepEqual([wrong.status, wrong.attempts_left], ['pending', 4]);
  // People write blanks and dashes.
  const right = await s.check(started.id, `${code.slice(0, 3)} ${code.slice(3)}`);
  assert.deepEqual([right.status, right.attempts_left, typeof right.done_at], ['approved', 0, 'string']);
  const again = await call('POST', `/v1/verifications/${started.id}/check`, { code });
  assert.equal(codeOf(again), '409 verification_over');
  await s.until(async () => (await s.get(started.id)).messages[0]?.state === 'delivered');
});

test('the last wrong code fails a verification, and the right one comes too late', async () => {
  const started = await s.start(await s.service({ tries: 2 }), s.number(2));
  const code = await s.codeOn(s.number(2));
  const wrong = code === '111111' ? '222222' : '111111';
  assert.equal((await s.check(started.id, wrong)).status, 'pending');
  assert.equal((await s.check(started.id, wrong)).status, 'failed');
  assert.equal(codeOf(await call('POST', `/v1/verifications/${started.id}/check`, { code })), '409 verification_over');
});

test('checks at the same time have no try more, and approve once', async () => {
  const service = await s.service({ tries: 3 });
  const tried = await s.start(service, s.number(3));
  const code = await s.codeOn(s.number(3));
  const wrong = code === '111111' ? '222222' : '111111';
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('POST', `/v1/verifications/${tried.id}/check`, { code: wrong })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 3);
  const { checks } = await s.one<{ checks: number }>('SELECT checks FROM verification WHERE id = $1', [tried.id]);
  assert.equal(checks, 3);
  const once = await s.start(service, s.number(4));
  const right = await s.codeOn(s.number(4));
  const approvals = await Promise.all(
    Array.from({ length: 8 }, () => call('POST', `/v1/verifications/${once.id}/check`, { code: right })),
  );
  assert.equal(approvals.filter(({ body }) => (body as { status: unknown }).status === 'approved').length, 1);
});

test('a resend waits for its pause and sends the same code by the next sender ID', async () => {
  const service = await s.service({ resends: 1, senders: [s.sender, s.second] });
  const started = await s.start(service, s.number(5));
  const code = await s.codeOn(s.number(5));
  const resend = () => call('POST', `/v1/verifications/${started.id}/resend`, {});
  const soon = await resend();
  assert.equal(codeOf(soon), '429 verification_resend_soon');
  assert.ok(Number(soon.headers.get('retry-after')) > 0);
  await s.age(started.id, 31);
  const both = await Promise.all([resend(), resend()]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 429]);
  const { messages, resends_left, parts } = await s.get(started.id);
  assert.deepEqual([messages.length, resends_left, parts], [2, 0, 2]);
  await s.until(async () => (await s.inbox(s.number(5))).length === 2);
  const [first, second] = await s.inbox(s.number(5));
  assert.deepEqual([first!.from, second!.from], [s.sender, s.second]);
  assert.ok(second!.text.includes(code));
  await s.age(started.id, 31);
  assert.equal(codeOf(await resend()), '409 verification_resends_used');
  assert.equal((await s.check(started.id, code)).status, 'approved');
});

test('a refused resend gives its place back', async () => {
  const service = await s.service({ resends: 1 });
  const started = await s.start(service, s.number(6));
  await s.age(started.id, 31);
  await s.owner.query(
    `INSERT INTO opt_out (corporation_id, number, source, opted_out_at) VALUES ($1, $2, 'person', now())`,
    [s.acme.corporation_id, s.number(6)],
  );
  assert.equal(codeOf(await call('POST', `/v1/verifications/${started.id}/resend`, {})), '422 validation_failed to');
  assert.equal((await s.get(started.id)).resends_left, 1);
});

test('an expired verification approves nothing and takes no try', async () => {
  const started = await s.start(await s.service(), s.number(7));
  const code = await s.codeOn(s.number(7));
  await s.age(started.id, 601);
  assert.deepEqual(
    [(await s.check(started.id, code)).status, (await s.get(started.id)).status],
    ['expired', 'expired'],
  );
  for (const action of ['resend', 'cancel'])
    assert.equal(codeOf(await call('POST', `/v1/verifications/${started.id}/${action}`, {})), '409 verification_over');
});

test('a cancelled verification approves nothing', async () => {
  const started = await s.start(await s.service(), s.number(8));
  const code = await s.codeOn(s.number(8));
  const cancelled = await call('POST', `/v1/verifications/${started.id}/cancel`, {});
  assert.equal((cancelled.body as { status: string }).status, 'cancelled');
  assert.equal(codeOf(await call('POST', `/v1/verifications/${started.id}/check`, { code })), '409 verification_over');
});

test('no stored text has the code, and people and programs see dots', async () => {
  const started = await s.start(await s.service(), s.number(9));
  const code = await s.codeOn(s.number(9));
  const message = await s.call('GET', `/v1/messages/${started.messages[0]!.id}`);
  assert.match((message.body as { text: string }).text, /^•{6} is your Shop code/);
  const stored = await s.one<{ all: string }>(
    `SELECT concat(k.common_text, m.text, v::text) AS all FROM verification v JOIN message m ON m.id = v.message_ids[1]
     JOIN chunk k ON k.id = m.id >> 10 WHERE v.id = $1`,
    [started.id],
  );
  assert.ok(!stored.all.includes(code));
});

test('a repeated start with its key sends no second code', async () => {
  const service = await s.service();
  const start = () =>
    s.call('POST', '/v1/verifications', { service, to: s.number(10) }, { 'idempotency-key': 'start-10' });
  const [first, second] = [await start(), await start()];
  assert.equal((first.body as { id: string }).id, (second.body as { id: string }).id);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  const other = { service, to: s.number(11) };
  const reused = await s.call('POST', '/v1/verifications', other, { 'idempotency-key': 'start-10' });
  assert.equal(reused.status, 422);
});

test('browsers and Android get the forms that they read', async () => {
  const browser = await s.service({ format: 'web_otp', origin_host: 'shop.example.com' });
  await s.start(browser, s.number(12));
  const code = await s.codeOn(s.number(12));
  assert.equal((await s.inbox(s.number(12)))[0]!.text.split('\n').at(-1), `@shop.example.com #${code}`);
  const android = await s.service({ format: 'sms_retriever', app_hash: 'FA+9qCX9VSu' });
  await s.start(android, s.number(13));
  await s.codeOn(s.number(13));
  const { text } = (await s.inbox(s.number(13)))[0]!;
  assert.ok(text.endsWith('\nFA+9qCX9VSu') && Buffer.byteLength(text) <= 140, text);
});

test('a number of a country that the service does not list gets no code', async () => {
  const answer = await call('POST', '/v1/verifications', {
    service: await s.service({ countries: ['SG'] }),
    to: s.number(20),
  });
  assert.equal(codeOf(answer), '403 verification_refused to');
  const row = await s.one<object>(
    "SELECT state, decision, message_ids, price, signals->0->>'signal' AS signal FROM verification WHERE number = $1",
    [s.number(20)],
  );
  assert.deepEqual(row, { state: 'refused', decision: 'refused', message_ids: [], price: 0, signal: 'country' });
});

test('verifications of another corporation, and of the other mode of key, do not exist', async () => {
  const service = await s.service();
  const started = await s.start(service, s.number(14));
  const rival = s.by((await s.makeKey({ as: 'reseller' })).key);
  const tests = s.by((await s.makeKey({ mode: 'test' })).key);
  for (const other of [rival, tests]) {
    assert.equal(codeOf(await other('GET', `/v1/verifications/${started.id}`)), '404 not_found');
    for (const [action, body] of [
      ['check', { code: '1' }],
      ['resend', {}],
      ['cancel', {}],
    ] as const)
      assert.equal(codeOf(await other('POST', `/v1/verifications/${started.id}/${action}`, body)), '404 not_found');
  }
  const theirs = await rival('POST', '/v1/verifications', { service, to: s.number(15) });
  assert.equal(codeOf(theirs), '422 validation_failed service');
  const reader = s.by((await s.makeKey({ scopes: ['verifications:read'] })).key);
  assert.equal(codeOf(await reader('POST', '/v1/verifications', { service, to: s.number(15) })), '403 scope_missing');
  assert.equal((await reader('GET', `/v1/verifications/${started.id}`)).status, 200);
});

test('programs are told how a verification ended, once each', async () => {
  const service = await s.service({ tries: 1 });
  const [approved, failed, expired] = [
    await s.start(service, s.number(9_101)),
    await s.start(service, s.number(9_102)),
    await s.start(service, s.number(9_103)),
  ];
  await s.check(approved.id, await s.codeOn(approved.to));
  await s.check(failed.id, 'wrong');
  await s.age(expired.id, 3_600);
  const worker = { database: s.api.database.db('worker'), clock: systemClock };
  await Promise.all([endExpired(worker), endExpired(worker)]);
  await endExpired(worker);
  const ids = [approved, failed, expired].map(({ id }) => id);
  const { body } = await s.call(
    'GET',
    '/v1/events?types=verification.approved,verification.failed,verification.expired',
  );
  const ends = (body as { data: { data: { id: string; status: string; to: string } }[] }).data
    .map(({ data }) => data)
    .filter(({ id }) => ids.includes(id));
  assert.deepEqual(
    ends.map(({ id, status, to }) => [id, status, to]).sort(),
    [
      [approved.id, 'approved', approved.to],
      [failed.id, 'failed', failed.to],
      [expired.id, 'expired', expired.to],
    ].sort(),
  );
  const { rows } = await s.owner.query('SELECT seed, code_mac FROM verification WHERE id = $1', [expired.id]);
  assert.deepEqual(rows, [{ seed: null, code_mac: null }]);
  assert.equal((await s.get(expired.id)).status, 'expired');
});
