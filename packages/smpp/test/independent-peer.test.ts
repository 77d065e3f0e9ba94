import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import smpp, { type PeerPdu, type PeerSession } from 'smpp';
import {
  buildReceipt,
  Connection,
  concatenationUdh,
  type DeliverSm,
  decodeShortMessage,
  encodeShortMessage,
  type Outcome,
  parseReceipt,
  type Receipt,
  type Session,
  STATUS,
  type SubmitSm,
  splitUdh,
  startServer,
} from '../src/index.ts';

const TEXT = '@£$¥_^{}\\[~]|€ hello';

test('works as ESME with the npm smpp library as SMSC', async (t) => {
  const got: PeerPdu[] = [];
  const peers: PeerSession[] = [];
  const smsc = smpp.createServer((session) => {
    peers.push(session);
    session.on('error', () => {});
    session.on('bind_transceiver', (pdu: PeerPdu) => session.send(pdu.response({ system_id: 'npm' })));
    session.on('enquire_link', (pdu: PeerPdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: PeerPdu) => session.send(pdu.response()));
    session.on('submit_sm', (pdu: PeerPdu) => {
      got.push(pdu);
      session.send(pdu.response({ message_id: `id${got.length}` }));
      session.deliver_sm(
        {
          source_addr: pdu.destination_addr,
          destination_addr: pdu.source_addr,
          esm_class: 4,
          receipted_message_id: `id${got.length}`,
          message_state: 2,
          short_message: `id:id${got.length} sub:001 dlvrd:001 submit date:2601021503 done date:2601021504 stat:DELIVRD err:000 text:`,
        },
        () => {},
      );
    });
  });
  await new Promise<void>((resolve) => smsc.listen(0, '127.0.0.1', () => resolve()));
  const { port } = smsc.address() as { port: number };
  const outcomes: Outcome<number>[] = [];
  const receipts: Receipt[] = [];
  const replies: string[] = [];
  const connection = new Connection<number>(
    { host: '127.0.0.1', port, bind: { mode: 'transceiver', system_id: 'esme', password: 'secret' } },
    {
      onResponses: (batch) => outcomes.push(...batch),
      onRequests: (requests, session) => {
        for (const request of requests as DeliverSm[]) {
          const receipt = parseReceipt(request);
          if (receipt) receipts.push(receipt);
          else replies.push(decodeShortMessage(request.short_message, request.data_coding));
          session.respond(request, STATUS.ROK);
        }
      },
    },
  );
  t.after(() => {
    smsc.close();
    for (const peer of peers) peer.destroy();
  });
  connection.start();
  await until('the bind', () => connection.session !== undefined);
  const session = connection.session as Session<number>;
  assert.equal(session.systemId, 'npm');
  const from = {
    source_addr: 'ACME',
    source_addr_ton: 5,
    dest_addr_ton: 1,
    dest_addr_npi: 1,
    destination_addr: '639171234567',
  };
  session.submit({ ...from, short_message: encodeShortMessage(TEXT, 'gsm') }, 1);
  session.submit({ ...from, data_coding: 8, short_message: encodeShortMessage('ж😀', 'ucs2') }, 2);
  const udh = concatenationUdh({ ref: 9, total: 2, number: 1 });
  session.submit({ ...from, esm_class: 0x40, short_message: encodeShortMessage('part one', 'gsm', udh) }, 3);
  await until('answers and receipts', () => outcomes.length === 3 && receipts.length === 3);
  assert.deepEqual(
    got.map((pdu) => String(pdu.short_message.message)),
    [TEXT, 'ж😀', 'part one'],
  );
  assert.deepEqual([...got[2]!.short_message.udh![0]!], [0, 3, 9, 2, 1]);
  assert.deepEqual(
    outcomes.map((o) => [o.context, o.message_id]),
    [
      [1, 'id1'],
      [2, 'id2'],
      [3, 'id3'],
    ],
  );
  assert.deepEqual(
    receipts.map((r) => [r.id, r.state]),
    [
      ['id1', 'delivered'],
      ['id2', 'delivered'],
      ['id3', 'delivered'],
    ],
  );
  let answered = -1;
  peers[0]!.deliver_sm(
    { source_addr: '639171234567', destination_addr: '2345', data_coding: 0, short_message: TEXT },
    (pdu) => {
      answered = pdu.command_status;
    },
  );
  await until('the reply to be acknowledged', () => answered === 0);
  assert.deepEqual(replies, [TEXT]);
  await connection.stop();
});

test('works as SMSC with the npm smpp library as ESME', async (t) => {
  const got: SubmitSm[] = [];
  const server = await startServer<string>(
    { port: 0 },
    {
      onBind: (bind, session) =>
        bind.password === 'secret' ? session.acceptBind('helio') : session.refuseBind(STATUS.RINVPASWD),
      onRequests: (requests, session) => {
        for (const request of requests) {
          if (request.command === 'query_sm') {
            const { sequence, message_id } = request;
            session.respondWith({ command: 'query_sm_resp', sequence, message_id, message_state: 2 });
          }
          if (request.command !== 'submit_sm') continue;
          got.push(request);
          session.respond(request, STATUS.ROK, `h${got.length}`);
          const times = { submitted: Date.now(), done: Date.now() };
          session.deliver(
            {
              source_addr: request.destination_addr,
              ...buildReceipt({ id: `h${got.length}`, state: 'delivered', ...times }),
            },
            'r',
          );
        }
      },
    },
  );
  t.after(() => server.stop());
  const peer = smpp.connect({ host: '127.0.0.1', port: server.port });
  peer.on('error', () => {});
  const bound = await new Promise<PeerPdu>((resolve) =>
    peer.bind_transceiver({ system_id: 'npm', password: 'secret' }, resolve),
  );
  assert.deepEqual([bound.command_status, bound.system_id], [0, 'helio']);
  const receipts: PeerPdu[] = [];
  peer.on('deliver_sm', (pdu: PeerPdu) => {
    receipts.push(pdu);
    peer.send(pdu.response());
  });
  const submit = (fields: Record<string, unknown>): Promise<PeerPdu> =>
    new Promise((resolve) => peer.submit_sm(fields, resolve));
  const first = await submit({ source_addr: 'A', destination_addr: '639', data_coding: 0, short_message: TEXT });
  const second = await submit({
    destination_addr: '639',
    esm_class: 0x40,
    short_message: { udh: Buffer.from([5, 0, 3, 7, 2, 2]), message: 'ж' },
  });
  assert.deepEqual([first.message_id, second.message_id], ['h1', 'h2']);
  const texts = got.map((pdu) => decodeShortMessage(splitUdh(pdu.short_message, pdu.esm_class).body, pdu.data_coding));
  assert.deepEqual(texts, [TEXT, 'ж']);
  await until('receipts', () => receipts.length === 2);
  assert.deepEqual(
    receipts.map((pdu) => [pdu.receipted_message_id, pdu.message_state]),
    [
      ['h1', 2],
      ['h2', 2],
    ],
  );
  assert.match(
    String(receipts[0]!.short_message.message),
    /^id:h1 sub:001 dlvrd:001 submit date:\d{10} done date:\d{10} stat:DELIVRD/,
  );
  const query = await new Promise<PeerPdu>((resolve) => peer.query_sm({ message_id: 'h1' }, resolve));
  assert.equal(query.message_state, 2);
  await new Promise<PeerPdu>((resolve) => peer.enquire_link({}, resolve));
  await new Promise<PeerPdu>((resolve) => peer.unbind({}, resolve));
  await until('the unbind', () => server.sessions.size === 0);
});
