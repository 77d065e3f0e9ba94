import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { CopyRows, copyIn } from '../apps/server/src/platform/driver/copy-rows.ts';
import {
  buildReceipt,
  COMMAND_ID,
  decodeAt,
  encodeMessage,
  encodeMessageResp,
  PduWriter,
} from '../packages/smpp/src/index.ts';
import { cpuSeconds } from './harness/child.ts';
import { inHouse, ownSession } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { type Figure, report } from './harness/report.ts';
import { SAMPLE_SUBMIT } from './harness/sample-submit.ts';

// Measures what no gateway on this machine can pass: each part of a message's way alone, with nothing of the product
// around it. Figures are messages a second, so that they stand beside those of the pipeline.

const ID = '1763735000000001';
const RECEIPT = { ...SAMPLE_SUBMIT, ...buildReceipt({ id: ID, state: 'delivered', submitted: 0, done: 0 }) };
const LIMIT_SECONDS = 5;
const ROWS_A_COPY = 10_000;
const MESSAGES_A_COMMIT = 4_000;

/** Writes the four PDUs of a message: submit, its response, receipt, its response; returns where each ends. */
function writeMessage(writer: PduWriter, sequence: number): [number, number, number, number] {
  encodeMessage(writer, COMMAND_ID.submit_sm, sequence, SAMPLE_SUBMIT);
  const submit = writer.length;
  encodeMessageResp(writer, COMMAND_ID.submit_sm_resp, sequence, 0, ID);
  const response = writer.length;
  encodeMessage(writer, COMMAND_ID.deliver_sm, sequence, RECEIPT);
  const receipt = writer.length;
  encodeMessageResp(writer, COMMAND_ID.deliver_sm_resp, sequence, 0, '');
  return [submit, response, receipt, writer.length];
}

/** Encodes what we write and decodes what we read, in one thread; messages a processor second, best of five rounds. */
function codec(): number {
  const carriers = new PduWriter();
  const [submit, response, receipt] = writeMessage(carriers, 1);
  const writer = new PduWriter();
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const [count, began] = [200_000, cpuSeconds()];
    for (let i = 1; i <= count; i++) {
      if (writer.length > 60_000) writer.length = 0;
      encodeMessage(writer, COMMAND_ID.submit_sm, i, SAMPLE_SUBMIT);
      decodeAt(carriers.buffer, submit, response - submit);
      decodeAt(carriers.buffer, response, receipt - response);
      encodeMessageResp(writer, COMMAND_ID.deliver_sm_resp, i, 0, '');
    }
    best = Math.max(best, count / (cpuSeconds() - began));
  }
  return best;
}

const PIECE = 64 * 1_024;

/** Writes `octets` octets to a socket as fast as it takes them. */
async function flood(socket: Socket, octets: number): Promise<void> {
  const piece = Buffer.alloc(PIECE);
  for (let left = octets; left > 0; left -= piece.length) {
    if (!socket.write(left < PIECE ? piece.subarray(0, left) : piece)) await once(socket, 'drain');
  }
}

/** Resolves when a socket has given `octets` octets. */
const drained = (socket: Socket, octets: number) =>
  new Promise<void>((resolve) => {
    let seen = 0;
    socket.on('data', (data) => {
      seen += data.length;
      if (seen >= octets) resolve();
    });
  });

/** Octets of one message in each direction, as seen from the gateway. */
function octetsOfMessage(): { out: number; in: number } {
  const writer = new PduWriter();
  const [submit, response, receipt, end] = writeMessage(writer, 1);
  return { out: submit + end - receipt, in: receipt - response + response - submit };
}

/** Exchanges the octets of `count` messages with a thread over loopback; messages a second. */
async function sockets(count: number): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: count });
  const [port] = (await once(worker, 'message')) as [number];
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const each = octetsOfMessage();
  const began = performance.now();
  await Promise.all([flood(socket, each.out * count), drained(socket, each.in * count)]);
  const [ended] = (await once(worker, 'message')) as [number];
  socket.destroy();
  await worker.terminate();
  return (count / (ended - began - performance.timeOrigin)) * 1_000;
}

async function answerSockets(count: number): Promise<void> {
  const each = octetsOfMessage();
  const server = createServer((socket) => {
    void Promise.all([flood(socket, each.in * count), drained(socket, each.out * count)]).then(() =>
      parentPort!.postMessage(performance.timeOrigin + performance.now()),
    );
  });
  server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as { port: number }).port));
}

/** Measures PostgreSQL alone: the message's rows by COPY without an index, and a message's WAL in commits of 4,000. */
async function database(count: number, walOctets: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  await inHouse(async (house) => {
    const client = await ownSession(house);
    await client.query('CREATE TABLE bench_message (LIKE message)');
    const columns = 'id,corporation_id,campaign_id,unit_price,parts,unicode,msisdn';
    let began = performance.now();
    for (let first = 0; first < count; first += ROWS_A_COPY) {
      const rows = new CopyRows(columns.split(',').length);
      for (let i = first; i < Math.min(first + ROWS_A_COPY, count); i++) {
        rows.row(60);
        for (const number of [(i + 1) * 1_024, 1, 1, 350]) rows.bigint(number);
        rows.smallint(1);
        rows.boolean(false);
        rows.text(String(639_170_000_000 + i));
      }
      await copyIn(client, 'bench_message', columns, rows);
    }
    figures.push({ figure: 'copy_rows_per_second', value: (count / (performance.now() - began)) * 1_000, unit: '1/s' });
    began = performance.now();
    let logged = 0;
    while (logged < count * 4 && performance.now() - began < LIMIT_SECONDS * 1_000) {
      // Transactional records wait for the disk when they commit.
      await client.query(`SELECT pg_logical_emit_message(true, 'bench', repeat('x', $1))`, [
        walOctets * MESSAGES_A_COMMIT,
      ]);
      logged += MESSAGES_A_COMMIT;
    }
    figures.push({ figure: 'wal_per_second', value: (logged / (performance.now() - began)) * 1_000, unit: '1/s' });
  });
  return figures;
}

if (isMainThread) {
  const { count, wal } = readOptions({ count: 1_000_000, wal: 397 });
  const figures: Figure[] = [
    { figure: 'codec_per_cpu_second', value: codec(), unit: '1/s' },
    { figure: 'sockets_per_second', value: await sockets(count), unit: '1/s' },
    ...(await database(count, wal)),
  ];
  report('limits', figures);
} else {
  await answerSockets(workerData as number);
}
