import assert from 'node:assert/strict';
import { request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { titleOf, typeOf } from '@heliograph/contract/kernel/error-names';
import { ERRORS, type ErrorCode, type Problem } from '@heliograph/contract/kernel/errors';
import { until } from '@heliograph/fault-kit';
import { DEMO_PASSWORD } from '../src/seed/demo-logins.ts';
import { sentencesOf } from './sentences.ts';
import { startTestApi } from './test-api.ts';

const api = await startTestApi({ after });
const DEPARTMENTS = '/api/v1/departments';

/** Makes a call with plain HTTP, without any client. */
async function raw(method: string, path: string, headers: Record<string, string> = {}, body?: string) {
  const response = await fetch(api.url + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: json && text ? (JSON.parse(text) as Problem) : text,
  };
}

/** Checks the one error body: RFC 9457 plus the fields that a person reads. */
function assertProblem(answer: { status: number; headers: Headers; body: unknown }, status: number, code: string) {
  const body = answer.body as Problem;
  assert.equal(answer.status, status, JSON.stringify(body));
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  assert.equal(body.type, `/problems/${code}`);
  assert.equal(body.title, titleOf(code as ErrorCode));
  assert.match(body.request_id, /^[0-9a-f]{16}$/);
  assert.ok(body.title.length > 5 && body.message.length > 3, JSON.stringify(body));
  const shown = JSON.stringify(body);
  assert.ok(!/stack|node_modules|\.ts:|SELECT|constraint|postgres/i.test(shown), shown);
}

test('every refusal has the one error body, whatever the cause', async () => {
  const client = await api.as('superadmin');
  const json = { 'content-type': 'application/json' };
  assertProblem(await raw('GET', DEPARTMENTS), 401, 'unauthenticated');
  assertProblem(await raw('GET', '/api/v1/no-such-call'), 404, 'not_found');
  assertProblem(await raw('POST', '/api/v1/page-configurations', json, '{}'), 405, 'method_not_allowed');
  assertProblem(await raw('POST', '/api/v1/oauth/token', json, '{"username":'), 400, 'malformed_request');
  assertProblem(
    await raw('POST', '/api/v1/oauth/token', { 'content-type': 'text/html' }, '<p>'),
    415,
    'unsupported_media_type',
  );
  const large = JSON.stringify({ username: 'x'.repeat(2_000_000) });
  assertProblem(await raw('POST', '/api/v1/oauth/token', json, large), 413, 'payload_too_large');
  assertProblem(await raw('GET', '/api/v1/%ff'), 400, 'malformed_request');
  assertProblem(await client('GET', `${DEPARTMENTS}/999999999`), 404, 'not_found');
  assertProblem(await client('POST', DEPARTMENTS, {}), 422, 'validation_failed');
  assertProblem(await client('POST', DEPARTMENTS, []), 422, 'validation_failed');
  assertProblem(await (await api.as('readonly'))('POST', DEPARTMENTS, {}), 403, 'forbidden');
});

test('a refusal is in the language of the cookie, else of the profile, else English', async () => {
  const client = await api.as('corporate');
  const read = async (cookie?: string) =>
    ((await client('POST', DEPARTMENTS, {}, cookie ? { cookie } : {})).body as Problem).message;
  const said = (locale: 'en' | 'cn' | 'zh' | 'fp') => sentencesOf(locale).get('errors.validation_failed');
  for (const locale of ['en', 'cn', 'zh', 'fp'] as const) assert.equal(await read(`locale=${locale}`), said(locale));
  assert.equal(await read(), said('en'));
  assert.equal(await read('locale=xx'), said('en'));
  await api.database
    .pool('owner')
    .query("UPDATE user_account SET preferred_language = 'cn' WHERE email = 'corporate@heliograph.test'");
  assert.equal(await read(), said('cn'));
  const { body } = await client('PATCH', '/api/v1/profiles', {});
  assert.equal((body as { message: string }).message, sentencesOf('cn').get('profile.saved'));
});

test('every error of the catalog has a fitting status', () => {
  for (const [code, { status }] of Object.entries(ERRORS)) assert.ok(status >= 400 && status < 600, code);
});

test('signing in works with JSON and with a form, and errors reveal nothing', async () => {
  const username = 'corporate@heliograph.test';
  const form = new URLSearchParams({ username, password: DEMO_PASSWORD });
  const header = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await raw('POST', '/api/v1/oauth/token', header, form.toString())).status, 200);
  const wrong = async (body: object) => {
    const answer = await api.anonymous()('POST', '/api/v1/oauth/token', body);
    assertProblem(answer, 401, 'wrong_credentials');
    return (answer.body as Problem).message;
  };
  assert.equal(
    await wrong({ username, password: 'wrong' }),
    await wrong({ username: 'unknown@heliograph.test', password: 'wrong' }),
  );
});

test('a change authorized only by a browser’s cookie needs the anti-forgery pair', async () => {
  const first = await raw('GET', '/api/v1/page-configurations');
  const token = /XSRF-TOKEN=([^;]+)/.exec(first.headers.get('set-cookie') ?? '')?.[1];
  assert.ok(token);
  const post = (headers: Record<string, string>) =>
    raw(
      'POST',
      '/api/v1/oauth/token',
      { 'content-type': 'application/json', ...headers },
      '{"username":"a","password":"b"}',
    );
  const cookie = `XSRF-TOKEN=${token}`;
  assertProblem(await post({ cookie }), 403, 'csrf_token_mismatch');
  assertProblem(await post({ cookie, 'x-xsrf-token': 'guess' }), 403, 'csrf_token_mismatch');
  assertProblem(await post({ cookie, 'x-xsrf-token': token }), 401, 'wrong_credentials');
});

test('every answer forbids sniffing, framing and inline script', async () => {
  for (const path of ['/api/v1/page-configurations', '/healthz', DEPARTMENTS]) {
    const { headers } = await raw('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
  }
});

test('the error for an unreadable call tells the program what to change', async () => {
  const json = { 'content-type': 'application/json' };
  const sentence = (code: string) => sentencesOf('en').get(`for_programs.${code}`);
  const cases: [Awaited<ReturnType<typeof raw>>, number, string][] = [
    [await raw('GET', '/v1/balance'), 401, 'unauthenticated'],
    [await raw('GET', '/v1/balances'), 404, 'not_found'],
    [await raw('GET', '/v1/%ff'), 400, 'malformed_request'],
  ];
  for (const [answer, status, code] of cases) {
    assertProblem(answer, status, code);
    assert.equal((answer.body as Problem).message, sentence(code));
  }
  const people = await raw('POST', '/api/v1/oauth/token', json, '{');
  assert.equal((people.body as Problem).message, sentencesOf('en').get('errors.malformed_request'));
});

test('invalid HTTP has the one error body too', async () => {
  const { port } = new URL(api.url);
  for (const [words, status, code] of [
    [`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GARBAGE\r\n\r\n', 400, 'malformed_request'],
  ] as const) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(words);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    assertProblem({ status: Number(head.split(' ')[1]), headers, body: JSON.parse(body) }, status, code);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('a refusal of a token explains in WWW-Authenticate how to authenticate', async () => {
  const challengeOf = async (path: string, headers = {}) =>
    (await raw('GET', path, headers)).headers.get('www-authenticate');
  for (const path of [DEPARTMENTS, '/v1/balance']) {
    assert.equal(await challengeOf(path), 'Bearer realm="api"');
    assert.equal(await challengeOf(path, { authorization: 'Bearer x' }), 'Bearer realm="api", error="invalid_token"');
  }
  assert.equal(await challengeOf('/v1/openapi.json'), null);
});

test('a wrong method is answered with 405 and OPTIONS with 204, both with Allow', async () => {
  const allowOf = async (method: string, path: string, body?: string) => {
    const answer = await raw(method, path, {}, body);
    return [answer.status, answer.headers.get('allow'), (answer.body as Problem).code];
  };
  const wrong = (allow: string) => [405, allow, 'method_not_allowed'];
  assert.deepEqual(await allowOf('PUT', DEPARTMENTS, 'not even JSON'), wrong('GET, HEAD, POST, OPTIONS'));
  assert.deepEqual(await allowOf('POST', `${DEPARTMENTS}/1`), wrong('GET, HEAD, PATCH, DELETE, OPTIONS'));
  assert.deepEqual(await allowOf('PATCH', '/v1/balance'), wrong('GET, HEAD, OPTIONS'));
  assert.deepEqual(await allowOf('GET', '/v1/batches'), wrong('POST, OPTIONS'));
  assert.deepEqual(await allowOf('DELETE', '/v1/openapi.json'), wrong('GET, HEAD, OPTIONS'));
  // A path that also matches the parameter of another path keeps its own answer.
  assert.deepEqual(await allowOf('GET', '/v1/messages/estimate'), [401, null, 'unauthenticated']);
  assert.deepEqual((await allowOf('PUT', '/v1/messages/estimate'))[1], 'GET, HEAD, POST, DELETE, OPTIONS');
  assert.deepEqual(await allowOf('OPTIONS', '/v1/messages'), [204, 'GET, HEAD, POST, OPTIONS', undefined]);
  // No page of another origin may call: a key in a browser is public.
  const asked = await raw('OPTIONS', '/v1/messages', {
    origin: 'https://shop.test',
    'access-control-request-method': 'POST',
  });
  assert.deepEqual(
    [...asked.headers.keys()].filter((name) => name.startsWith('access-control')),
    [],
  );
  const head = await raw('HEAD', '/v1/openapi.json');
  assert.deepEqual([head.status, head.body], [200, '']);
  assertProblem(await raw('POST', '/v1/no-such-call'), 404, 'not_found');
});

test('the type of every error is the address of a page that explains it', async () => {
  const names = new Set<string>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    names.add(titleOf(code));
    const page = await raw('GET', typeOf(code));
    assert.equal(page.status, 200, code);
    const text = String(page.body);
    assert.ok(text.includes(`<h1>${titleOf(code)}</h1>`) && text.includes(`<code>${code}</code>`), code);
    assert.ok(!/\{\{|>errors\.|>outages\./.test(text), text);
  }
  assert.equal(names.size, Object.keys(ERRORS).length);
  const { headers, body } = await raw('GET', typeOf('scope_missing'), { cookie: 'locale=cn' });
  assert.match(String(body), /<p lang="zh-Hans">此密钥没有权限范围/);
  assert.match(headers.get('content-security-policy') ?? '', /style-src 'self' 'nonce-[\w-]{22}'/);
  for (const path of ['/problems/constructor', '/problems/none', '/problems'])
    assertProblem(await raw('GET', path), 404, 'not_found');
});

test('the API document never contains the Host header of a request', async () => {
  const { host, servers } = await new Promise<{ host: boolean; servers: unknown }>((done, failed) => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' };
    plainRequest(`${api.url}/v1/openapi.json`, { headers }, async (response) => {
      const text = (await response.toArray()).join('');
      done({ host: text.includes('evil'), servers: JSON.parse(text).servers });
    })
      .on('error', failed)
      .end();
  });
  assert.equal(host, false);
  assert.deepEqual(servers, [{ url: '/' }]);
});

test('a call that fails inside leaves nothing half-made', async () => {
  const client = await api.as('superadmin');
  const owner = api.database.pool('owner');
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  // The activity log is written after the record, in the same transaction: if that fails, there is no record.
  await owner.query('REVOKE INSERT ON activity_log FROM heliograph_api');
  const failed = await client('POST', DEPARTMENTS, { corporation_id: rows[0]!.id, name: 'Half made' });
  await owner.query('GRANT INSERT ON activity_log TO heliograph_api');
  assertProblem(failed, 500, 'internal_error');
  const { rowCount } = await owner.query("SELECT FROM department WHERE name = 'Half made'");
  assert.equal(rowCount, 0);
});

test('a temporary database failure is reported as worth a retry', async () => {
  const owner = await api.database.pool('owner').connect();
  await owner.query('BEGIN; LOCK TABLE department IN ACCESS EXCLUSIVE MODE');
  const asking = (await api.as('superadmin'))('GET', DEPARTMENTS);
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until('the call waits, and is cancelled', async () => (await owner.query(cancel)).rowCount !== 0);
  await owner.query('ROLLBACK');
  owner.release();
  const { status, body } = await asking;
  assert.deepEqual([status, (body as Problem).code], [503, 'unavailable']);
});

test('only one of two simultaneous records with the same name is created', async () => {
  const client = await api.as('superadmin');
  const { rows } = await api.database
    .pool('owner')
    .query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client('POST', DEPARTMENTS, { corporation_id: rows[0]!.id, name: 'Twins' })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  for (const answer of answers) if (answer.status !== 201) assertProblem(answer, 409, 'department_already_exists');
});

test('a caller that disconnects or sends half a body disturbs nobody', async () => {
  const { port } = new URL(api.url);
  for (let i = 0; i < 10; i++) {
    const broken = plainRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/v1/oauth/token',
      headers: { 'content-type': 'application/json', 'content-length': 1000 },
    });
    broken.on('error', () => undefined);
    broken.write('{"username":');
    setTimeout(() => broken.destroy(), 5);
  }
  assert.equal((await raw('GET', '/healthz')).status, 200);
});
