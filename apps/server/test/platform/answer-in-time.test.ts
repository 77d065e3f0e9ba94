import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '@heliograph/contract/kernel/errors';
import { readConnectedConfig } from '#platform/config/config';
import { createLogger } from '#platform/log';
import { createServer } from '../../src/platform/http/server.ts';

const ANSWER_MS = 300;

test('a call without an answer in time gets 503, and its work continues', async (t) => {
  const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody@localhost/none', LOG_LEVEL: 'silent' });
  const server = await createServer(config, createLogger(config, 'test'), { answerMs: ANSWER_MS });
  t.after(() => server.close());
  const hanging: (() => void)[] = [];
  let done = 0;
  const hang = () => new Promise<void>((release) => hanging.push(release));
  const handler = async () => {
    await hang();
    return { done: ++done };
  };
  server.get('/hangs', handler);
  server.post('/hangs', handler);
  server.get('/hangs-at-the-door', { onRequest: hang }, async () => ({ done: ++done }));
  server.post('/answers', async ({ body }) => body);
  server.get('/socket', { websocket: true, config: { live: true } }, (socket) => {
    socket.on('message', (text: Buffer) => socket.send(text.toString()));
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const json = { 'content-type': 'application/json' };
  const calls: [path: string, init: RequestInit][] = [
    ['/hangs', {}],
    ['/hangs', { method: 'POST', headers: json, body: '{"a":1}' }],
    ['/hangs-at-the-door', {}],
  ];
  for (const [path, init] of calls) {
    const response = await fetch(url + path, init);
    assert.equal(response.status, 503, path);
    assert.ok(Number(response.headers.get('retry-after')) > 0, path);
    assert.equal(((await response.json()) as Problem).code, 'unavailable');
  }
  for (const release of hanging) release();
  const answers = () => fetch(`${url}/answers`, { method: 'POST', headers: json, body: '{"a":1}' });
  assert.equal((await answers()).status, 200, 'the server goes on');
  assert.equal(done, 2, 'both were done, and who waited at the door did not come in');

  // A slow body is waited for, and a socket stays open.
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
  t.after(() => socket.close());
  await once(socket, 'open');
  const slow = plainRequest(`${url}/answers`, { method: 'POST', headers: { ...json, 'content-length': 7 } });
  const status = new Promise((resolve, reject) => {
    slow.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
  });
  slow.write('{"a"');
  await sleep(3 * ANSWER_MS);
  slow.end(':1}');
  assert.equal(await status, 200);
  socket.send('still here');
  const [heard] = (await once(socket, 'message')) as [MessageEvent];
  assert.equal(heard.data, 'still here');
});
