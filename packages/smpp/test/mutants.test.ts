import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom, seedOf, until } from '@heliograph/fault-kit';
import { type Closing, encodePdu, FrameReader, openSession, parseReceipt, STATUS, startServer } from '../src/index.ts';
import { mutants, wantsAnswer } from './mutants.ts';

// Number of mutants; `npm run soak` asks for more.
const COUNT = Number(process.env.FAULT_MUTANTS || 100_000);
const seed = seedOf('FAULT_SEED');
const BATCH = 500;
const MEGABYTE = 2 ** 20;
const MOST_GROWTH = 50 * MEGABYTE;
const LAST = 0x7ffffffe;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function residentAfterCollection(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage.rss();
}

/** Counts the answers, and notes the answer to the last enquire_link. */
function answers(socket: Socket): { count: number; last: boolean } {
  const seen = { count: 0, last: false };
  const reader = new FrameReader((b, at) => {
    seen.count++;
    seen.last ||= b.readUInt32BE(at + 4) === 0x80000015 && b.readUInt32BE(at + 12) === LAST;
  });
  socket.on('data', (chunk: Buffer) => reader.push(chunk));
  return seen;
}

/** Sends mutants in batches, each read before the next; answers the number of answers they ask for. */
async function bombard(socket: Socket, closed: () => boolean): Promise<{ expected: number; growth: number }> {
  const source = mutants(seededRandom(seed), seed);
  let expected = 0;
  let base = 0;
  for (let sent = 0; sent < COUNT && !closed(); ) {
    const batch: Buffer[] = [];
    for (; batch.length < BATCH && sent < COUNT; sent++) {
      const mutant = source.next().value as Buffer;
      if (wantsAnswer(mutant)) expected++;
      batch.push(mutant);
    }
    if (!socket.write(Buffer.concat(batch))) await new Promise((resolve) => socket.once('drain', resolve));
    // The first fifth allocates what the work needs; only growth after it counts.
    if (base === 0 && sent >= COUNT / 5) base = residentAfterCollection();
  }
  socket.write(encodePdu({ command: 'enquire_link', sequence: LAST }));
  return { expected, growth: residentAfterCollection() - base };
}

test(`as SMSC: answers the requests among ${COUNT} mutated PDUs (FAULT_SEED=${seed})`, async (t) => {
  const closings: Closing[] = [];
  let faults = 0;
  const server = await startServer<unknown>(
    { port: 0 },
    {
      onBind: (_bind, session) => session.acceptBind('smsc'),
      onRequests: (requests, session) => {
        for (const request of requests) session.respond(request, STATUS.ROK, 'x');
      },
      onFault: () => faults++,
      onClose: (closing) => closings.push(closing),
    },
  );
  const socket = connect(server.port, '127.0.0.1');
  t.after(async () => {
    socket.destroy();
    await server.stop();
  });
  const seen = answers(socket);
  socket.write(encodePdu({ command: 'bind_transceiver', sequence: 1, system_id: 'x' }));
  const { expected, growth } = await bombard(socket, () => closings.length > 0);
  await until('the last answer', () => seen.last || closings.length > 0);
  await until('all answers', () => seen.count === expected + 2 || closings.length > 0);
  assert.deepEqual(closings, []);
  assert.ok(faults > COUNT / 20, `${faults} were at fault`);
  assert.ok(growth < MOST_GROWTH, `memory grew by ${Math.round(growth / MEGABYTE)} MB`);
});

test(`as ESME: survives ${COUNT} mutated PDUs (FAULT_SEED=${seed})`, async (t) => {
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
    { host: '127.0.0.1', port, bind: { mode: 'transceiver', system_id: 'x', password: '' } },
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
  await until('the bind', () => session.state === 'bound');
  const socket = peers[0]!;
  const seen = answers(socket);
  const { expected, growth } = await bombard(socket, () => closings.length > 0);
  await until('the last answer', () => seen.last || closings.length > 0);
  await until('all answers', () => seen.count === expected + 1 || closings.length > 0);
  assert.deepEqual(closings, []);
  assert.ok(growth < MOST_GROWTH, `memory grew by ${Math.round(growth / MEGABYTE)} MB`);
});
