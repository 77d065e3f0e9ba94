import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp from 'smpp';
import { type Stage, stage, until } from '../delivery/stage.ts';
import { listenOn } from '../own-port.ts';

/** Starts an SMSC from another library. `write` returns the fields of a receipt's deliver_sm for an id and a number. */
async function peer(s: Stage, write: (id: string, to: string) => Record<string, unknown>): Promise<number> {
  let id = 70_000;
  const server = smpp.createServer((session) => {
    for (const command of ['bind_transceiver', 'unbind', 'enquire_link'])
      session.on(command, (pdu) => session.send(pdu.response()));
    session.on('error', () => undefined);
    session.on('submit_sm', (pdu) => {
      const message_id = String(id++);
      session.send(pdu.response({ message_id }));
      session.deliver_sm(write(message_id, pdu.destination_addr), () => undefined);
    });
  });
  s.closing.push(async () => server.close());
  return listenOn(server);
}

const text = (id: string, stat: string, err = '000') =>
  `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:${stat} err:${err} text:`;

test('unmarked receipts are recognized by their text only if the link says so', async (t) => {
  const s = await stage(t);
  const port = await peer(s, (id, to) => ({ source_addr: to, short_message: text(id, 'DELIVRD') }));
  const sniffing = await s.addLink({ port, name: 'Sniffing' });
  const strict = await s.addLink({ port, name: 'Strict', sniff_receipts: false, system_id: 'strict' });
  await s.sender();
  await until('both are up', async () => {
    const { up } = await s.one<{ up: number }>(`SELECT count(*)::integer AS up FROM link_health WHERE state = 'up'`);
    return up === 2;
  });
  const known = await s.campaign([{}], { shared: { link_id: sniffing } });
  const unknown = await s.campaign([{}], { shared: { link_id: strict } });
  await until('one is delivered', async () => (await s.counters(known.id))['delivered'] === 1);
  await until('the other came as a message', async () => {
    const { messages } = await s.one<{ messages: number }>(
      'SELECT count(*)::integer AS messages FROM inbound_message WHERE link_id = $1',
      [strict],
    );
    return messages === 1;
  });
  assert.equal((await s.counters(unknown.id))['delivered'], 0);
});

test('receipt words and error codes of a carrier mean what the link’s table says', async (t) => {
  const s = await stage(t);
  const reports: Record<string, [stat: string, err: string]> = {
    '639170000001': ['ATHANDSET', '000'],
    '639170000002': ['UNDELIV', '027'],
    '639170000003': ['athandset', '0'],
    '639170000004': ['UNDELIV', '028'],
  };
  const port = await peer(s, (id, to) => ({ esm_class: 4, source_addr: to, short_message: text(id, ...reports[to]!) }));
  await s.addLink({ port, receipt_words: ['ATHANDSET=delivered', 'err:027=expired'] });
  await s.sender();
  const campaign = await s.campaign(Object.keys(reports).map((msisdn) => ({ msisdn })));
  await until('all have ended', async () => {
    const { delivered, expired, failed } = await s.counters(campaign.id);
    return delivered! + expired! + failed! === 4;
  });
  const { delivered, expired, failed } = await s.counters(campaign.id);
  assert.deepEqual({ delivered, expired, failed }, { delivered: 2, expired: 1, failed: 1 });
});

test('a long text in one PDU is charged by its parts and ends with one receipt', async (t) => {
  const s = await stage(t);
  const carrier = await s.simulator();
  await s.addLink({ port: carrier.smppPort, long_messages: 'payload' });
  const first = await s.sender();
  const long = { text: 'B'.repeat(400), parts: 3 };
  const campaign = await s.campaign([
    { msisdn: '639170000001', ...long },
    { msisdn: '639170009904', ...long }, // refused
    { msisdn: '639170009905', ...long }, // throttled, then taken
    { msisdn: '639170009903', ...long }, // undeliverable
  ]);
  await until('all have ended', async () => {
    const { delivered, failed } = await s.counters(campaign.id);
    return delivered === 2 && failed === 2;
  });
  const charged = async () =>
    (
      await s.one<{ charged: number }>(
        `SELECT coalesce(sum(abs(amount)), 0)::bigint AS charged FROM ledger_transfer WHERE kind = 'charge'`,
      )
    ).charged;
  assert.equal(await charged(), 3 * 3 * 350);
  assert.equal((await s.account()).reserved, 0);
  assert.equal(carrier.counts().accepted, 3, 'one PDU a message');

  // After a restart only the database knows the message of this receipt.
  carrier.configure({ receipt_delay_ms: 3_000 });
  const later = await s.campaign([{ msisdn: '639170000002', ...long }]);
  await until('it is submitted', async () => (await s.counters(later.id))['submitted'] === 1);
  await first.stop();
  await s.sender();
  await until('it is delivered', async () => (await s.counters(later.id))['delivered'] === 1);
  assert.equal(await charged(), 4 * 3 * 350);
});
