import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startVictim } from '@heliograph/fault-kit';
import { encodePdu, STATUS } from '@heliograph/smpp';
import { newKey } from '../../src/modules/api/key-material.ts';
import { programKey } from '../intake/program-key.ts';
import { bind, bindPdu, smppStage, until } from '../smpp-server/stage.ts';
import { TEST_KEY } from '../test-key.ts';

const PROCESSES = join(import.meta.dirname, '../../src/processes');
const MEGABYTE = 1_024 * 1_024;
/** Maximum growth of the memory of a process during a test, in megabytes. */
const GROWTH = 150;
const ADDRESSES = [2, 3, 4, 5, 6, 7];
/** Minimum time that it takes to trickle a bind. */
const TRICKLING_MS = 4_000;

const stage = await smppStage({ after });
const environment = {
  DATABASE_URL: stage.url,
  SECRET_KEY: TEST_KEY,
  LOG_LEVEL: 'silent',
  PORT: '0',
  SMPP_SERVER_PORT: '0',
};

async function start(name: string) {
  const process = await startVictim(join(PROCESSES, `${name}.ts`), { environment });
  after(() => process.kill());
  return { ...process, port: Number(new URL((process.ready as { url: string }).url).port) };
}

/** Returns the resident memory of a process in megabytes, with shared pages. */
const resident = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;

const isOpen = (socket: Socket) => socket.readyState === 'open';

/** Opens sockets that send the beginning of a request, then one octet at a time. */
function tricklers(port: number, count: number, beginning: (index: number) => Buffer): Socket[] {
  const sockets = Array.from({ length: count }, (_, index) => {
    const localAddress = `127.0.0.${ADDRESSES[index % ADDRESSES.length]}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.on('connect', () => socket.write(beginning(index)));
    return socket;
  });
  const drip = setInterval(() => {
    // An octet written before the connection is open would be sent before the beginning.
    for (const socket of sockets) if (isOpen(socket) && socket.writableLength < MEGABYTE) socket.write('x');
  }, 200);
  after(() => {
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

test('a thousand sockets that trickle a bind hold up no real bind or submit', async () => {
  await stage.customer('prompt');
  const server = await start('smpp-server');
  const before = resident(server.pid);
  const head = bindPdu('prompt').subarray(0, 9);
  const long = encodePdu({ command: 'submit_sm', sequence: 1, destination_addr: '639170000001' });
  long.writeUInt32BE(60_000, 0);
  const slow = tricklers(server.port, 1_000, (index) =>
    index % 2 ? head : Buffer.concat([long, Buffer.alloc(50_000)]),
  );
  const opened = performance.now();
  await until('all are connected', () => slow.every((socket) => !socket.connecting));
  // If the machine connects them slowly, the first ones have already finished their bind.
  if (performance.now() - opened < TRICKLING_MS)
    assert.ok(slow.filter(isOpen).length >= 490, `${slow.filter(isOpen).length} that are in a bind are heard`);
  const began = performance.now();
  const esme = await bind(server, 'prompt');
  for (let i = 0; i < 20; i++) assert.equal((await esme.submit()).status, STATUS.ROK);
  assert.ok(performance.now() - began < 60_000);
  const grown = resident(server.pid) - before;
  assert.ok(grown < GROWTH, `it grew by ${Math.round(grown)} MB`);
  await until('every one of them is closed', () => !slow.some(isOpen), 120_000);
  assert.equal((await esme.submit()).status, STATUS.ROK, 'the real one is not');
  await esme.session.unbind();
});

test('hundreds of trickling HTTP requests hold up no call and cost little memory', async () => {
  const program = await stage.tenant('Web');
  const key = await programKey(stage, program);
  const api = await start('api');
  const send = (bearer: string) =>
    fetch(`http://127.0.0.1:${api.port}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'Acme', to: '639170000001', text: 'Hello' }),
    });
  assert.equal((await send(key)).status, 202);
  const before = resident(api.pid);
  const post = (bearer: string) =>
    `POST /v1/batches HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: 7900000\r\n\r\n`;
  const spaces = Buffer.alloc(4 * MEGABYTE, ' ');
  const kinds: (() => Buffer)[] = [
    () => Buffer.from('POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-slow: '),
    () => Buffer.from(`${post(key)}{"from"`),
    () => Buffer.concat([Buffer.from(post(newKey('live').key)), spaces]),
  ];
  const slow = tricklers(api.port, 240, (index) => kinds[index % 3]!());
  /** First answer to each caller without a valid key, or the way its connection ended before one. */
  const told: string[] = [];
  for (const socket of slow.filter((_, index) => index % 3 === 2)) {
    const first = new Promise<string>((tell) => {
      socket.once('data', (said: Buffer) => tell(said.toString('latin1', 0, 12)));
      socket.once('error', (error: NodeJS.ErrnoException) => tell(error.code ?? error.message));
      socket.once('close', () => tell('closed'));
    });
    void first.then((what) => told.push(what));
  }
  const refused = () => told.filter((what) => what === 'HTTP/1.1 401').length;
  const began = performance.now();
  for (let i = 0; i < 20; i++) assert.equal((await send(key)).status, 202);
  assert.ok(performance.now() - began < 60_000);
  await until('who has no key is told so before they are done', () => told.length === 80);
  assert.equal(refused(), 80, told.join(', '));
  for (let i = 0; i < 20; i++) assert.equal((await send(key)).status, 202);
  const grown = resident(api.pid) - before;
  assert.ok(grown < GROWTH, `it grew by ${Math.round(grown)} MB`);
});
