import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from '../api/stage.ts';

// Acme's corporate admin may read message texts and not the numbers of people; other people of Acme may.

const stage = await apiStage({ after });
const { api, acme, one } = stage;
const { corporation_id } = acme;
const other = await one<{ id: number }>("SELECT id FROM user_account WHERE email = 'user@heliograph.test'");
await one(
  `UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE upper(name) = 'SMPP') WHERE id = $1`,
  [other.id],
);
const corporate = await api.as('corporate');
await one("UPDATE user_account SET numbers_visible = false WHERE email = 'corporate@heliograph.test'");

const address = 'https://93.184.215.14/hook';

test('numbers do not go to the address or account of a person who may not read them', async () => {
  const hook = await corporate('POST', '/api/v1/callbacks', {
    corporation_id,
    url: `${address}/own`,
    types: ['campaign.finished'],
  });
  assert.equal(hook.status, 201);
  const { id } = (hook.body as { data: { id: number } }).data;
  const sftp = {
    name: 'Daily',
    destination: 'sftp',
    host: 'files.example.com',
    username: 'acme',
    secret: 'Lantern#41',
  };
  const refused: [method: string, path: string, body: object, field: string][] = [
    ['POST', 'callbacks', { corporation_id, url: `${address}/all`, types: ['message.delivered'] }, 'types'],
    ['PATCH', `callbacks/${id}`, { types: ['message.failed'] }, 'types'],
    ['PATCH', `callbacks/${id}`, { types: ['link.clicked'] }, 'types'],
    ['PATCH', `callbacks/${id}`, { types: ['journey.step'] }, 'types'],
    [
      'POST',
      'smpp-system-ids',
      { corporation_id, user_id: other.id, password: 'Lantern41', receives_replies: true },
      'receives_replies',
    ],
    ['POST', 'departments', { corporation_id, name: 'Listening', callback_url: address }, 'callback_url'],
    ['PATCH', `users/${other.id}`, { email: 'mine@heliograph.test' }, 'email'],
    [
      'POST',
      `users/${other.id}/reset-password`,
      { password: 'Lantern#41', password_confirmation: 'Lantern#41' },
      'password',
    ],
    ['POST', 'scheduled-files', sftp, 'numbers'],
    ['POST', 'audit-streams', { name: 'Log', destination: 'syslog', host: 'log.example.com' }, 'name'],
  ];
  for (const [method, path, body, field] of refused)
    assert.equal(
      codeOf(await corporate(method, `/api/v1/${path}`, body)),
      `422 validation_failed ${field}`,
      `${method} ${path}`,
    );
  const masked = await corporate('POST', '/api/v1/scheduled-files', { ...sftp, numbers: false });
  assert.equal(masked.status, 201, JSON.stringify(masked.body));
});

test('nobody gives the right to see numbers who lacks it', async () => {
  await one('UPDATE user_account SET numbers_visible = false WHERE id = $1', [other.id]);
  const given = await corporate('PATCH', `/api/v1/users/${other.id}`, { numbers_visible: true });
  assert.equal(codeOf(given), '422 validation_failed numbers_visible');
  const { body } = await corporate('GET', `/api/v1/users/${other.id}`);
  assert.equal((body as { data: { numbers_visible: boolean } }).data.numbers_visible, false);
  await one("UPDATE user_account SET numbers_visible = false WHERE email = 'superadmin@heliograph.test'");
  const above = await (await api.as('superadmin'))('PATCH', `/api/v1/users/${other.id}`, { numbers_visible: true });
  assert.equal(codeOf(above), '422 validation_failed numbers_visible');
  await one("UPDATE user_account SET numbers_visible = true WHERE email = 'superadmin@heliograph.test'");
  await one('UPDATE user_account SET numbers_visible = true WHERE id = $1', [other.id]);
});

test('a key of a person who sees numbers is not given to one who may not', async () => {
  const { id } = await one<{ id: number }>(
    `INSERT INTO api_key (corporation_id, user_id, name, mode, prefix, digest, scopes, created_by)
     VALUES ($1, $2, 'theirs', 'live', 'hg_live_xx', 'x', '{inbound:read}', $2) RETURNING id`,
    [corporation_id, other.id],
  );
  assert.equal(codeOf(await corporate('POST', `/api/v1/api-keys/${id}/rotate`, {})), '409 key_reads_numbers');
});

test('a stale save shows no whole number, and no version is made of one', async () => {
  const path = '/api/v1/blacklist-numbers';
  const { body } = await corporate('POST', path, { corporation_id, number: '639171239876' });
  const { id, number, etag } = (body as { data: { id: number; number: string; etag: string } }).data;
  assert.equal(number, '63917•••••76');
  const whole = await (await api.as('superadmin'))('GET', `${path}/${id}`);
  assert.notEqual((whole.body as { data: { etag: string } }).data.etag, etag);
  const stale = await corporate('PATCH', `${path}/${id}`, { channel: 'web' }, { 'if-match': '"old"' });
  assert.equal(codeOf(stale), '409 edit_conflict');
  assert.doesNotMatch(JSON.stringify(stale.body), /639171239876/);
  const saved = await corporate('PATCH', `${path}/${id}`, { channel: 'web' }, { 'if-match': `"${etag}"` });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
});
