import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { MOST_CALLBACK_ADDRESSES, sampleEvents } from '@heliograph/contract/api/callback-address';
import { EVENT_TYPES } from '@heliograph/contract/kernel/events';
import { codeOf } from '../api/stage.ts';
import { callbackStage, until } from './receiver.ts';

const s = await callbackStage({ after });
const { user_id } = await s.one<{ user_id: number }>(
  "SELECT id AS user_id FROM user_account WHERE email = 'corporate@heliograph.test'",
);
let made = 0;

/** Makes a key of Acme, and returns its id with a client that calls with it. */
async function key(fields: object = {}) {
  const { status, body } = await s.corporate('POST', '/api/v1/api-keys', {
    name: `Hook ${++made}`,
    user_id,
    ...fields,
  });
  assert.equal(status, 201, JSON.stringify(body));
  const { data } = body as { data: { id: number; key: string } };
  return { id: data.id, call: s.api.anonymous(data.key) };
}
const add = (call: Awaited<ReturnType<typeof key>>['call'], path: string, types = ['balance.low']) =>
  call('POST', '/v1/callbacks', { url: s.receiver.url + path, types });
const cameAt = (path: string) => s.receiver.came.filter((each) => each.path === path);

test('a program subscribes, checks signatures, and ends the subscription', async () => {
  const { call } = await key();
  const added = await add(call, '/hook');
  assert.equal(added.status, 200, JSON.stringify(added.body));
  const { id, secret, ...rest } = added.body as Record<string, string>;
  assert.deepEqual(
    { ...rest, created_at: '' },
    {
      url: `${s.receiver.url}/hook`,
      types: ['balance.low'],
      description: null,
      status: 'active',
      created_at: '',
    },
  );
  await s.tell({});
  await until('the event came', () => cameAt('/hook').length === 1);
  const { headers, body } = cameAt('/hook')[0]!;
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mac = createHmac('sha256', Buffer.from(secret!.slice('whsec_'.length), 'base64'))
    .update(signed)
    .digest('base64');
  assert.equal(headers['webhook-signature'], `v1,${mac}`);
  assert.equal(codeOf(await add(call, '/hook')), '409 callback_already_exists');
  const listed = (await call('GET', '/v1/callbacks')).body as { data: { id: string }[] };
  assert.deepEqual(
    listed.data.map((each) => each.id),
    [id],
  );
  assert.equal((await call('DELETE', `/v1/callbacks/${id}`)).status, 200);
  assert.equal(codeOf(await call('DELETE', `/v1/callbacks/${id}`)), '404 not_found');
  await s.endpoint('/other');
  await s.tell({});
  await until('the next event came elsewhere', () => cameAt('/other').length === 1);
  assert.equal(cameAt('/hook').length, 1);
});

test('nothing is sent for a key that was revoked, not even what waits', async () => {
  const { id, call } = await key();
  s.receiver.answers.set('/leak', (response) => void response.writeHead(500).end());
  await add(call, '/leak');
  await s.tell({});
  await until('the first try failed', () => cameAt('/leak').length === 1);
  assert.equal((await s.corporate('POST', `/api/v1/api-keys/${id}/revoke`)).status, 200);
  await s.tell({});
  await s.endpoint('/witness');
  await s.hurry();
  await s.tell({});
  await until('another endpoint got the last event', () => cameAt('/witness').length >= 1);
  assert.equal(cameAt('/leak').length, 1);
  const { body } = await s.corporate('GET', '/api/v1/callbacks?per_page=100');
  const row = (body as { data: { url: string; key_ended: boolean; key_name: string }[] }).data.find(({ url }) =>
    url.endsWith('/leak'),
  )!;
  assert.deepEqual([row.key_ended, row.key_name], [true, `Hook ${made}`]);
});

test('an address that a test key adds gets only events of tests', async () => {
  const [live, tests] = [await key(), await key({ mode: 'test' })];
  const types = ['verification.approved'];
  assert.equal((await add(live.call, '/live', types)).status, 200);
  assert.equal((await add(tests.call, '/tests', types)).status, 200);
  const approved = (verification_id: number, test: boolean) =>
    s.tell({ type: 'verification.approved', data: { verification_id, test } });
  await approved(1, false);
  await approved(2, true);
  await until('the live address got both', () => cameAt('/live').length === 2);
  await until('the address of tests got one', () => cameAt('/tests').length >= 1);
  assert.deepEqual(
    cameAt('/tests').map(({ body }) => JSON.parse(body).data.id),
    ['2'],
  );
  // Each sees only the addresses of its own mode.
  const { data } = (await tests.call('GET', '/v1/callbacks')).body as { data: { url: string }[] };
  assert.deepEqual(
    data.map(({ url }) => url),
    [`${s.receiver.url}/tests`],
  );
});

test('a key needs the scopes of the events, and its person the rights', async () => {
  const blind = await key({ scopes: ['callbacks:write'] });
  assert.equal(codeOf(await add(blind.call, '/a')), '403 scope_missing');
  const half = await key({ scopes: ['callbacks:write', 'events:read'] });
  assert.equal(codeOf(await add(half.call, '/a', ['journey.step'])), '403 scope_missing');
  assert.equal(codeOf(await half.call('GET', '/v1/callbacks')), '403 scope_missing');
  for (const body of [
    { url: 'https://example.com/a' },
    { url: 'https://example.com/a', types: [] },
    { url: 'ftp://a', types: ['balance.low'] },
  ])
    assert.equal((await half.call('POST', '/v1/callbacks', body)).status, 422);
});

test('no program removes addresses of people or of another corporation', async () => {
  const { call } = await key();
  const own = await s.endpoint('/own');
  assert.equal(codeOf(await call('DELETE', `/v1/callbacks/${own}`)), '404 not_found');
  const { rows: foreign } = await s.api.database.pool('owner').query(
    `INSERT INTO callback_endpoint (corporation_id, url) SELECT id, 'https://example.com/foreign' FROM corporation
     WHERE id <> $1 LIMIT 1 RETURNING id`,
    [s.acme],
  );
  assert.equal(codeOf(await call('DELETE', `/v1/callbacks/${foreign[0].id}`)), '404 not_found');
});

test('programs add no more addresses than the bound, also in parallel', async () => {
  const { id, call } = await key();
  const there = await s.one<{ n: number }>(
    'SELECT count(*) AS n FROM callback_endpoint WHERE corporation_id = $1 AND api_key_id IS NOT NULL',
    [s.acme],
  );
  await s.all(
    `INSERT INTO callback_endpoint (corporation_id, url, types, api_key_id)
     SELECT $1, 'https://example.com/' || n, '{invoice.issued}', $2 FROM generate_series(1, $3) n`,
    [s.acme, id, MOST_CALLBACK_ADDRESSES - 1 - Number(there.n)],
  );
  const answers = await Promise.all(['/x', '/y', '/z'].map((path) => add(call, path, ['invoice.issued'])));
  assert.deepEqual(answers.map(codeOf).sort().slice(1), ['409 callback_addresses_full', '409 callback_addresses_full']);
});

test('samples have the form of the real events', async () => {
  const { call } = await key({ scopes: ['events:read'] });
  const all = await call('GET', '/v1/events/samples');
  const { data } = sampleEvents.reply.parse(all.body);
  assert.deepEqual(
    data.map(({ type }) => type),
    EVENT_TYPES,
  );
  const one = (await call('GET', '/v1/events/samples?type=message.received')).body as { data: { type: string }[] };
  assert.deepEqual(
    one.data.map(({ type }) => type),
    ['message.received'],
  );
});
