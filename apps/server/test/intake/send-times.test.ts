import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startVictim } from '@heliograph/fault-kit';
import { formatAbsoluteTime, formatRelativeTime, statusName } from '@heliograph/smpp';
import { reconcile } from '#modules/billing';
import { bind, smppStage, until } from '../smpp-server/stage.ts';
import { TEST_KEY } from '../test-key.ts';
import { programKey } from './program-key.ts';
import { FUNDS } from './stage.ts';

const API = join(import.meta.dirname, '../../src/processes/api.ts');
/** Time between now and the send time: enough for a slow machine to make all its calls before. */
const AHEAD_MS = 15_000;
/** Maximum difference between the clocks of the database and of this process. */
const TOLERANCE_MS = 150;

const stage = await smppStage({ after });
const simulator = await stage.carrier();
// Set early, so that the sender knows the rate long before the batch that is cancelled while it leaves.
await stage.owner.query('UPDATE link SET rate = 100 WHERE NOT for_tests');
const server = await stage.server();

test('scheduled messages leave only after their time, and cancelled ones never', async () => {
  const program = await stage.tenant('Web');
  const key = await programKey(stage, program);
  const victim = await startVictim(API, {
    environment: { DATABASE_URL: stage.url, SECRET_KEY: TEST_KEY, LOG_LEVEL: 'silent', PORT: '0' },
  });
  after(() => victim.kill());
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(new URL(path, (victim.ready as { url: string }).url), {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as { id: string; state: string; states: object };
  };
  const customer = await stage.customer('timed');
  const esme = await bind(server, 'timed');
  let given = 0;
  const number = () => `63917${String(++given).padStart(7, '0')}`;
  const due = new Map<string, number>();
  const off: string[] = [];
  const http = async (at: number) => {
    const to = number();
    const send_at = new Date(at).toISOString();
    const sent = await call('POST', '/v1/messages', { from: 'Acme', to, text: 'Hello', send_at });
    assert.equal(sent.state, 'scheduled');
    return { to, id: sent.id };
  };
  const batch = async (at: number) => {
    const to = Array.from({ length: 5 }, number);
    const recipients = to.map((each) => ({ to: each }));
    const send_at = new Date(at).toISOString();
    return { to, id: (await call('POST', '/v1/batches', { from: 'Acme', text: 'Hi', recipients, send_at })).id };
  };
  const submit = async (schedule_delivery_time: string) => {
    const to = number();
    const answer = await esme.submit({ destination_addr: to, schedule_delivery_time });
    assert.equal(statusName(answer.status), 'ESME_ROK');
    return { to, id: answer.message_id };
  };
  const reserved = async () =>
    (await stage.one<{ sum: number }>('SELECT sum(reserved)::bigint AS sum FROM billing_account')).sum;

  const at = Date.now() + AHEAD_MS;
  due.set((await http(at)).to, at);
  for (const to of (await batch(at)).to) due.set(to, at);
  // SMPP times have whole seconds.
  const inSeconds = Math.ceil(at / 1_000) * 1_000;
  due.set((await submit(formatAbsoluteTime(inSeconds))).to, inSeconds);
  const seconds = Date.now() + AHEAD_MS;
  due.set((await submit(formatRelativeTime(AHEAD_MS / 1_000))).to, seconds);
  const kept = await reserved();
  const alone = await http(at);
  const many = await batch(at);
  const bySmpp = await submit(formatAbsoluteTime(inSeconds));
  off.push(alone.to, ...many.to, bySmpp.to);
  assert.equal((await call('DELETE', `/v1/messages/${alone.id}`)).state, 'cancelled');
  assert.deepEqual((await call('DELETE', `/v1/batches/${many.id}`)).states, { cancelled: 5 });
  const cancel = { command: 'cancel_sm' as const, message_id: bySmpp.id, source_addr: 'Acme' };
  assert.equal(statusName((await esme.request(cancel)).status), 'ESME_ROK');
  assert.equal(await reserved(), kept, 'what was called off gave its reserve back');
  assert.ok(Date.now() < at, 'all of that was before the time');
  // A message without a send time leaves before them, which shows that the carrier is connected.
  const now = await esme.submit({ destination_addr: '639180000001' });
  assert.equal(statusName(now.status), 'ESME_ROK');
  await until('what has no time has left', () => simulator.segmentsTo('639180000001').length === 1);

  await until('all that was due has left', () => [...due.keys()].every((to) => simulator.segmentsTo(to).length > 0));
  for (const [to, time] of due) {
    const segments = simulator.segmentsTo(to);
    assert.equal(segments.length, 1);
    const early = time - Date.parse(segments[0]!.received_at);
    assert.ok(early < TOLERANCE_MS, `${to} left ${early} ms before its time`);
  }
  await until('all is settled', async () => (await reserved()) === 0);
  assert.deepEqual(
    off.filter((to) => simulator.segmentsTo(to).length > 0),
    [],
  );
  assert.deepEqual(await reconcile(stage.owner), []);
  const states = await stage.owner.query(
    `SELECT m.state, count(*) FROM program_message p JOIN message_row m ON m.id = p.message_id WHERE m.number = ANY ($1) GROUP BY 1`,
    [off],
  );
  assert.deepEqual(states.rows, [{ state: 'cancelled', count: 7 }]);
  assert.ok(customer.id);
  await esme.session.unbind();
});

test('in a batch cancelled while it leaves, each message is either sent or released', async () => {
  const program = await stage.tenant('Slow');
  const key = await programKey(stage, program);
  const victim = await startVictim(API, {
    environment: { DATABASE_URL: stage.url, SECRET_KEY: TEST_KEY, LOG_LEVEL: 'silent', PORT: '0' },
  });
  after(() => victim.kill());
  const call = (method: string, path: string, body?: object) =>
    fetch(new URL(path, (victim.ready as { url: string }).url), {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const to = Array.from({ length: 1_500 }, (_, i) => `63920${String(i).padStart(7, '0')}`);
  const sent = await call('POST', '/v1/batches', {
    from: 'Acme',
    text: 'Hi',
    class: 'bulk',
    recipients: to.map((each) => ({ to: each })),
  });
  const { id, price } = (await sent.json()) as { id: string; price: string };
  const left = () => to.filter((each) => simulator.segmentsTo(each).length > 0).length;
  await until('some have left', () => left() > 20);
  const off = await call('DELETE', `/v1/batches/${id}`);
  assert.equal(off.status, 200, await off.clone().text());
  const { states } = (await off.json()) as { states: { cancelled: number } };
  assert.ok(states.cancelled > 0 && states.cancelled < 1_500, JSON.stringify(states));
  const account = () =>
    stage.one<{ credit_balance: number; reserved: number }>(
      'SELECT credit_balance, reserved FROM billing_account WHERE id = $1',
      [program.billing_account_id],
    );
  await until('what had left is settled', async () => (await account()).reserved === 0);
  assert.equal(left(), 1_500 - states.cancelled);
  const cost = (Number(price) * 1_000 * left()) / 1_500;
  assert.equal((await account()).credit_balance, FUNDS - Math.round(cost));
  assert.deepEqual(await reconcile(stage.owner), []);
  assert.equal((await call('DELETE', `/v1/batches/${id}`)).status, 409);
});
