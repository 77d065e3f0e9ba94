import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { readConnectedConfig } from '#platform/config/config';
import { fileStore, storeFile } from '#platform/files/files';
import { createServer, endRequests } from '#platform/http/server';
import { createLogger } from '#platform/log';

test('an upload is cut off when the server ends, and leaves nothing behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-ending-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: folder });
  const server = await createServer(config, createLogger({ LOG_LEVEL: 'fatal' }, 'test'));
  const taken = Promise.withResolvers<unknown>();
  server.post('/file', { config: { upload: true } }, async (request) => {
    const part = (await request.file())!;
    const storing = storeFile(config, part.file, 1_000_000, async () => undefined);
    storing.then(taken.resolve, taken.reject);
    return storing;
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.write(
    'POST /file HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n639170000001\r\n',
  );
  const drafts = () => readdirSync(fileStore(config).drafts, { withFileTypes: true }).filter((each) => each.isFile());
  await until('the draft is begun', () => existsSync(fileStore(config).drafts) && drafts().length === 1);
  await endRequests(server, 50);
  await closed;
  await assert.rejects(taken.promise);
  assert.deepEqual(drafts(), []);
});
