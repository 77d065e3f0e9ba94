import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { type Closing, type DeliverSm, type Outcome, openSession, parseReceipt, STATUS } from '@heliograph/smpp';
import { type ProfileName, type SettingsChange, startSimulator } from '../src/index.ts';

async function carrier(t: TestContext, settings: SettingsChange & { profile: ProfileName }, seed = 7) {
  const simulator = await startSimulator({ smppPort: 0, httpPort: null, seed, settings });
  t.after(() => simulator.stop());
  const connect = (window = 100, bindMs = 30_000) => {
    const outcomes: Outcome<number>[] = [];
    const receipts: string[] = [];
    const closings: Closing[] = [];
    let faults = 0;
    const session = openSession<number>(
      {
        host: '127.0.0.1',
        port: simulator.smppPort,
        bind: { mode: 'transceiver', system_id: 'esme', password: '' },
        window,
        bindMs,
        responseMs: 60_000,
      },
      {
        onResponses: (batch) => outcomes.push(...batch),
        onRequests: (requests, self) => {
          for (const request of requests) {
            const receipt = parseReceipt(request as DeliverSm);
            if (receipt) receipts.push(receipt.id);
            self.respond(request, STATUS.ROK);
          }
        },
        onFault: () => faults++,
        onClose: (closing) => closings.push(closing),
      },
    );
    t.after(() => session.destroy());
    return { session, outcomes, receipts, closings, faults: () => faults };
  };
  return { simulator, connect };
}

const submit = (session: { submit(fields: object, context: number): boolean }, count: number): void => {
  for (let i = 0; i < count; i++) {
    session.submit({ destination_addr: `63917${String(i).padStart(7, '0')}`, registered_delivery: 1 }, i);
  }
};

test('a profile sets its own settings, except those that the call names', async (t) => {
  const { simulator } = await carrier(t, { profile: 'throttling', late_receipt_ms: 5, rate: 80 });
  const { profile, rate, late_receipt_ms } = simulator.settings();
  assert.deepEqual({ profile, rate, late_receipt_ms }, { profile: 'throttling', rate: 80, late_receipt_ms: 5 });
  simulator.configure({ profile: 'slow' });
  assert.equal(simulator.settings().rate, 0);
  assert.ok(simulator.settings().response_delay_ms > 0);
  simulator.configure({ profile: 'healthy' });
  assert.equal(simulator.settings().response_delay_ms, 0);
  assert.equal(simulator.settings().late_receipt_ms, 5);
});

test('slow: every response arrives, in a different order', async (t) => {
  const { connect } = await carrier(t, { profile: 'slow', response_delay_ms: 500, response_jitter_ms: 200 });
  const { session, outcomes } = connect();
  await until('the bind', () => session.state === 'bound');
  submit(session, 50);
  await sleep(20);
  assert.equal(outcomes.length, 0, 'none comes at once');
  await until('the responses', () => outcomes.length === 50);
  const order = outcomes.map(({ context }) => context);
  assert.notDeepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('throttling: answers ESME_RTHROTTLED above its rate', async (t) => {
  const { connect } = await carrier(t, { profile: 'throttling' });
  const { session, outcomes } = connect();
  await until('the bind', () => session.state === 'bound');
  submit(session, 100);
  await until('the responses', () => outcomes.length === 100);
  const throttled = outcomes.filter(({ status }) => status === STATUS.RTHROTTLED).length;
  assert.ok(throttled > 50, `${throttled} were throttled`);
});

test('dead: drops the session and leaves binds unanswered until it is healthy again', async (t) => {
  const { simulator, connect } = await carrier(t, { profile: 'healthy' });
  const first = connect();
  await until('the bind', () => first.session.state === 'bound');
  simulator.configure({ profile: 'dead' });
  await until('the fall', () => first.closings.length === 1);
  const second = connect(100, 300);
  await until('the end of the bind timer', () => second.closings.length === 1);
  assert.equal(second.closings[0]?.reason, 'bind_timeout');
  simulator.configure({ profile: 'healthy' });
  const third = connect();
  await until('the bind', () => third.session.state === 'bound');
});

test('capped: allows one bind, and answers ESME_RMSGQFUL until receipts are taken', async (t) => {
  const { connect } = await carrier(t, { profile: 'capped', queue_limit: 20, receipt_delay_ms: 1_000 });
  const { session, outcomes, receipts } = connect();
  await until('the bind', () => session.state === 'bound');
  const second = connect();
  await until('the refusal', () => second.closings.length === 1);
  assert.deepEqual(second.closings[0], { reason: 'bind_refused', status: STATUS.RALYBND });
  submit(session, 50);
  await until('the responses', () => outcomes.length === 50);
  assert.equal(outcomes.filter(({ status }) => status === STATUS.RMSGQFUL).length, 30);
  await until('the receipts', () => receipts.length === 20);
  outcomes.length = 0;
  submit(session, 20);
  await until('the responses', () => outcomes.length === 20);
  assert.ok(outcomes.every(({ status }) => status === STATUS.ROK));
});

test('malformed: answers every segment although malformed PDUs come between', async (t) => {
  const { connect } = await carrier(t, { profile: 'malformed', faults: { malformed: 0.3 }, receipt_delay_ms: 5 }, 3);
  const one = connect(1_000);
  await until('the bind', () => one.session.state === 'bound');
  submit(one.session, 100);
  await until('the responses and the faults', () => one.outcomes.length === 100 && one.faults() > 5);
  // Until the framing is lost: no session survives that.
  for (let i = 0; i < 400 && one.closings.length === 0; i++) {
    submit(one.session, 50);
    await sleep(5);
  }
  assert.equal(one.closings[0]?.reason, 'framing_error');
  const next = connect();
  await until('the next bind', () => next.session.state === 'bound');
});

test('flaky: the same seed gives the same faults', async (t) => {
  const faults = { dropped: 0.02 };
  const run = async () => {
    const { simulator, connect } = await carrier(t, { profile: 'flaky', faults }, 11);
    const { session, closings } = connect(1_000);
    await until('the bind', () => session.state === 'bound');
    submit(session, 400);
    await until('the fall', () => closings.length === 1);
    return simulator.log().data.map(({ outcome }) => outcome);
  };
  const first = await run();
  assert.ok(first.includes('session_dropped'));
  assert.deepEqual(await run(), first);
});
