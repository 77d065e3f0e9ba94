import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Echo from 'laravel-echo';
import pusher from 'pusher-js';
import { emit, notify } from '../../server/src/platform/realtime/realtime.ts';
import { startTestApi } from '../../server/test/test-api.ts';

// Tests with the usual libraries, unchanged, against our endpoint. It answers everything they request of a broadcast
// service, and they reconnect by themselves after an interruption.

const api = await startTestApi({ after });
const owner = api.database.db('owner');
const { hostname, port } = new URL(api.url);
const PATIENCE = 60_000;

const idOf = async (sql: string) => (await api.database.pool('owner').query<{ id: number }>(sql)).rows[0]!.id;
const user = await idOf("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
const own = await idOf("SELECT id FROM corporation WHERE name = 'Acme Retail'");
const foreign = await idOf("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
const { body } = await api.anonymous()('POST', '/api/v1/oauth/token', {
  username: 'corporate@heliograph.test',
  password: 'Helio#2026',
});
const headers = { Authorization: `Bearer ${(body as { access_token: string }).access_token}` };

// The package's types describe its module as a namespace. The import is the class itself.
const Pusher = pusher as unknown as typeof pusher.default;
const client = new Pusher('heliograph', {
  cluster: '',
  wsHost: hostname,
  wsPort: Number(port),
  forceTLS: false,
  enabledTransports: ['ws', 'wss'],
  disableStats: true,
  channelAuthorization: { endpoint: `${api.url}/broadcasting/auth`, transport: 'ajax', headers },
  userAuthentication: { endpoint: `${api.url}/broadcasting/user-auth`, transport: 'ajax', headers },
});
const echo = new Echo({ broadcaster: 'pusher', client, namespace: 'App.Events' });
after(() => echo.disconnect());

const within = <T>(what: string, promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, fail) => setTimeout(() => fail(new Error(`${what}: in vain`)), PATIENCE).unref()),
  ]);
const joined = (channel: { subscribed(done: () => void): unknown }) =>
  within('joining', new Promise<void>((done) => channel.subscribed(done)));

test('laravel-echo and pusher-js receive their own events and are refused the rest', async () => {
  const mine = echo.private(`App.Models.User.${user}`);
  const corporation = echo.private(`corporation.${own}`);
  const told = new Promise<Record<string, unknown>>((done) => mine.notification(done));
  const heard = new Promise<Record<string, unknown>>((done) => corporation.listen('.billing.balance', done));
  await Promise.all([joined(mine), joined(corporation)]);
  await notify(owner, user, 'campaign.completed', { name: 'Spring' });
  await emit(owner, `private-corporation.${own}`, 'billing.balance', { billing_account_id: 1 });
  assert.deepEqual(await within('a notification', told), { type: 'campaign.completed', name: 'Spring' });
  assert.deepEqual(await within('an event', heard), { billing_account_id: 1 });

  const refused = new Promise<{ status?: number }>((done) => echo.private(`corporation.${foreign}`).error(done));
  assert.equal((await within('a refusal', refused)).status, 403);
});

test('a connection proves its user, and a forged sign-in is closed', async () => {
  client.signin();
  await within('the sign-in', client.user.signinDonePromise as Promise<unknown>);
  assert.equal((client.user.user_data as { id: string }).id, String(user));

  const socket = new WebSocket(`ws://${hostname}:${port}/app/heliograph`);
  const closed = new Promise<number>((done) => socket.addEventListener('close', ({ code }) => done(code)));
  await new Promise((opened) => socket.addEventListener('open', opened));
  const user_data = JSON.stringify({ id: '1' });
  const forged = { event: 'pusher:signin', data: { auth: `heliograph:${'0'.repeat(64)}`, user_data } };
  socket.send(JSON.stringify(forged));
  assert.equal(await within('being sent away', closed), 4009);
});

test('clients rejoin by themselves after the server lost its database listener', async () => {
  const back = joined(echo.private(`corporation.${own}`));
  await api.database.pool('owner').query(
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'heliograph % listen'`,
  );
  await within('coming back', back);
  const heard = new Promise<Record<string, unknown>>((done) =>
    echo.private(`corporation.${own}`).listen('.billing.again', done),
  );
  await emit(owner, `private-corporation.${own}`, 'billing.again', { n: 2 });
  assert.deepEqual(await within('an event', heard), { n: 2 });
});
