import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import {
  type Closing,
  COMMAND_ID,
  decodePdu,
  encodePdu,
  FrameReader,
  openSession,
  type Pdu,
  type PduFields,
  type ProtocolFault,
  parseReceipt,
  STATUS,
  startServer,
} from '../src/index.ts';
import { anyPdu } from './pdu-arbitrary.ts';

const RUNS = 20_000;
const SEED = Number(process.env.SMPP_SEED ?? 26);

/** Valid PDUs with octets flipped, cut, or grown, their command_length made right again so that framing holds. */
function mutants(count: number): Buffer[] {
  const plan = fc.tuple(
    anyPdu,
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    fc.integer({ min: -20, max: 20 }),
  );
  return fc.sample(plan, { numRuns: count, seed: SEED }).map(([pdu, edits, growth]) => {
    const valid = encodePdu(pdu as PduFields);
    const bytes = Buffer.alloc(Math.max(16, valid.length + growth), 0x41);
    valid.copy(bytes);
    for (const [at, value] of edits) bytes[4 + (at % (bytes.length - 4))] = value;
    bytes.writeUInt32BE(bytes.length, 0);
    return bytes;
  });
}

const isUnbind = (bytes: Buffer): boolean => (bytes.readUInt32BE(4) & 0x7fffffff) === COMMAND_ID.unbind;

/** Reads all PDUs of a socket. */
function collect(socket: Socket): Pdu[] {
  const pdus: Pdu[] = [];
  const reader = new FrameReader((b, at, length) => pdus.push(decodePdu(b.subarray(at, at + length))));
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  return pdus;
}

const isRequest = (bytes: Buffer): boolean => bytes.readUInt32BE(4) < 0x80000000;
/** The answer to the enquire_link that follows all mutants; answers of the application may come after it. */
const isLast = (pdu: Pdu): boolean => pdu.command === 'enquire_link_resp' && pdu.sequence === 0x7ffffffe;
const NO_ANSWER: number[] = [COMMAND_ID.alert_notification, COMMAND_ID.outbind];

test(`as SMSC: ${RUNS} mutated PDUs leave the session alive and every request answered (seed ${SEED})`, async (t) => {
  const faults: ProtocolFault[] = [];
  const closings: Closing[] = [];
  const server = await startServer<unknown>(
    { port: 0, maxUnanswered: 1_000_000 },
    {
      onBind: (_bind, session) => session.acceptBind('smsc'),
      onRequests: (requests, session) => {
        for (const request of requests) session.respond(request, STATUS.ROK, 'x');
      },
      onFault: (fault) => faults.push(fault),
      onClose: (closing) => closings.push(closing),
    },
  );
  const socket = connect(server.port, '127.0.0.1');
  t.after(async () => {
    socket.destroy();
    await server.stop();
  });
  const answers = collect(socket);
  socket.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x' }));
  const sent = mutants(RUNS).filter((bytes) => !isUnbind(bytes));
  let expected = 1;
  for (const bytes of sent) {
    if (isRequest(bytes) && !NO_ANSWER.includes(bytes.readUInt32BE(4))) expected++;
    if (!socket.write(bytes)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  socket.write(encodePdu({ command: 'enquire_link', sequence: 0x7ffffffe }));
  for (let i = 0; i < 500 && !answers.some(isLast); i++) await sleep(10);
  await sleep(20);
  assert.deepEqual(closings, []);
  assert.ok(answers.some(isLast), 'the session still answers');
  assert.equal(answers.length, expected + 1);
  assert.ok(faults.length > 1_000, `${faults.length} faults`);
});

test(`as ESME: ${RUNS} mutated PDUs leave the session alive`, async (t) => {
  const peers: Socket[] = [];
  const smsc = createServer((socket) => {
    peers.push(socket);
    socket.once('data', (chunk: Buffer) => {
      socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence: chunk.readUInt32BE(12) }));
    });
  });
  await new Promise<void>((resolve) => smsc.listen(0, '127.0.0.1', resolve));
  const closings: Closing[] = [];
  const { port } = smsc.address() as { port: number };
  const session = openSession<number>(
    { host: '127.0.0.1', port, bind: { mode: 'transceiver', system_id: 'x', password: '' }, maxUnanswered: 1_000_000 },
    {
      onRequests: (requests, self) => {
        for (const request of requests) {
          if (request.command === 'deliver_sm' || request.command === 'data_sm') parseReceipt(request, true);
          self.respond(request, STATUS.ROK);
        }
      },
      onClose: (closing) => closings.push(closing),
    },
  );
  t.after(() => {
    session.destroy();
    for (const socket of peers) socket.destroy();
    smsc.close();
  });
  for (let i = 0; i < 200 && session.state !== 'bound'; i++) await sleep(5);
  const socket = peers[0]!;
  const answers = collect(socket);
  for (const bytes of mutants(RUNS)) {
    if (!isUnbind(bytes) && !socket.write(bytes)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  socket.write(encodePdu({ command: 'enquire_link', sequence: 0x7ffffffe }));
  for (let i = 0; i < 500 && !answers.some(isLast); i++) await sleep(10);
  await sleep(20);
  assert.deepEqual(closings, []);
  assert.ok(answers.some(isLast), 'the session still answers');
});

test('an unknown command gets generic_nack RINVCMDID, a lost framing RINVCMDLEN and the end', async (t) => {
  const closings: Closing[] = [];
  const server = await startServer<unknown>({ port: 0 }, { onClose: (closing) => closings.push(closing) });
  t.after(() => server.stop());
  const socket = connect(server.port, '127.0.0.1');
  const answers = collect(socket);
  const ended = new Promise((resolve) => socket.once('close', resolve));
  const unknown = encodePdu({ command: 'enquire_link', sequence: 9 });
  unknown.writeUInt32BE(0x00010203, 4);
  socket.write(unknown);
  socket.write('GET / HTTP/1.1\r\nHost: smsc\r\n\r\n');
  await ended;
  assert.deepEqual(
    answers.map((pdu) => [pdu.command, pdu.status, pdu.sequence]),
    [
      ['generic_nack', STATUS.RINVCMDID, 9],
      ['generic_nack', STATUS.RINVCMDLEN, 0],
    ],
  );
  assert.deepEqual(
    closings.map((closing) => closing.reason),
    ['framing_error'],
  );
});

test('a PDU that never ends is given up, and connections over the limit are closed', async (t) => {
  const closings: Closing[] = [];
  const server = await startServer<unknown>(
    { port: 0, bindMs: 1_000, responseMs: 150, maxPerAddress: 2 },
    { onBind: (_bind, session) => session.acceptBind('s'), onClose: (closing) => closings.push(closing) },
  );
  t.after(() => server.stop());
  const slow = connect(server.port, '127.0.0.1');
  const idle = connect(server.port, '127.0.0.1');
  await sleep(50);
  const third = connect(server.port, '127.0.0.1');
  third.on('error', () => {});
  await new Promise((resolve) => third.once('close', resolve));
  slow.on('error', () => {});
  slow.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x' }));
  const dribble = encodePdu({ command: 'submit_sm', sequence: 2, short_message: Buffer.alloc(200) });
  for (let i = 0; i < 100 && closings.length === 0; i++) {
    slow.write(dribble.subarray(i, i + 1));
    await sleep(10);
  }
  assert.equal(closings[0]?.reason, 'framing_error');
  slow.destroy();
  idle.destroy();
});
