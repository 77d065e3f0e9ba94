import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { fileStore, keepDraft, newDraft, newFile } from '../../src/platform/files/files.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { type Client, startTestApi } from '../test-api.ts';

// The end of work that a permission allowed, after that permission has ended.

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const port = Number(new URL(api.url).port);

/** Signs a person in beside the sessions of the other tests. */
async function enter(login: string): Promise<{ token: string; client: Client; end(): Promise<unknown> }> {
  const username = `${login}@heliograph.test`;
  const { body } = await api.anonymous()('POST', '/api/v1/oauth/token', { username, password: DEMO_PASSWORD });
  const token = (body as { access_token: string }).access_token;
  const client = api.anonymous(token);
  return { token, client, end: () => client('POST', '/api/v1/logout', {}) };
}

/** Opens a connection for a call written by hand. */
async function openSocket(t: TestContext): Promise<{ socket: Socket; heard(): string }> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  let heard = '';
  socket.on('data', (data: Buffer) => {
    heard += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  return { socket, heard: () => heard };
}

test('a download is cut off when the session ends that opened its address', async (t) => {
  const bytes = 400_000_000;
  const path = newFile('exports', 'csv');
  const draft = await newDraft(api.config, path);
  writeFileSync(draft, '');
  truncateSync(draft, bytes);
  await keepDraft(api.config, path);
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO download (user_id, corporation_id, kind, parameters, download_file, file_path, state)
     SELECT id, corporation_id, 'transactions', '{}', 'messages.csv', $1, 'done' FROM user_account
     WHERE email = 'corporate@heliograph.test' RETURNING id`,
    [path],
  );
  const { client, end } = await enter('corporate');
  const { body } = await client('GET', `/api/v1/queue-download-unread-file/${rows[0]!.id}`);
  const address = (body as { data: { path: string } }).data.path;
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let came = 0;
  // Such a slow reader would need most of a minute for the file.
  socket.on('data', ({ length }: Buffer) => {
    came += length;
    socket.pause();
    setTimeout(() => socket.resume(), 5);
  });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(`GET ${address} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await until('the file begins to come', () => came > 100_000);
  await end();
  // An address created before the end of the session no longer works either.
  assert.equal((await api.anonymous()('GET', address)).status, 404);
  await closed;
  assert.ok(came < bytes, `${came} of ${bytes} bytes came`);
});

const BEGINNING =
  '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nnumber\r\n639170000001\r\n';
const upload = (token: string, path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n` +
  `content-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n${BEGINNING}`;

/** Writes the beginning of a file, and waits until the server stores it. */
async function beginUpload(t: TestContext, token: string) {
  const { drafts } = fileStore(api.config);
  const count = () =>
    existsSync(drafts) ? readdirSync(drafts, { withFileTypes: true }).filter((each) => each.isFile()).length : 0;
  const before = count();
  const opened = await openSocket(t);
  opened.socket.write(upload(token, '/api/v1/campaigns/files'));
  await until('the file begins to come', () => count() > before);
  return { ...opened, left: () => count() - before };
}

test('an upload in progress is refused when its session ends', async (t) => {
  const { token, end } = await enter('user');
  const { heard, left } = await beginUpload(t, token);
  await end();
  await until('it is refused', () => heard().includes('HTTP/1.1 401'));
  await until('nothing of it is kept', () => left() === 0);
});

test('an upload in progress is refused when its permission is removed', async (t) => {
  const { token } = await enter('department');
  const { heard } = await beginUpload(t, token);
  await owner.query(`DELETE FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'department_admin')
    AND permission_id = (SELECT id FROM permission WHERE name = 'campaigns-create')`);
  await until('it is refused', () => heard().includes('HTTP/1.1 403'));
});

test('a call that waits for a worker is refused when its session ends', async () => {
  const { client, end } = await enter('corporate');
  const { rows } = await owner.query("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  const made = await client('POST', '/api/v1/callbacks', {
    corporation_id: rows[0].id,
    url: 'https://example.com/told',
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id } = (made.body as { data: { id: number } }).data;
  // No worker sends the callback, so the call waits.
  const waiting = client('POST', `/api/v1/callbacks/${id}/test`, { type: 'message.delivered' });
  await until('it waits', async () => (await owner.query('SELECT FROM callback WHERE test')).rowCount === 1);
  await end();
  assert.equal((await waiting).status, 401);
});

test('a socket closes when the session of its signed-in person ends', async (t) => {
  const { client, end } = await enter('user');
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/app/heliograph`);
  t.after(() => socket.close());
  const frames: { event: string; data: string }[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))));
  await until('it is open', () => frames.length === 1);
  const { socket_id } = JSON.parse(frames[0]!.data) as { socket_id: string };
  const { body } = await client('POST', '/broadcasting/user-auth', { socket_id });
  socket.send(JSON.stringify({ event: 'pusher:signin', data: body }));
  await until('they are signed in', () => frames.some(({ event }) => event === 'pusher:signin_success'));
  const closed = new Promise<number>((tell) => socket.addEventListener('close', ({ code }) => tell(code)));
  await end();
  assert.equal(await closed, 4009);
});

test('a request is refused if its key is revoked while the body arrives', async (t) => {
  const { client } = await enter('corporate');
  const { rows } = await owner.query("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const made = await client('POST', '/api/v1/api-keys', {
    name: 'Ending',
    user_id: rows[0].id,
    mode: 'live',
    scopes: ['messages:send', 'balance:read'],
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, key } = (made.body as { data: { id: number; key: string } }).data;
  const text = JSON.stringify({ from: 'ACME', to: '639170000001', text: 'Hello' });
  const { socket, heard } = await openSocket(t);
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${text.length}\r\n\r\n${text.slice(0, 10)}`,
  );
  const balance = () => api.anonymous(key)('GET', '/v1/balance');
  assert.equal((await balance()).status, 200);
  await client('POST', `/api/v1/api-keys/${id}/revoke`, {});
  await until('the key has ended', async () => (await balance()).status === 401);
  socket.write(text.slice(10));
  await until('it is answered', () => heard().includes('HTTP/1.1'));
  assert.match(heard(), /^HTTP\/1\.1 401/);
});
