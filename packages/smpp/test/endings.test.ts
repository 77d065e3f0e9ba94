import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { seededRandom, seedOf, until } from '@heliograph/fault-kit';
import {
  type ApplicationRequest,
  type Closing,
  decodePdu,
  encodePdu,
  FrameReader,
  type Outcome,
  openSession,
  type Pdu,
  type Session,
  STATUS,
  startServer,
} from '../src/index.ts';

// Every test ends a session from the other side of a real socket, octet by octet.

const seed = seedOf('FAULT_SEED');
const REQUESTS = 100;
const BIND = { system_id: 'esme', password: 'secret' };
const text = Buffer.from('hello');

/** One end of a connection without a session: it writes octets and collects PDUs. */
class RawPeer {
  readonly socket: Socket;
  readonly pdus: Pdu[] = [];
  /** Resolves when the other end sends nothing more. */
  readonly ended: Promise<unknown>;

  constructor(socket: Socket) {
    this.socket = socket;
    const frames = new FrameReader((b, at, length) =>
      this.pdus.push(decodePdu(Buffer.from(b.subarray(at, at + length)))),
    );
    socket.on('data', (chunk: Buffer) => frames.push(chunk));
    socket.on('error', () => undefined);
    this.ended = Promise.race([once(socket, 'end'), once(socket, 'close')]);
  }

  count(command: Pdu['command']): number {
    return this.pdus.filter((pdu) => pdu.command === command).length;
  }

  async has(command: Pdu['command'], count = 1): Promise<void> {
    await until(`${count} ${command} came`, () => this.count(command) >= count);
  }
}

interface Smsc {
  program: RawPeer;
  requests: ApplicationRequest[];
  closings: Closing[];
  /** Answers all requests received until now. */
  answer(): void;
}

/** Binds a raw program to a session in the role of the SMSC, which answers when the test says so. */
async function smsc(
  t: TestContext,
  responseMs = 30_000,
  onRequest: (answer: () => void) => void = () => {},
): Promise<Smsc> {
  const requests: ApplicationRequest[] = [];
  const closings: Closing[] = [];
  let open: { request: ApplicationRequest; session: Session<unknown> }[] = [];
  const answer = () => {
    for (const { request, session } of open.splice(0)) session.respond(request, STATUS.ROK, `id-${request.sequence}`);
  };
  const server = await startServer<unknown>(
    { port: 0, responseMs },
    {
      onBind: (_bind, session) => session.acceptBind('smsc'),
      onRequests: (batch, session) => {
        requests.push(...batch);
        open = open.concat(batch.map((request) => ({ request, session })));
        onRequest(answer);
      },
      onClose: (closing) => closings.push(closing),
    },
  );
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(async () => {
    socket.destroy();
    for (const session of server.sessions) session.destroy();
    await server.stop();
  });
  const program = new RawPeer(socket);
  socket.write(encodePdu({ command: 'bind_transceiver', sequence: 1, ...BIND }));
  await program.has('bind_transceiver_resp');
  return { program, requests, closings, answer };
}

const submits = (from: number, count: number): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, i) =>
      encodePdu({ command: 'submit_sm', sequence: from + i, destination_addr: '639170000000', short_message: text }),
    ),
  );
const unbind = (sequence: number): Buffer => encodePdu({ command: 'unbind', sequence });

test('a program that unbinds gets every answer before that to its unbind', async (t) => {
  const { program, requests, closings, answer } = await smsc(t);
  program.socket.write(Buffer.concat([submits(2, REQUESTS), unbind(500), submits(600, 3)]));
  await program.has('submit_sm_resp', 3);
  assert.deepEqual(
    program.pdus.slice(1).map(({ sequence, status }) => [sequence, status]),
    [600, 601, 602].map((sequence) => [sequence, STATUS.RINVBNDSTS]),
    'what comes after the unbind is refused',
  );
  assert.equal(requests.length, REQUESTS);
  answer();
  await program.ended;
  const rest = program.pdus.slice(4);
  assert.equal(rest.filter((pdu) => pdu.command === 'submit_sm_resp' && pdu.status === STATUS.ROK).length, REQUESTS);
  assert.equal(rest.at(-1)!.command, 'unbind_resp');
  assert.equal(rest.length, REQUESTS + 1);
  assert.deepEqual(closings, [{ reason: 'peer_unbound' }]);
});

test('an unbind is answered by the response timer though answers are still owed', async (t) => {
  const { program, requests } = await smsc(t, 200);
  program.socket.write(Buffer.concat([submits(2, 3), unbind(500)]));
  await program.ended;
  assert.equal(requests.length, 3);
  assert.deepEqual(
    program.pdus.slice(1).map(({ command }) => command),
    ['unbind_resp'],
  );
});

test('a program that ends its side of the socket still gets its answers', async (t) => {
  for (const last of [Buffer.alloc(0), unbind(500)]) {
    const { program, requests, answer } = await smsc(t);
    program.socket.end(Buffer.concat([submits(2, REQUESTS), last]));
    await until('all requests came', () => requests.length === REQUESTS);
    answer();
    await program.ended;
    assert.equal(program.count('submit_sm_resp'), REQUESTS);
    assert.equal(program.count('unbind_resp'), last.length > 0 ? 1 : 0);
  }
});

test(`answers every whole submit of a program that ends anywhere (FAULT_SEED=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const one = submits(2, 1).length;
  const stream = Buffer.concat([submits(2, REQUESTS), unbind(500), submits(600, 3)]);
  for (let round = 0; round < 20; round++) {
    const half = round % 2 === 0;
    const delayMs = random.pick([0, 0, 5, 50]);
    const waits = (answer: () => void) => (delayMs === 0 ? answer() : setTimeout(answer, delayMs).unref());
    const { program, requests, closings } = await smsc(t, 5_000, waits);
    const cut = 1 + random.below(stream.length);
    const whole = Math.min(REQUESTS, Math.floor(cut / one));
    const said = `cut at ${cut}, half-close ${half}, answers after ${delayMs} ms`;
    const octets = stream.subarray(0, cut);
    if (half) program.socket.end(octets);
    else program.socket.write(octets, () => program.socket.destroy());
    await until(`the session ends: ${said}`, () => closings.length === 1);
    if (!half) continue;
    assert.equal(requests.length, whole, said);
    await program.ended;
    const taken = program.pdus.filter(({ command, status }) => command === 'submit_sm_resp' && status === STATUS.ROK);
    assert.equal(taken.length, whole, said);
  }
});

interface Esme {
  carrier: RawPeer;
  session: Session<number>;
  outcomes: Outcome<number>[];
  closings: Closing[];
}

/** Opens a session in the role of the ESME, bound to a raw carrier that has its submits. */
async function esme(t: TestContext, count: number, responseMs = 30_000): Promise<Esme> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const outcomes: Outcome<number>[] = [];
  const closings: Closing[] = [];
  const session = openSession<number>(
    { host: '127.0.0.1', port, responseMs, bind: { mode: 'transceiver', ...BIND } },
    {
      onResponses: (batch) => outcomes.push(...batch),
      onRequests: (batch, to) => setTimeout(() => batch.map((each) => to.respond(each, STATUS.ROK)), 50),
      onClose: (closing) => closings.push(closing),
    },
  );
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    session.destroy();
    socket.destroy();
    server.close();
  });
  const carrier = new RawPeer(socket);
  await carrier.has('bind_transceiver');
  socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence: carrier.pdus[0]!.sequence, system_id: 'c' }));
  await until('the session is bound', () => session.state === 'bound');
  for (let i = 0; i < count; i++) session.submit({ destination_addr: '639170000000', short_message: text }, i);
  await carrier.has('submit_sm', count);
  return { carrier, session, outcomes, closings };
}

const answersTo = (carrier: RawPeer): Buffer[] =>
  carrier.pdus
    .filter(({ command }) => command === 'submit_sm')
    .map(({ sequence }) => encodePdu({ command: 'submit_sm_resp', sequence, message_id: String(sequence) }));

test('waits for a carrier that unbinds while it owes answers', async (t) => {
  const { carrier, session, outcomes, closings } = await esme(t, 40);
  carrier.socket.write(unbind(1));
  await until('the unbind has come', () => session.state === 'draining');
  assert.equal(session.submit({ destination_addr: '1' }, 99), false, 'nothing new is sent');
  const answers = answersTo(carrier);
  carrier.socket.write(Buffer.concat(answers.slice(0, 20)));
  await until('half of the answers came', () => outcomes.length === 20);
  assert.equal(carrier.count('unbind_resp'), 0);
  carrier.socket.write(Buffer.concat(answers.slice(20)));
  await carrier.ended;
  assert.equal(carrier.count('unbind_resp'), 1);
  assert.ok(outcomes.length === 40 && outcomes.every(({ kind }) => kind === 'answered'));
  assert.deepEqual(closings, [{ reason: 'peer_unbound' }]);
});

test('waits until the response timer for a carrier that unbinds and never answers', async (t) => {
  const { carrier, outcomes } = await esme(t, 5, 200);
  carrier.socket.write(unbind(1));
  await carrier.ended;
  assert.equal(carrier.count('unbind_resp'), 1);
  assert.deepEqual([outcomes.length, outcomes.filter(({ kind }) => kind === 'uncertain').length], [5, 5]);
});

test('receipts that a carrier sends before its unbind or its end are answered', async (t) => {
  for (const last of [unbind(900), Buffer.alloc(0)]) {
    const { carrier, closings } = await esme(t, 0);
    const receipts = Array.from({ length: 10 }, (_, i) =>
      encodePdu({ command: 'deliver_sm', sequence: i + 1, source_addr: '639170000000', short_message: text }),
    );
    carrier.socket.end(Buffer.concat([...receipts, last]));
    await carrier.ended;
    assert.equal(carrier.count('deliver_sm_resp'), 10);
    assert.equal(carrier.count('unbind_resp'), last.length > 0 ? 1 : 0);
    assert.equal(closings.length, 1);
  }
});

test('answers a receipt that crosses its own unbind before the socket closes', async (t) => {
  const { carrier, session } = await esme(t, 0);
  const closed = session.unbind();
  await carrier.has('unbind');
  const { sequence } = carrier.pdus.find(({ command }) => command === 'unbind')!;
  const receipt = encodePdu({ command: 'deliver_sm', sequence: 7, source_addr: '1', short_message: text });
  carrier.socket.write(Buffer.concat([receipt, encodePdu({ command: 'unbind_resp', sequence })]));
  await closed;
  await carrier.ended;
  assert.equal(carrier.count('deliver_sm_resp'), 1);
});
