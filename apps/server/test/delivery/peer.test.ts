import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp, { type PeerPdu } from 'smpp';
import { listenOn } from '../own-port.ts';
import { numbers, stage, until } from './stage.ts';

test("another vendor's SMSC reads our messages, and its hexadecimal receipts match", async (t) => {
  const s = await stage(t);
  const seen: PeerPdu[] = [];
  const answers: unknown[] = [];
  let id = 0xabcde0;
  const server = smpp.createServer((session) => {
    session.on('bind_transceiver', (pdu) => session.send(pdu.response()));
    session.on('unbind', (pdu) => session.send(pdu.response()));
    session.on('enquire_link', (pdu) => session.send(pdu.response()));
    session.on('submit_sm', (pdu) => {
      seen.push(pdu);
      const number = id++;
      const receipt = `id:00${number.toString(16).toUpperCase()} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:`;
      const send = () => {
        session.deliver_sm({ esm_class: 4, short_message: receipt }, (answer) => answers.push(answer.command_status));
      };
      // The receipt comes first for every second segment.
      if (number % 2 === 0) send();
      session.send(pdu.response({ message_id: String(number) }));
      if (number % 2 === 1) send();
    });
  });
  s.closing.push(async () => server.close());
  await s.addLink({ port: await listenOn(server), id_rule: 'hex_to_decimal' });
  await s.sender();
  const campaign = await s.campaign([
    ...numbers(10),
    { msisdn: '639170000101', text: `${'€'.repeat(100)}end`, parts: 2 },
    { msisdn: '639170000102', text: 'Здравствуйте', unicode: true },
  ]);
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 12);
  // A receipt is answered after it is stored, so its answer arrives a moment after its effect.
  await until('every receipt is answered', async () => answers.length === 13);
  assert.ok(answers.every((status) => status === 0));
  assert.equal(seen.length, 13);
  for (const pdu of seen) {
    assert.equal(pdu.source_addr, 'Acme');
    assert.deepEqual([pdu.source_addr_ton, pdu.source_addr_npi], [5, 0]);
    assert.deepEqual([pdu.dest_addr_ton, pdu.dest_addr_npi], [1, 1]);
    assert.equal(pdu.registered_delivery, 1);
  }
  const long = seen.filter((pdu) => pdu.destination_addr === '639170000101');
  assert.equal(long.length, 2);
  assert.deepEqual(
    long.map((pdu) => pdu.short_message.udh?.[0]?.subarray(3).toJSON().data),
    [
      [2, 1],
      [2, 2],
    ],
  );
});
