import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chaos, type Direction, seededRandom, startChaosProxy } from '../src/index.ts';
import { until } from '../src/until.ts';

/** Starts an echo server behind a proxy, and a client that collects the bytes that come back. */
async function echo(t: TestContext, options: Partial<Record<Direction, Chaos>> & { blackHole?: boolean } = {}) {
  const peers: Socket[] = [];
  let heard = 0;
  const server = createServer((socket) => {
    peers.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.length;
      socket.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await startChaosProxy({
    to: { port: (server.address() as { port: number }).port },
    seed: 5,
    ...options,
  });
  const client = connect(proxy.port, '127.0.0.1');
  client.on('error', () => undefined);
  let closed = false;
  client.on('close', () => {
    closed = true;
  });
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(client, 'connect');
  t.after(async () => {
    client.destroy();
    for (const peer of peers) peer.destroy();
    await proxy.stop();
    server.close();
  });
  return { proxy, client, back: () => Buffer.concat(chunks), chunks, heard: () => heard, closed: () => closed };
}

const stream = (length: number, seed: number): Buffer => {
  const random = seededRandom(seed);
  return Buffer.from(Array.from({ length }, () => random.below(256)));
};

test('bytes arrive unchanged and in order through cuts, merges, delays and stalls', async (t) => {
  const chaos = { latencyMs: 1, jitterMs: 10, split: 0.5, merge: 0.3, stall: 0.02, stallMs: 60 };
  const { client, back, chunks } = await echo(t, { toServer: chaos, toClient: chaos });
  const sent = stream(200_000, 1);
  for (let at = 0; at < sent.length; at += 1_000) {
    client.write(sent.subarray(at, at + 1_000));
    if (at % 20_000 === 0) await sleep(1);
  }
  await until('all bytes', () => back().length === sent.length);
  assert.ok(back().equals(sent));
  assert.ok(chunks.length > 1);
});

test('a black hole accepts connections and bytes, and returns nothing', async (t) => {
  const { proxy, client, back, heard, closed } = await echo(t, { blackHole: true });
  client.write('lost');
  // The wait has many small steps: a machine that pauses for a moment must not skip the reading.
  for (let turn = 0; turn < 20; turn++) await sleep(5);
  assert.deepEqual([back().length, heard(), closed()], [0, 0, false]);
  proxy.blackHole(false);
  client.write('heard');
  await until('what came after', () => back().toString() === 'heard');
});

test('blocks and resets the connections of one address while others continue', async (t) => {
  const { proxy, client, back, closed } = await echo(t);
  const neighbour = connect({ port: proxy.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  t.after(() => neighbour.destroy());
  neighbour.on('error', () => undefined);
  const heard: Buffer[] = [];
  const gone = new Promise((closed) => neighbour.once('close', closed));
  neighbour.on('data', (chunk: Buffer) => heard.push(chunk));
  await once(neighbour, 'connect');
  proxy.blackHole(true, '127.0.0.2');
  neighbour.write('lost');
  client.write('heard');
  await until('the other address', () => back().toString() === 'heard');
  for (let turn = 0; turn < 20; turn++) await sleep(5);
  proxy.blackHole(false, '127.0.0.2');
  neighbour.write('after');
  await until('what came after', () => Buffer.concat(heard).toString() === 'after');
  proxy.resetAll('127.0.0.2');
  await gone;
  assert.equal(closed(), false);
  client.write(' again');
  await until('the other address, which stays', () => back().toString() === 'heard again');
});

test('loses the bytes of one direction only', async (t) => {
  const { proxy, client, back, heard, closed } = await echo(t);
  proxy.set('toClient', { lose: true });
  client.write('to the server only');
  await until('the server to hear', () => heard() === 18);
  await sleep(50);
  assert.deepEqual([back().length, closed()], [0, false]);
});

test('resets a connection at a byte and lets no later byte pass', async (t) => {
  const { client, heard, closed, proxy } = await echo(t, { toServer: { resetAtByte: 1_234 } });
  for (let i = 0; i < 20; i++) client.write(stream(100, i));
  await until('the reset', closed);
  assert.ok(heard() <= 1_234, `${heard()} bytes passed`);
  await until('its end', () => proxy.open === 0);
});

test('passes on an orderly end after the bytes that are still held', async (t) => {
  const { client, heard, closed } = await echo(t, { toServer: { latencyMs: 50 } });
  client.end('the last words');
  await until('the last words', () => heard() === 14);
  await until('the end', closed);
});

test('a seed repeats its draws', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 100 }, () => random.below(1_000));
  };
  assert.deepEqual(draw(3), draw(3));
  assert.notDeepEqual(draw(3), draw(4));
  assert.ok(new Set(draw(3)).size > 80);
});
