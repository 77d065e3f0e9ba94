import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import type { BusinessError } from '../../src/platform/errors.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { WaitingSockets } from '../../src/platform/http/waiting-sockets.ts';
import { createLogger } from '../../src/platform/log.ts';

const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody@localhost/none', LOG_LEVEL: 'silent' });
const server = await createServer(config, createLogger(config, 'test'), { bodyMs: 200 });
after(() => server.close());
server.post('/call', async () => ({ done: true }));
server.get('/call', async () => ({ done: true }));
server.get('/live', { websocket: true, config: { live: true } }, (socket) => socket.close(1000));
await server.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.server.address() as AddressInfo;

/** Writes a request by hand, and returns all that arrives until the connection is closed. */
async function write(t: TestContext, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let heard = '';
  socket.on('data', (data: Buffer) => {
    heard += data.toString();
  });
  socket.on('error', () => undefined);
  socket.write(request.replaceAll('\n', '\r\n'));
  await once(socket, 'close');
  return heard;
}
const UPGRADE =
  'connection: Upgrade\nupgrade: websocket\nsec-websocket-version: 13\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\n\n';

test('a body that does not arrive in time gets an answer and a closed connection', async (t) => {
  const heard = await write(
    t,
    'POST /call HTTP/1.1\nhost: x\ncontent-type: application/json\ncontent-length: 99\n\n{"a"',
  );
  assert.match(heard, /^HTTP\/1\.1 408 [\s\S]*connection: close[\s\S]*request_timeout/);
});

test('a call that takes no file refuses one before it is sent', async (t) => {
  const head =
    'POST /call HTTP/1.1\nhost: x\ncontent-type: multipart/form-data; boundary=b\ncontent-length: 99999\n\n--b';
  assert.match(await write(t, head), /^HTTP\/1\.1 415 /);
});

test('a connection is upgraded only at the path of live events', async (t) => {
  for (const path of ['/call', '/nowhere', '/'])
    assert.match(await write(t, `GET ${path} HTTP/1.1\nhost: x\n${UPGRADE}`), /^HTTP\/1\.1 404 /, path);
});

test('sockets without a session are limited by address and closed in time', async () => {
  const waiting = new WaitingSockets(10);
  const ends = Array.from({ length: 500 }, () => waiting.begin('2001:db8::1', () => undefined));
  assert.throws(
    () => waiting.require('2001:db8::2'),
    (error: BusinessError) => error.code === 'too_many_requests' && error.allowance?.limit === 500,
  );
  waiting.require('203.0.113.1');
  ends[0]!();
  ends[0]!();
  waiting.require('2001:db8::2');
  for (const end of ends) end();
  await new Promise<void>((late) => waiting.begin('203.0.113.1', late));
});
