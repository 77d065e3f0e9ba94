import assert from 'node:assert/strict';
import { request as plainRequest } from 'node:http';
import { after, test } from 'node:test';
import { newKey } from '../../src/modules/api/key-material.ts';
import { addressGroup } from '../../src/platform/http/address-group.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { startTestApi } from '../test-api.ts';

const MAX = 60;
const api = await startTestApi({ after }, { settings: { CALLS_PER_MINUTE: String(MAX), TRUST_PROXY: '1' } });
let addresses = 0;
/** Returns an address without any earlier call. */
const newAddress = () => `198.51.100.${++addresses}`;

/** Calls a path exactly as it is written; `fetch` would normalize it. */
function call(address: string, path: string, { method = 'GET', token = '', body = '' } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((answer, fail) => {
    const headers = {
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const { port } = new URL(api.url);
    plainRequest({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      answer({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() });
    })
      .on('error', fail)
      .end(body);
  });
}

/** Lists ways to write a path that the router reads as the same path, or rejects. */
const written = (path: string) => [
  path,
  path.replace('a', '%61'),
  path.replace('/v1', '/%76%31'),
  `/${path}`,
  path.replace('/v1', '//v1'),
  `${path}/`,
  `${path};a=1`,
  path.toUpperCase(),
  `${path}%3fa=1`,
];

test('a path written in another way is limited and not cached, like the path itself', async () => {
  for (const path of ['/api/v1/page-configurations', '/v1/balance', '/broadcasting/auth'])
    for (const form of written(path)) {
      const address = newAddress();
      const first = await call(address, form);
      assert.equal(first.headers['cache-control'], 'no-store', form);
      assert.match(String(first.headers['content-type']), /json/, form);
      // Refused because of its spelling, before anything is looked up.
      if (first.status === 400) continue;
      const more = await Promise.all(Array.from({ length: MAX }, () => call(address, form)));
      assert.equal(more.filter(({ status }) => status === 429).length, 1, form);
    }
});

test('a call over the limit is told the limit and when it ends', async () => {
  const address = newAddress();
  const answers = await Promise.all(Array.from({ length: MAX + 1 }, () => call(address, '/v1/balance')));
  const { headers, text } = answers.find(({ status }) => status === 429)!;
  assert.equal(headers['ratelimit-policy'], `"calls";q=${MAX};w=60`);
  assert.match(String(headers['ratelimit']), /^"calls";r=0;t=\d+$/);
  assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 60);
  assert.equal((JSON.parse(text) as { code: string }).code, 'too_many_requests');
});

test('guessed keys are limited by address before they are looked up', async () => {
  const address = newAddress();
  const guesses = await Promise.all(
    Array.from({ length: MAX * 2 }, () => call(address, '/v1/balance', { token: newKey('live').key })),
  );
  assert.equal(guesses.filter(({ status }) => status === 401).length, MAX);
  assert.equal(guesses.filter(({ status }) => status === 429).length, MAX);
});

async function signIn(address: string, who: string): Promise<string> {
  const body = JSON.stringify({ username: `${who}@heliograph.test`, password: DEMO_PASSWORD });
  const { text } = await call(address, '/api/v1/oauth/token', { method: 'POST', body });
  return (JSON.parse(text) as { access_token: string }).access_token;
}

test('signed-in people behind one address have separate limits', async () => {
  const office = newAddress();
  const people = ['superadmin', 'corporate', 'department', 'user', 'readonly'];
  const tokens = await Promise.all(people.map((who) => signIn(office, who)));
  const profile = (token: string) => call(office, '/api/v1/profiles', { token });
  // A browser's first screen makes its calls at the same time.
  for (let round = 0; round < 2; round++)
    for (const token of tokens) {
      const screen = await Promise.all(Array.from({ length: 20 }, () => profile(token)));
      assert.deepEqual([...new Set(screen.map(({ status }) => status))], [200]);
    }
  const [greedy, modest] = tokens as [string, string];
  const many = await Promise.all(Array.from({ length: MAX }, () => profile(greedy)));
  assert.equal(many.filter(({ status }) => status === 200).length, MAX - 40);
  assert.equal((await profile(modest)).status, 200);
  // A stranger uses up the address's allowance.
  await Promise.all(Array.from({ length: MAX }, () => call(office, '/api/v1/page-configurations')));
  assert.equal((await call(office, '/api/v1/page-configurations')).status, 429);
  assert.equal((await profile(modest)).status, 200);
});

test('a session that has ended counts for its address again', async () => {
  const address = newAddress();
  const token = await signIn(address, 'user');
  assert.equal((await call(address, '/api/v1/profiles', { token })).status, 200);
  await call(address, '/api/v1/logout', { method: 'POST', token });
  const answers = [];
  for (let i = 0; i < MAX + 2; i++) answers.push((await call(address, '/api/v1/profiles', { token })).status);
  assert.equal(answers[0], 401);
  assert.equal(answers.at(-1), 429);
});

test('files, probes and short links are not counted', async () => {
  const address = newAddress();
  for (const path of ['/healthz', '/s/AAAAAAA'])
    for (let i = 0; i < MAX + 1; i++) assert.notEqual((await call(address, path)).status, 429, path);
});

test('IPv6 addresses are counted by the /64 of one customer', () => {
  assert.equal(addressGroup('203.0.113.7'), '203.0.113.7');
  assert.equal(addressGroup('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(addressGroup('2001:db8:0:1::5'), '2001:db8:0:1::/64');
  assert.equal(addressGroup('2001:0DB8::1:2:3:4:5'), addressGroup('2001:db8:0:1:ffff::'));
  assert.equal(addressGroup('::1'), '0:0:0:0::/64');
});
