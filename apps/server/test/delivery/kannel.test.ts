import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Simulator, startSimulator } from '@heliograph/carrier-simulator';
import { withoutKannel as skip, startGateway } from './kannel-gateway.ts';
import { stage, until } from './stage.ts';

// Kannel from Debian connects to our SMPP server. It plays only the ESME. Its own test carriers cannot play an SMSC for
// us: drive_smpp speaks a fixed script without message ids, and fakesmsc no SMPP at all. An SMSC by other authors is
// played by the npm library elsewhere.

const PASSWORD = 'peer';
const SPECIAL = '@£$¥_^{}\\[~]|€';

/** Starts Kannel and waits until it is bound to the simulator. */
async function gateway(t: TestContext, simulator: Simulator) {
  const kannel = await startGateway(t, simulator.smppPort, PASSWORD);
  await until('Kannel is bound', () => simulator.counts().binds > 0);
  return kannel;
}

test('messages that Kannel sends in GSM, UCS-2 and several parts arrive as written', {
  skip,
}, async (t) => {
  const simulator = await startSimulator({
    smppPort: 0,
    httpPort: null,
    settings: { receipt_delay_ms: 50, accounts: { kannel: PASSWORD } },
  });
  t.after(() => simulator.stop());
  const { calls, send } = await gateway(t, simulator);
  const texts = new Map<string, { text: string; coding: 0 | 2 }>([
    ['639170000001', { text: SPECIAL, coding: 0 }],
    ['639170000002', { text: 'Здравствуйте, 世界 😀', coding: 2 }],
    ['639170000003', { text: `${SPECIAL} `.repeat(20).trim(), coding: 0 }],
    ['639170000004', { text: 'Ваш заказ уже в пути. '.repeat(8).trim(), coding: 2 }],
    ['639170009903', { text: 'to a phone that is gone', coding: 0 }],
  ]);
  for (const [to, { text, coding }] of texts) await send({ to, text, coding, id: to });
  await until('each message is finally receipted', () => {
    const ids = new Set(calls.receipts.map(({ id }) => id));
    return ids.size === texts.size;
  });
  // For a message in several parts, Kannel reports with the first part.
  await until('every part has come', () =>
    [...texts.keys()].every((to) => simulator.messagesOf(to).every(({ parts }) => parts.received === parts.total)),
  );
  for (const [to, { text }] of texts) {
    const messages = simulator.messagesOf(to);
    assert.deepEqual(
      messages.map((message) => message.text),
      [text],
    );
  }
  const types = new Map(calls.receipts.map(({ id, type }) => [id, type]));
  assert.deepEqual(
    [...texts.keys()].map((to) => types.get(to)),
    [1, 1, 1, 1, 2],
  );
  await until('Kannel has taken every receipt', () => {
    const { receipts_sent, receipts_acknowledged } = simulator.counts();
    return receipts_acknowledged === receipts_sent;
  });

  simulator.sendFromHandset({ from: '639170000005', to: '2345', text: SPECIAL });
  simulator.sendFromHandset({ from: '639170000006', to: '2345', text: 'Привет, 世界' });
  simulator.sendFromHandset({ from: '639170000007', to: '2345', text: `${SPECIAL} `.repeat(20).trim() });
  await until('all replies have come', () => calls.inbound.length === 3);
  const replies = new Map(calls.inbound.map(({ from, text }) => [from.replace('+', ''), text]));
  assert.equal(replies.get('639170000005'), SPECIAL);
  assert.equal(replies.get('639170000006'), 'Привет, 世界');
  assert.equal(replies.get('639170000007'), `${SPECIAL} `.repeat(20).trim());
});

test('a receipt before its response is stored, whatever Kannel does with it', { skip }, async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  const { calls, send } = await gateway(t, simulator);
  await s.addLink({ port: simulator.smppPort });
  await s.sender();
  // The last four digits ask the carrier for a receipt 200 ms ahead of the response.
  const early = Array.from({ length: 5 }, (_, i) => `6391700${i}9908`);
  for (const to of early) await send({ to, text: 'early', coding: 0, id: to });
  const campaign = await s.campaign(early.map((msisdn) => ({ msisdn })));
  await until('ours are delivered', async () => (await s.counters(campaign.id)).delivered === early.length);
  await until('Kannel has acknowledged its own', () => simulator.counts().receipts_acknowledged === early.length * 2);
  assert.deepEqual(await s.states(), { delivered: early.length });
  t.diagnostic(`of ${early.length} such receipts Kannel handed on ${calls.receipts.length}, we ${early.length}`);
});
