import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { emit } from '../../src/platform/realtime/realtime.ts';
import { channelRules } from '../../src/processes/api.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { type Client, startTestApi } from '../test-api.ts';

// Listeners of each kind of channel: seven roles × objects from their own to the most distant. Also the end of a
// channel after its session or permission ends.

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { idOf, one, personOf } = api.database;
const corporationOf = (name: string) => idOf('corporation', name);
const campaignWhere = (condition: string) =>
  one(`SELECT max(k.id) AS id FROM campaign k JOIN corporation c ON c.id = k.corporation_id
    JOIN user_account u ON u.id = k.created_by WHERE ${condition}`);
/** Creates a campaign of Acme Retail that a person made for a department. */
const campaignIn = (department: string, login: string) =>
  one(`INSERT INTO campaign (corporation_id, department_id, created_by, billing_account_id, name, content, sender_id)
    SELECT d.corporation_id, d.id, u.id, (SELECT min(id) FROM billing_account WHERE corporation_id = d.corporation_id),
      'Walls', '{}', 'WALLS' FROM department d JOIN user_account u ON u.email = '${login}@heliograph.test'
    WHERE d.name = '${department}' RETURNING id`);
const NOWHERE = 999_999_999;

const platform = ['superadmin', 'admin'];
const acme = [...platform, 'reseller', 'corporate'];
const marketing = [...acme, 'department'];
const everybody = [...marketing, 'user', 'readonly'];
/** Every kind of channel with the ids of its objects, and the roles that may hear each. */
const CHANNELS: Readonly<Record<string, readonly (readonly [id: number, heardBy: readonly string[]])[]>> = {
  'App.Models.User': await Promise.all(everybody.map(async (login) => [await personOf(login), [login]] as const)),
  application: [
    [1, everybody],
    [2, []],
  ],
  corporation: [
    [await corporationOf('Acme Retail'), everybody],
    [await corporationOf('Northwind Telecom'), [...platform, 'reseller']],
    [await corporationOf('Blue Harbor Bank'), platform],
  ],
  links: [
    [0, platform],
    [await one('SELECT min(id) AS id FROM link'), []],
  ],
  campaign: [
    [await campaignWhere(`u.email = 'user@heliograph.test'`), [...marketing, 'user', 'readonly']],
    [await campaignIn('Marketing', 'department'), [...marketing, 'readonly']],
    [await campaignIn('Operations', 'corporate'), acme],
    [await campaignWhere(`c.name = 'Blue Harbor Bank'`), platform],
    [NOWHERE, []],
  ],
};

test('the test covers every kind of channel', () => {
  const names = Object.keys(channelRules({ database: api.database.db('api') }));
  assert.deepEqual(Object.keys(CHANNELS).sort(), names.sort(), 'say under CHANNELS who may hear a new kind of channel');
});

const ask = (client: Client, socket_id: string, channel_name: string) =>
  client('POST', '/broadcasting/auth', { socket_id, channel_name });

test('a channel opens to those who see its object, and is not found for others', async () => {
  // Everybody gets every permission, so a missing permission is not the reason for a refusal.
  await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
    WHERE u.email LIKE '%@heliograph.test' ON CONFLICT DO NOTHING`);
  for (const login of everybody) {
    const client = await api.as(login);
    for (const [kind, objects] of Object.entries(CHANNELS))
      for (const [id, heardBy] of objects) {
        const { status } = await ask(client, '1.1', `private-${kind}.${id}`);
        assert.equal(status, heardBy.includes(login) ? 200 : 403, `${login}: ${kind}.${id}`);
      }
  }
  const client = await api.as('superadmin');
  for (const name of ['private-constructor.1', 'private-campaign.1 OR 1', 'campaign.1', 'private-campaign.-1', ''])
    assert.equal((await ask(client, '1.1', name)).status, 403, name);
});

/** Opens a browser's socket that records what it hears. */
async function openSocket(t: TestContext) {
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/app/heliograph`);
  t.after(() => socket.close());
  type Frame = { event: string; channel?: string; data: string };
  const frames: Frame[] = [];
  let look = () => {};
  let closed: number | undefined;
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(String(data)) as Frame);
    look();
  });
  socket.addEventListener('close', ({ code }) => {
    closed = code;
    look();
  });
  const until = (happened: () => boolean) =>
    new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`heard only ${JSON.stringify(frames)}`)), 60_000);
      look = () => {
        if (!happened()) return;
        clearTimeout(timer);
        done();
      };
      look();
    });
  const heard = (event: string, channel?: string) => frames.some((f) => f.event === event && f.channel === channel);
  await until(() => heard('pusher:connection_established'));
  const id = (JSON.parse(frames[0]!.data) as { socket_id: string }).socket_id;
  const say = (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  return { id, frames, say, until, heard, closed: () => closed };
}
type Socket = Awaited<ReturnType<typeof openSocket>>;

/** Requests a channel and joins it. */
async function join(socket: Socket, client: Client, channel: string): Promise<string> {
  const { status, body } = await ask(client, socket.id, channel);
  assert.equal(status, 200, channel);
  const { auth } = body as { auth: string };
  socket.say({ event: 'pusher:subscribe', data: { channel, auth } });
  await socket.until(() => socket.heard('pusher_internal:subscription_succeeded', channel));
  return auth;
}

const refused = (socket: Socket, channel: string) =>
  socket.until(() => socket.heard('pusher:subscription_error', channel));

test('a grant opens one channel on one socket, and only unchanged', async (t) => {
  const [mine, other] = [await openSocket(t), await openSocket(t)];
  const client = await api.as('corporate');
  const own = `private-campaign.${CHANNELS['campaign']![0]![0]}`;
  const foreign = `private-campaign.${CHANNELS['campaign']![3]![0]}`;
  const auth = await join(mine, client, own);
  other.say({ event: 'pusher:subscribe', data: { channel: own, auth } });
  await refused(other, own);
  mine.say({ event: 'pusher:subscribe', data: { channel: foreign, auth } });
  await refused(mine, foreign);
  const rival = await join(other, await api.as('superadmin'), own);
  const grafted = `${auth.split('.')[0]}.${rival.split('.')[1]}`;
  const made = [undefined, '', 'heliograph:', `heliograph:${'0'.repeat(64)}`, grafted, { toString: 'x' }, 7];
  for (const [i, forged] of made.entries()) {
    const channel = `private-corporation.${i + 1}`;
    mine.say({ event: 'pusher:subscribe', data: { channel, auth: forged } });
    await refused(mine, channel);
  }
  // A socket that never joined hears nothing; one that joined hears each event once.
  const silent = await openSocket(t);
  await emit(api.database.db('owner'), own, 'campaign.progress', { canary: 1 });
  await mine.until(() => mine.heard('campaign.progress', own));
  assert.equal(silent.heard('campaign.progress', own), false);
  assert.equal(mine.frames.filter(({ event }) => event === 'campaign.progress').length, 1);
});

test('the server continues whatever a stranger sends to the socket', async (t) => {
  const words = ['null', '7', '"x"', '[]', '{}', '{"event":null}', '{"event":"pusher:subscribe"}', '\u0000', '{'];
  const objects = ['subscribe', 'unsubscribe'].map((event) => ({
    event: `pusher:${event}`,
    data: { channel: { toString: 1 }, auth: { toString: 1 } },
  }));
  for (const said of [...words, ...objects]) {
    const socket = await openSocket(t);
    socket.say(said);
    socket.say({ event: 'pusher:ping' });
    await socket.until(() => socket.heard('pusher:pong') || socket.closed() !== undefined);
  }
  assert.equal((await api.anonymous()('GET', '/healthz')).status, 200);
});

/** Signs a person in beside the sessions of the other tests. */
async function enter(login: string): Promise<string> {
  const username = `${login}@heliograph.test`;
  const { body } = await api.anonymous()('POST', '/api/v1/oauth/token', { username, password: DEMO_PASSWORD });
  return (body as { access_token: string }).access_token;
}

test('a channel outlives the access token, but not its session or permission', async (t) => {
  const [ended, unentitled, staying] = [await openSocket(t), await openSocket(t), await openSocket(t)];
  const campaign = `private-campaign.${CHANNELS['campaign']![0]![0]}`;
  const user = `private-App.Models.User.${await personOf('user')}`;
  const token = await enter('user');
  const client = api.anonymous(token);
  await join(ended, client, user);
  await join(unentitled, await api.as('department'), campaign);
  await join(staying, await api.as('corporate'), campaign);
  // An access token is valid for a quarter of an hour, but a console stays open for the day.
  await owner.query("UPDATE session_token SET access_expires_at = now() - interval '1 s'");
  await client('POST', '/api/v1/logout', {});
  await owner.query(`UPDATE session SET ended_at = now() WHERE user_id = ${await personOf('user')}`);
  await owner.query(`DELETE FROM user_permission WHERE user_id = ${await personOf('department')}`);
  await owner.query(`DELETE FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'department_admin')
    AND permission_id = (SELECT id FROM permission WHERE name = 'campaigns-show')`);
  await Promise.all([ended, unentitled].map((socket) => socket.until(() => socket.closed() !== undefined)));
  // 4000 to 4099: the client must stay away. 4200 to 4299: it reconnects immediately and asks again.
  assert.deepEqual([ended.closed(), unentitled.closed()], [4009, 4200]);
  await emit(api.database.db('owner'), campaign, 'campaign.progress', {});
  await staying.until(() => staying.heard('campaign.progress', campaign));
});
