import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, test } from 'node:test';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import type { BusinessError } from '../../src/platform/errors.ts';

// Attacks that a stranger tries on the sign-in. The tests count calls of the hash function, because the hashes decide
// the time of an answer. The counter must be in place before any part of the server is loaded.

let hashes = 0;
const { argon2 } = crypto;
crypto.argon2 = ((...given: Parameters<typeof argon2>) => {
  hashes++;
  return argon2(...given);
}) as typeof argon2;
syncBuiltinESMExports();
const { addressLimit } = await import('../../src/modules/identity/address-limit.ts');
const { codeOf } = await import('../../src/modules/identity/second-factor.ts');
const { signIn } = await import('../../src/modules/identity/sign-in.ts');
const { secretKey } = await import('../../src/platform/process/seal.ts');
const { systemClock } = await import('../../src/platform/clock.ts');
const { DEMO_PASSWORD } = await import('../../src/seed/demo-logins.ts');
const { startTestApi } = await import('../test-api.ts');

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const at = (who: string) => `${who}@heliograph.test`;
const anybody = api.anonymous();
const bodyOf = (body: unknown) => body as { code?: string; access_token: string; refresh_token: string };
const enter = (username: string, password: string) => anybody('POST', '/api/v1/oauth/token', { username, password });

/** Returns the number of hashes that a call takes, and its answer without the request's id. */
async function priceOf(call: () => ReturnType<typeof anybody>): Promise<{ hashes: number; answer: unknown }> {
  const before = hashes;
  const { status, body, headers } = await call();
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  return { hashes: hashes - before, answer: [status, rest, headers.get('retry-after'), headers.get('set-cookie')] };
}

test('known and unknown people get the same answer, after the same number of hashes', async () => {
  const wrong = { password: 'Wrong#2026' };
  const renewal = { current_password: 'Wrong#2026', password: 'Lantern#41', password_confirmation: 'Lantern#41' };
  await owner.query(`UPDATE user_account SET enabled = false WHERE email = '${at('readonly')}'`);
  // Up to the sixth failure, which finds the account locked.
  for (let round = 0; round < 6; round++) {
    const prices = [];
    for (const username of [at('user'), at('readonly'), at('nobody')])
      prices.push(await priceOf(() => enter(username, wrong.password)));
    assert.deepEqual(prices[0], prices[2], `round ${round}`);
    assert.deepEqual(prices[1], prices[2], `round ${round}: switched off`);
    assert.equal(prices[0]!.hashes, round < 5 ? 1 : 0);
  }
  await owner.query(
    'UPDATE user_account SET locked_until = NULL, failed_sign_ins = 0, enabled = true; DELETE FROM unknown_sign_in',
  );
  for (const [path, known, unknown] of [
    ['password/reset-expired-password', { username: at('user'), ...renewal }, { username: at('nobody'), ...renewal }],
    ['password/forgot-password', { email: at('user') }, { email: at('nobody') }],
  ] as const) {
    const call = (body: object) => priceOf(() => anybody('POST', `/api/v1/${path}`, body));
    assert.deepEqual(await call(known), await call(unknown), path);
  }
  await owner.query('UPDATE user_account SET locked_until = NULL, failed_sign_ins = 0');
});

test('fifty addresses together get no more guesses at a password than one address', async () => {
  const identity = { authDb: api.database.db('auth'), key: secretKey(api.config), clock: systemClock };
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      signIn(
        identity,
        { request: { ip: `198.51.100.${i}`, userAgent: 'script', host: 'localhost' } },
        { username: at('corporate'), password: `Guess#${1000 + i}` },
      ).then(
        () => 'in',
        (error: BusinessError) => error.code,
      ),
    ),
  );
  assert.equal(answers.filter((code) => code === 'wrong_credentials').length, 5);
  assert.equal(answers.filter((code) => code === 'account_locked').length, 45);
  assert.equal(bodyOf((await enter(at('corporate'), DEMO_PASSWORD)).body).code, 'account_locked');
  await owner.query('UPDATE user_account SET locked_until = NULL, failed_sign_ins = 0');
});

test('one password tried with many names is stopped for that address only', async () => {
  // An address may fail 60 times a minute. The failures are counted directly here, to save a hash for each.
  for (let i = 0; i < 60; i++) addressLimit.count('127.0.0.1', new Date());
  const stopped = await enter('person61@lamp.test', 'Summer#2026');
  assert.deepEqual([stopped.status, bodyOf(stopped.body).code], [429, 'too_many_requests']);
  assert.ok(Number(stopped.headers.get('retry-after')) > 0);
  const identity = { authDb: api.database.db('auth'), key: secretKey(api.config), clock: systemClock };
  const elsewhere = { request: { ip: '203.0.113.9', userAgent: 'browser', host: 'localhost' } };
  assert.ok((await signIn(identity, elsewhere, { username: at('user'), password: DEMO_PASSWORD })).access_token);
});

/** Signs in from another address, so the limit of this test's own address does not apply. */
async function session(who: string) {
  const identity = { authDb: api.database.db('auth'), key: secretKey(api.config), clock: systemClock };
  const request = { ip: '203.0.113.10', userAgent: 'browser', host: 'localhost' };
  return signIn(identity, { request }, { username: at(who), password: DEMO_PASSWORD });
}

test('a code guessed over many connections gets five tries, and opens no session', async () => {
  await owner.query(`UPDATE user_account SET otp = true WHERE email = '${at('department')}'`);
  const { access_token, refresh_token } = await session('department');
  const client = api.anonymous(access_token);
  const { rows } = await owner.query('SELECT id FROM otp_challenge ORDER BY created_at DESC LIMIT 1');
  const right = Number(codeOf(secretKey(api.config), rows[0].id));
  const guesses = Array.from({ length: 50 }, (_, i) => String((right + 1 + i) % 1_000_000).padStart(6, '0'));
  const answers = await Promise.all(guesses.map((code) => client('POST', '/api/v1/otp/verify', { code })));
  assert.equal(answers.filter(({ body }) => bodyOf(body).code === 'otp_invalid').length, 5);
  const late = await client('POST', '/api/v1/otp/verify', { code: String(right).padStart(6, '0') });
  assert.equal(bodyOf(late.body).code, 'otp_too_many_tries');
  // A renewed token has no more rights than the first, and opens no live channel.
  const renewed = await anybody('POST', '/oauth/token', { grant_type: 'refresh_token', refresh_token });
  for (const token of [access_token, bodyOf(renewed.body).access_token]) {
    assert.equal((await api.anonymous(token)('GET', '/api/v1/departments')).status, 401);
    for (const path of ['/broadcasting/auth', '/broadcasting/user-auth'])
      assert.equal(
        (await api.anonymous(token)('POST', path, { socket_id: '1.1', channel_name: 'private-application.1' })).status,
        401,
        path,
      );
  }
  await owner.query(`UPDATE user_account SET otp = false WHERE email = '${at('department')}'`);
});

test('a token works only unchanged, for its own purpose, until the sign-out', async () => {
  const { access_token, refresh_token } = await session('user');
  const kept = await api.anonymous(access_token)('GET', '/api/v1/profiles');
  assert.equal(kept.headers.get('cache-control'), 'no-store');
  const profile = (token: string) => api.anonymous(token)('GET', '/api/v1/profiles');
  const renew = (token: string) =>
    anybody('POST', '/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
  assert.equal((await profile(refresh_token)).status, 401);
  assert.equal((await renew(access_token)).status, 401);
  for (const changed of [access_token.slice(1), `${access_token}A`, access_token.toLowerCase()])
    assert.equal((await profile(changed)).status, 401);
  assert.equal(
    (await anybody('GET', `/api/v1/profiles?access_token=${access_token}&token=${access_token}`)).status,
    401,
  );
  assert.equal((await anybody('GET', '/api/v1/profiles', undefined, { cookie: `token=${access_token}` })).status, 401);
  assert.equal((await profile(access_token)).status, 200);
  await api.anonymous(access_token)('POST', '/api/v1/logout', {});
  assert.equal((await profile(access_token)).status, 401);
  assert.equal((await renew(refresh_token)).status, 401);
});

test('a cookie alone, without the matching header, makes no call that changes anything', async () => {
  const first = await fetch(`${api.url}/api/v1/page-configurations`);
  const pair = /XSRF-TOKEN=([^;]+)/.exec(first.headers.get('set-cookie') ?? '')![1]!;
  const cookie = `XSRF-TOKEN=${pair}; other=1`;
  const writes = ALL_OPERATIONS.filter((o) => o.method !== 'GET');
  const others = ['/broadcasting/auth', '/broadcasting/user-auth'].map((path) => ({ method: 'POST', path }));
  for (const { method, path } of [...writes, ...others])
    for (const header of [undefined, '', `${pair}x`, pair.slice(1), pair.toUpperCase()]) {
      const { status, body } = await anybody(
        method,
        path.replace(/:\w+/g, '1'),
        {},
        {
          cookie,
          ...(header !== undefined && { 'x-xsrf-token': header }),
        },
      );
      assert.deepEqual([status, bodyOf(body).code], [403, 'csrf_token_mismatch'], `${method} ${path}`);
      if (path !== '/api/v1/oauth/token') break;
    }
});

test('the only cookie goes to its own site only, with the strictest flags it can have', async () => {
  const cookieOf = async (headers: Record<string, string>) =>
    (await fetch(`${api.url}/api/v1/page-configurations`, { headers })).headers.getSetCookie();
  const [plain, ...more] = await cookieOf({});
  assert.deepEqual(more, []);
  const flags = (cookie: string) => cookie.split('; ').slice(1).sort();
  assert.match(plain!, /^XSRF-TOKEN=[\w-]{32};/);
  assert.deepEqual(flags(plain!), ['Path=/', 'SameSite=Strict']);
  assert.notEqual((await cookieOf({}))[0], plain, 'each visitor has one of their own');
  assert.deepEqual(await cookieOf({ cookie: plain!.split(';')[0]! }), [], 'and keeps it');
  // Any client can claim that it used TLS; only a trusted proxy is believed.
  assert.deepEqual(flags((await cookieOf({ 'x-forwarded-proto': 'https' }))[0]!), ['Path=/', 'SameSite=Strict']);
});

test('behind a proxy that ends TLS, the cookie is sent over TLS only', async (t) => {
  const proxied = await startTestApi(t, { settings: { TRUST_PROXY: 'true', PUBLIC_URL: 'https://console.lamp.test' } });
  const { headers } = await fetch(`${proxied.url}/api/v1/page-configurations`, {
    headers: { 'x-forwarded-proto': 'https' },
  });
  assert.match(headers.getSetCookie()[0]!, /; Secure/);
  assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d{7,}/);
});

test('every page and answer forbids foreign scripts, foreign sources and frames', async () => {
  const paths = [
    '/',
    '/login',
    '/verify-otp',
    '/users/1',
    '/no/such/page',
    '/assets/none.js',
    '/healthz',
    '/api/v1/roles',
  ];
  for (const path of paths) {
    const { headers } = await fetch(api.url + path);
    const policy = new Map(
      (headers.get('content-security-policy') ?? '').split(';').map((part) => {
        const [name = '', ...sources] = part.trim().split(' ');
        return [name, sources.join(' ')] as const;
      }),
    );
    const strict = {
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
    };
    for (const [name, sources] of Object.entries({ ...strict, 'base-uri': "'none'", 'form-action': "'self'" }))
      assert.equal(policy.get(name), sources, `${path} ${name}`);
    for (const [name, sources] of policy) {
      assert.doesNotMatch(sources, /\*|https?:|unsafe/, `${path} ${name}`);
    }
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    assert.equal(headers.get('x-frame-options'), 'DENY', path);
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path);
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path);
    assert.match(headers.get('permissions-policy') ?? '', /camera=\(\).*geolocation=\(\).*microphone=\(\)/, path);
  }
  // An address that the router itself refuses is not a page.
  const { headers } = await fetch(`${api.url}/%ff`);
  assert.equal(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});
