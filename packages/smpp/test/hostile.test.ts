import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Closing,
  decodePdu,
  encodePdu,
  FrameReader,
  type Pdu,
  SocketLimits,
  STATUS,
  startServer,
} from '../src/index.ts';

/** Reads all PDUs of a socket. */
function collect(socket: Socket): Pdu[] {
  const pdus: Pdu[] = [];
  const reader = new FrameReader((b, at, length) => pdus.push(decodePdu(b.subarray(at, at + length))));
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  return pdus;
}

test('answers an unknown command and a lost framing with generic_nack', async (t) => {
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
    { port: 0, bindMs: 60_000, responseMs: 150, limits: new SocketLimits(1_000, 2) },
    { onBind: (_bind, session) => session.acceptBind('s'), onClose: (closing) => closings.push(closing) },
  );
  t.after(() => server.stop());
  const slow = connect(server.port, '127.0.0.1');
  const idle = connect(server.port, '127.0.0.1');
  await Promise.all([slow, idle].map((socket) => once(socket, 'connect')));
  const third = connect(server.port, '127.0.0.1');
  third.on('error', () => {});
  await new Promise((resolve) => third.once('close', resolve));
  slow.on('error', () => {});
  slow.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x' }));
  const dribble = encodePdu({ command: 'submit_sm', sequence: 2, short_message: Buffer.alloc(200) });
  // The last octet is never sent, however long the machine takes to give the connection up.
  for (let i = 0; i < 6_000 && closings.length === 0; i++) {
    if (i < dribble.length - 1) slow.write(dribble.subarray(i, i + 1));
    await sleep(10);
  }
  assert.equal(closings[0]?.reason, 'framing_error');
  slow.destroy();
  idle.destroy();
});

test('a program that reads no answers costs a bounded amount of memory and is closed', async (t) => {
  let requests = 0;
  const closings: Closing[] = [];
  const server = await startServer<unknown>(
    { port: 0, responseMs: 2_000, enquireLinkMs: 0 },
    {
      onBind: (_bind, session) => session.acceptBind('smsc'),
      onRequests: (batch, session) => {
        requests += batch.length;
        for (const request of batch) session.respond(request, STATUS.ROK, 'x'.repeat(60));
      },
      onClose: (closing) => closings.push(closing),
    },
  );
  const socket = connect(server.port, '127.0.0.1');
  t.after(async () => {
    socket.destroy();
    await server.stop();
  });
  socket.on('error', () => undefined);
  socket.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x', password: '' }));
  await once(socket, 'data');
  socket.pause();
  const before = process.memoryUsage().arrayBuffers;
  const flood = Buffer.concat(
    Array.from({ length: 20 }, (_, i) => encodePdu({ command: 'submit_sm', sequence: i + 2, destination_addr: '1' })),
  );
  let most = 0;
  while (closings.length === 0) {
    // This side's own write buffer stays small, too.
    if (socket.writableLength < 100_000 && !socket.destroyed) socket.write(flood);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(closings[0]!.reason, 'peer_not_reading');
  assert.ok(most < 32 * 1_048_576, `${most} octets at most, for ${requests} requests`);
  assert.ok(requests < 200_000, `${requests} requests were read`);
});
