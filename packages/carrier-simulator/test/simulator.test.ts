import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { type DeliverSm, openSession, parseReceipt, STATUS } from '@heliograph/smpp';
import { startSimulator } from '../src/index.ts';
import { link, message } from './link.ts';

test('delivers to ordinary numbers, with the id of the response in the receipt', async (t) => {
  const { session, outcomes, receipts, simulator } = await link(t);
  for (let i = 0; i < 300; i++) session.submit(message(`6391700${1000 + i}`), String(i));
  await until('receipts', () => receipts.length === 300);
  assert.ok(outcomes.every((o) => o.status === STATUS.ROK));
  assert.deepEqual(new Set(receipts.map((r) => r.id)), new Set(outcomes.map((o) => o.message_id)));
  assert.ok(receipts.every((r) => r.state === 'delivered'));
  await until('acknowledgements', () => simulator.counts().receipts_acknowledged === 300);
  assert.ok(simulator.log().data.every((s) => s.receipt === 'acknowledged' && s.text === 'hello' && s.from === 'ACME'));
});

for (const [digits, state] of [
  ['9901', 'delivered'],
  ['9902', 'expired'],
  ['9903', 'undeliverable'],
  ['9912', 'deleted'],
  ['9913', 'rejected'],
  ['9914', 'unknown'],
] as const) {
  test(`a number that ends in ${digits} is accepted and reported ${state}`, async (t) => {
    const { session, outcomes, receipts } = await link(t);
    session.submit(message(`63917000${digits}`), 'm');
    await until('the receipt', () => receipts.length === 1);
    assert.equal(outcomes[0]?.status, STATUS.ROK);
    assert.deepEqual([receipts[0]?.id, receipts[0]?.state], [outcomes[0]?.message_id, state]);
  });
}

test('…9904 is refused at submit, without id or receipt', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  session.submit(message('639170009904'), 'm');
  await until('the answer', () => outcomes.length === 1);
  await sleep(80);
  assert.deepEqual([outcomes[0]?.status, outcomes[0]?.message_id, receipts.length], [STATUS.RINVDSTADR, '', 0]);
});

test('…9905 is throttled three times and then accepted', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  for (let i = 0; i < 4; i++) session.submit(message('639170009905'), 'm');
  await until('answers', () => outcomes.length === 4 && receipts.length === 1);
  assert.deepEqual(
    outcomes.map((o) => o.status),
    [STATUS.RTHROTTLED, STATUS.RTHROTTLED, STATUS.RTHROTTLED, STATUS.ROK],
  );
});

test('…9906 is never answered, …9911 after the timer; both reach the handset', async (t) => {
  const { session, outcomes, simulator } = await link(t, { settings: { late_response_ms: 3_000 } }, undefined, 400);
  session.submit(message('639170009906'), 'silent');
  session.submit(message('639170009911'), 'late');
  await until('timer and late answer', () => outcomes.length === 3);
  assert.deepEqual(
    outcomes.map((o) => `${o.kind} ${o.context}`),
    ['uncertain silent', 'uncertain late', 'late late'],
  );
  assert.equal(simulator.messagesOf('639170009906').length, 1);
  assert.equal(simulator.messagesOf('639170009911').length, 1);
});

test('…9907 is reported late, …9908 before its response, …9909 twice, …9910 never', async (t) => {
  const { session, events, receipts, simulator } = await link(t);
  for (const digits of ['9907', '9908', '9909', '9910']) session.submit(message(`63917000${digits}`), digits);
  await until('the late receipt', () => events.some((event) => event.startsWith('receipt 639170009907')));
  await until('all receipts', () => receipts.length === 4);
  const at = (start: string): number => events.findIndex((event) => event.startsWith(start));
  assert.ok(at('receipt 639170009908') < at('answered 9908'), 'the receipt comes first');
  assert.ok(at('receipt 639170009909') < at('receipt 639170009907'), 'the late one comes after ordinary ones');
  assert.equal(events.filter((event) => event.startsWith('receipt 639170009909')).length, 2);
  assert.equal(events.filter((event) => event.startsWith('receipt 639170009910')).length, 0);
  assert.equal(simulator.counts().accepted, 4);
});

test('registered_delivery 0 asks for no receipt, 2 for those of failures only', async (t) => {
  const { session, outcomes, receipts } = await link(t);
  session.submit({ ...message('639170001000'), registered_delivery: 0 }, 'none');
  session.submit({ ...message('639170001000'), registered_delivery: 2 }, 'failures');
  session.submit({ ...message('639170009903'), registered_delivery: 2 }, 'failed');
  await until('answers', () => outcomes.length === 3 && receipts.length > 0);
  await sleep(80);
  assert.deepEqual(
    receipts.map((r) => r.state),
    ['undeliverable'],
  );
});

test('ids of response and receipt may be in different bases', async (t) => {
  const { session, outcomes, receipts } = await link(t, {
    settings: { response_id_format: 'hex', receipt_style: 'text' },
  });
  session.submit(message('639170001000'), 'm');
  await until('the receipt', () => receipts.length === 1);
  assert.equal(BigInt(`0x${outcomes[0]!.message_id}`).toString(), receipts[0]!.id);
  assert.notEqual(outcomes[0]!.message_id, receipts[0]!.id);
});

test('throttles segments above the rate of their customer', async (t) => {
  const { session, outcomes, simulator } = await link(t, { settings: { rate: 100 } });
  const began = performance.now();
  for (let i = 0; i < 500; i++) session.submit(message('639170001000'), 'm');
  await until('answers', () => outcomes.length === 500);
  const seconds = (performance.now() - began) / 1_000;
  const accepted = outcomes.filter((o) => o.status === STATUS.ROK).length;
  assert.ok(accepted >= 25 && accepted <= 26 + 100 * seconds, `${accepted} accepted in ${seconds} s`);
  assert.equal(simulator.counts().throttled, 500 - accepted);
  await sleep(300);
  session.submit(message('639170001000'), 'again');
  await until('the answer', () => outcomes.length === 501);
  assert.equal(outcomes[500]?.status, STATUS.ROK);
});

test('sends a receipt again until the customer takes it', async (t) => {
  let refusals = 2;
  const { session, receipts, simulator } = await link(t, {}, () => (refusals-- > 0 ? STATUS.RX_T_APPN : STATUS.ROK));
  session.submit(message('639170001000'), 'm');
  await until('two more tries', () => receipts.length === 3);
  await until('the acknowledgement', () => simulator.counts().receipts_acknowledged === 1);
});

test('receipts for a disconnected customer wait until it binds again', async (t) => {
  // A receipt that arrives before the customer disconnects is refused.
  const { session, outcomes, simulator } = await link(
    t,
    { settings: { receipt_delay_ms: 1_000 } },
    () => STATUS.RX_T_APPN,
  );
  session.submit(message('639170001000'), 'm');
  await until('the answer', () => outcomes.length === 1);
  session.destroy();
  await sleep(1_100);
  const ids: string[] = [];
  const bind = { mode: 'receiver' as const, system_id: 'esme', password: '' };
  const back = openSession<string>(
    { host: '127.0.0.1', port: simulator.smppPort, bind },
    {
      onRequests: (requests, self) => {
        for (const request of requests as DeliverSm[]) {
          ids.push(parseReceipt(request)!.id);
          self.respond(request, STATUS.ROK);
        }
      },
    },
  );
  t.after(() => back.destroy());
  await until('the receipt', () => ids.length === 1);
  assert.equal(ids[0], simulator.log().data[0]?.id);
});

test('checks the password of a bind if accounts are set', async (t) => {
  const simulator = await startSimulator({ smppPort: 0, httpPort: null, settings: { accounts: { esme: 'right' } } });
  t.after(() => simulator.stop());
  const bind = (system_id: string, password: string): Promise<number | undefined> =>
    new Promise((resolve) => {
      const session = openSession<string>(
        { host: '127.0.0.1', port: simulator.smppPort, bind: { mode: 'transceiver', system_id, password } },
        {
          onBound: () => {
            resolve(0);
            session.destroy();
          },
          onClose: (closing) => resolve(closing.status),
        },
      );
    });
  assert.equal(await bind('esme', 'right'), 0);
  assert.equal(await bind('esme', 'wrong'), STATUS.RINVPASWD);
  assert.equal(await bind('constructor', 'x'), STATUS.RINVSYSID);
});
