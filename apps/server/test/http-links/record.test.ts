import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { dataOf, errorsOf } from '../answers.ts';
import { LINKS, newLink } from '../links/link-calls.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const admin = await api.as('admin');
const { mapping } = HTTP_PRESETS.vonage;
const httpLink = (http: object = {}, more: object = {}) =>
  newLink({ protocol: 'http', http: { ...mapping, user: 'acme', ...http }, name: `H${Math.random()}`, ...more });

test('a link over HTTP takes host, port and encryption from its address', async () => {
  const made = await admin(
    'POST',
    LINKS,
    httpLink({ url: 'https://api.example.com:8443/sms' }, { password: 'k'.repeat(100) }),
  );
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const row = dataOf<Record<string, unknown>>(made);
  assert.deepEqual(
    [row['host'], row['port'], row['tls'], row['system_id'], row['id_rule'], row['password']],
    ['api.example.com', 8443, true, 'acme', 'as_is', undefined],
  );
  const path = `${LINKS}/${String(row['id'])}`;
  const moved = await admin('PATCH', path, { http: { ...mapping, url: 'https://elsewhere.example/sms' } });
  assert.deepEqual(Object.keys(errorsOf(moved)), ['password'], 'a stored password is never sent to another host');
  const http = { ...mapping, user: 'acme', url: 'https://api.example.com:8443/other' };
  assert.equal((await admin('PATCH', path, { http })).status, 200);
});

test('a mapping that cannot work is refused by its field', async () => {
  const faults = async (http: object | null, more: object = {}) => {
    const body = { ...httpLink({}, more), ...(http === null ? { http: null } : { http: { ...mapping, ...http } }) };
    return Object.keys(errorsOf(await admin('POST', LINKS, body)));
  };
  assert.deepEqual(await faults(null), ['http']);
  assert.deepEqual(await faults({ encoding: 'json', body: '' }), ['http.body']);
  assert.deepEqual(await faults({ recipients: 10, list: '' }), ['http.list']);
  assert.deepEqual(await faults({ signature: 'hmac_sha256_hex' }), ['http.signature_header']);
  assert.deepEqual(await faults({ poll_receipts: 'https://thief.example/?key={password}' }), ['http.poll_receipts']);
  assert.deepEqual(await faults({ url: 'https://{to}.example/' }), ['http.url']);
  const smpp = await admin('POST', LINKS, newLink({ name: 'Long', password: 'x'.repeat(65) }));
  assert.deepEqual(Object.keys(errorsOf(smpp)), ['password']);
});

test('callback addresses are shown to administrators, and replaced on request', async () => {
  const { id } = dataOf<{ id: number }>(await admin('POST', LINKS, httpLink()));
  const path = `${LINKS}/${id}/callback-addresses`;
  const { receipts, replies } = dataOf<{ receipts: string; replies: string }>(await admin('GET', path));
  assert.match(receipts, /\/carrier-callbacks\/[0-9a-f-]{36}\/receipts$/);
  const call = (address: string) =>
    fetch(`${api.url}${new URL(address).pathname}?messageId=1&status=delivered&msisdn=639`);
  assert.equal((await call(receipts)).status, 200);
  const renewed = dataOf<{ receipts: string }>(await admin('POST', path));
  assert.notEqual(renewed.receipts, receipts);
  assert.equal((await call(receipts)).status, 404);
  assert.equal((await call(renewed.receipts)).status, 200);
  assert.equal((await call(replies)).status, 404);
  const user = await api.as('user');
  assert.equal((await user('GET', path)).status, 403);
});

test('a connection test of a link over HTTP ends with the connection', async (t) => {
  const simulator = await startSimulator({ smppPort: 0, httpPort: 0 });
  t.after(() => simulator.stop());
  const body = {
    protocol: 'http',
    host: '127.0.0.1',
    port: simulator.httpPort,
    tls: false,
    system_id: 'x',
    bind_mode: 'transceiver',
  };
  const answer = await admin('POST', `${LINKS}/test-bind`, body);
  const { bound, steps } = dataOf<{ bound: boolean; steps: { outcome: string }[] }>(answer);
  assert.equal(bound, true);
  assert.deepEqual(
    steps.map(({ outcome }) => outcome),
    ['done', 'done', 'skipped', 'skipped'],
  );
});
