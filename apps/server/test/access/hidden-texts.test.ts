import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from '../api/stage.ts';
import type { Client } from '../test-api.ts';

// Acme's corporate admin may not read message texts; other people of Acme may.

const stage = await apiStage({ after });
const { api, acme, one } = stage;
const corporate: Client = await api.as('corporate');
const other = await one<{ id: number }>("SELECT id FROM user_account WHERE email = 'user@heliograph.test'");
await one(
  `UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE upper(name) = 'SMPP') WHERE id = $1`,
  [other.id],
);
const admins = await stage.makeKey({ name: 'made before', as: 'corporate' });
const make = async (path: string, body: object) => {
  const answer = await corporate('POST', `/api/v1/${path}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { data: { id: number; key: string } }).data;
};
const { corporation_id } = acme;
const address = 'https://93.184.215.14/hook';
const hook = await make('callbacks', { corporation_id, url: `${address}/own`, types: ['campaign.finished'] });
await one("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, '4141')", [corporation_id]);
const routing = await make('routings', { corporation_id, number: '4141', action: 'inbox' });
const bind = { corporation_id, user_id: other.id, password: 'Lantern41' };
const system = await make('smpp-system-ids', bind);
const department = await one<{ id: number }>("SELECT id FROM department WHERE name = 'Marketing'");
await one(
  `INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at)
   VALUES ($1, 1, 990001, '639170000001', '4141', 'Hidden words', 1, 1, 'inbox', now())`,
  [corporation_id],
);
const visible = (email: string, on: boolean) =>
  one('UPDATE user_account SET content_visible = $2 WHERE email = $1', [`${email}@heliograph.test`, on]);
await visible('corporate', false);

const inbound = async (key: string) => {
  const { status, body } = await stage.by(key)('GET', '/v1/inbound');
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { data: { text: string }[] }).data.map(({ text }) => text);
};

test('a key reads no text that its creator may not read, whoever uses it', async () => {
  const theirs = await make('api-keys', { name: 'for another', user_id: other.id });
  const own = await make('api-keys', { name: 'own', user_id: acme.user_id });
  await one('UPDATE user_account SET connection_type_id = NULL WHERE id = $1', [other.id]);
  for (const { key } of [theirs, own]) {
    const { body } = await stage.by(key)('GET', '/v1/inbound');
    assert.doesNotMatch(JSON.stringify(body), /Hidden words/);
    const events = await stage.by(key)('GET', '/v1/events');
    assert.doesNotMatch(JSON.stringify(events.body), /Hidden words/);
  }
  assert.deepEqual(
    (await inbound(admins.key)).filter((text) => text !== ''),
    [],
  );
  await visible('corporate', true);
  const until = performance.now() + 20_000;
  while (!(await inbound(theirs.key)).includes('Hidden words')) assert.ok(performance.now() < until);
  await visible('corporate', false);
});

test('a key of a person who reads texts is not given to one who may not', async () => {
  const key = await one<{ id: number }>(
    `INSERT INTO api_key (corporation_id, user_id, name, mode, prefix, digest, scopes, created_by)
     VALUES ($1, $2, 'production', 'live', 'hg_live_xx', 'x', '{inbound:read}', $2) RETURNING id`,
    [corporation_id, other.id],
  );
  assert.equal(codeOf(await corporate('POST', `/api/v1/api-keys/${key.id}/rotate`, {})), '409 texts_hidden');
});

test('texts do not go to the address or account of a person who may not read them', async () => {
  const refused: [method: string, path: string, body: object, field: string][] = [
    ['POST', 'callbacks', { corporation_id, url: `${address}/all` }, 'types'],
    ['POST', 'callbacks', { corporation_id, url: `${address}/in`, types: ['message.received'] }, 'types'],
    ['PATCH', `callbacks/${hook.id}`, { types: [] }, 'types'],
    ['PATCH', `callbacks/${hook.id}`, { types: ['message.received'] }, 'types'],
    ['POST', 'routings', { corporation_id, number: '4141', keyword: 'x', action: 'url', url: address }, 'url'],
    ['PATCH', `routings/${routing.id}`, { action: 'url', url: address }, 'url'],
    ['PATCH', `departments/${department.id}`, { callback_url: address }, 'callback_url'],
    ['POST', 'departments', { corporation_id, name: 'Listening', callback_url: address }, 'callback_url'],
    ['POST', 'smpp-system-ids', { ...bind, receives_replies: true }, 'receives_replies'],
    ['PATCH', `smpp-system-ids/${system.id}`, { receives_replies: true }, 'receives_replies'],
    ['PATCH', `users/${other.id}`, { email: 'mine@heliograph.test' }, 'email'],
    [
      'POST',
      `users/${other.id}/reset-password`,
      { password: 'Lantern#41', password_confirmation: 'Lantern#41' },
      'password',
    ],
  ];
  await one(
    `UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE upper(name) = 'SMPP') WHERE id = $1`,
    [other.id],
  );
  for (const [method, path, body, field] of refused)
    assert.equal(
      codeOf(await corporate(method, `/api/v1/${path}`, body)),
      `422 validation_failed ${field}`,
      `${method} ${path}`,
    );
  // Changes that reveal no texts are still allowed.
  assert.equal((await corporate('PATCH', `/api/v1/callbacks/${hook.id}`, { types: ['balance.low'] })).status, 200);
  assert.equal((await corporate('PATCH', `/api/v1/routings/${routing.id}`, { campaign_name: 'Spring' })).status, 200);
  assert.equal((await corporate('PATCH', `/api/v1/smpp-system-ids/${system.id}`, { max_binds: 2 })).status, 200);
});
