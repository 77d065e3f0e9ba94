import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { refreshSession } from '../../src/modules/identity/session-tokens.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { secretKey } from '../../src/platform/process/seal.ts';
import { type Answer, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const PASSWORD = 'Helio#2026';
const owner = api.database.pool('owner');

interface Tokens {
  access_token: string;
  refresh_token: string;
  verified: boolean;
}

const bodyOf = <B>({ body }: Answer) => body as B;
const codeOf = (answer: Answer) => bodyOf<{ code?: string }>(answer).code;

async function enter(who: string, password = PASSWORD): Promise<Tokens> {
  const answer = await api.anonymous()('POST', '/api/v1/oauth/token', { username: `${who}@heliograph.test`, password });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return bodyOf<Tokens>(answer);
}
const refresh = (refresh_token: string) =>
  api.anonymous()('POST', '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token,
    client_id: 2,
    client_secret: '',
    scope: '',
  });

/** Number of rounds in which 50 tabs refresh at the same time; `npm run soak` sets more. */
const ROUNDS = Number(process.env['FAULT_REFRESH_ROUNDS']) || 20;

test(`fifty parallel refreshes return one successor, in each of ${ROUNDS} rounds`, async () => {
  const identity = { authDb: api.database.db('auth'), key: secretKey(api.config), clock: systemClock };
  let { refresh_token } = await enter('reseller');
  for (let round = 0; round < ROUNDS; round++) {
    const all = await Promise.all(Array.from({ length: 50 }, () => refreshSession(identity, refresh_token)));
    const successors = new Set(all.map((tokens) => tokens.refresh_token));
    assert.equal(successors.size, 1, `round ${round}`);
    refresh_token = [...successors][0]!;
  }
  const { access_token } = bodyOf<Tokens>(await refresh(refresh_token));
  assert.equal((await api.anonymous(access_token)('GET', '/api/v1/profiles')).status, 200);
});

test('an old refresh token used after its grace period ends the whole session', async () => {
  const first = await enter('readonly');
  const second = bodyOf<Tokens>(await refresh(first.refresh_token));
  await owner.query("UPDATE session_token SET used_at = used_at - interval '31 s' WHERE used_at IS NOT NULL");
  assert.equal(codeOf(await refresh(first.refresh_token)), 'refresh_token_invalid');
  assert.equal((await api.anonymous(second.access_token)('GET', '/api/v1/profiles')).status, 401);
  assert.equal((await refresh(second.refresh_token)).status, 401);
});

test('people see and end only their own sessions: one, all others, or all', async () => {
  const [here, there, elsewhere] = await Promise.all([enter('department'), enter('department'), enter('department')]);
  const me = api.anonymous(here.access_token);
  type List = { data: { id: string; current: boolean; ip: string }[] };
  const list = async () => bodyOf<List>(await me('GET', '/api/v1/sessions')).data;
  const all = await list();
  assert.equal(all.length, 3);
  assert.equal(all.filter(({ current }) => current).length, 1);
  const [other] = all.filter(({ current }) => !current);
  const stranger = api.anonymous((await enter('corporate')).access_token);
  assert.equal((await stranger('POST', '/api/v1/sessions/end', { sessions: other!.id })).status, 404);
  assert.equal((await me('POST', '/api/v1/sessions/end', { sessions: other!.id })).status, 200);
  assert.equal((await list()).length, 2);
  assert.equal((await me('POST', '/api/v1/sessions/end', { sessions: 'others' })).status, 200);
  for (const { access_token } of [there, elsewhere]) {
    const answer = await api.anonymous(access_token)('GET', '/api/v1/profiles');
    assert.deepEqual(
      [answer.status, codeOf(answer), bodyOf<{ logout: boolean }>(answer).logout],
      [422, 'session_ended', true],
    );
  }
  assert.deepEqual(
    (await list()).map(({ current }) => current),
    [true],
  );
  assert.equal((await me('POST', '/api/v1/sessions/end', { sessions: 'all' })).status, 200);
  assert.equal((await me('GET', '/api/v1/sessions')).status, 401, 'ended by oneself: plainly over');
});

test('a session that waits for its code may only call the code’s paths and sign out', async () => {
  await owner.query("UPDATE user_account SET otp = true WHERE email = 'user@heliograph.test'");
  const { access_token, verified } = await enter('user');
  assert.equal(verified, false);
  const waiting = api.anonymous(access_token);
  for (const [method, path] of [
    ['GET', '/api/v1/campaigns'],
    ['GET', '/api/v1/sessions'],
    ['PATCH', '/api/v1/profiles'],
    ['POST', '/api/v1/password/change'],
    ['POST', '/api/v1/two-factor/begin'],
    ['POST', '/broadcasting/auth'],
  ] as const)
    assert.equal((await waiting(method, path, method === 'GET' ? undefined : {})).status, 401, path);
  assert.equal(codeOf(await waiting('POST', '/api/v1/otp/verify', { code: '12345' })), 'validation_failed');
  assert.equal((await waiting('POST', '/api/v1/otp/verify', { code: '000000' })).status, 422);
  assert.equal((await waiting('POST', '/api/v1/otp/resend', {})).status, 429);
  assert.equal((await waiting('POST', '/api/v1/logout', {})).status, 200);
  await owner.query("UPDATE user_account SET otp = false WHERE email = 'user@heliograph.test'");
});

test('changing a password needs the current one, and ends the other sessions', async () => {
  const [here, there] = await Promise.all([enter('user'), enter('user')]);
  const me = api.anonymous(here.access_token);
  const change = (current_password: string, password: string) =>
    me('POST', '/api/v1/password/change', { current_password, password, password_confirmation: password });
  const errorsOf = (answer: Answer) => Object.keys(bodyOf<{ errors: object }>(answer).errors);
  assert.deepEqual(errorsOf(await change('Wrong#2026', 'Lantern#41')), ['current_password']);
  assert.deepEqual(errorsOf(await change(PASSWORD, 'lantern41')), ['password']);
  assert.deepEqual(errorsOf(await change(PASSWORD, PASSWORD)), ['password']);
  assert.equal((await change(PASSWORD, 'Lantern#41')).status, 200);
  assert.equal((await me('GET', '/api/v1/profiles')).status, 200);
  assert.equal((await api.anonymous(there.access_token)('GET', '/api/v1/profiles')).status, 422);
  for (let i = 0; i < 5; i++) await change('Wrong#2026', 'Lantern#42');
  assert.equal((await change('Lantern#41', 'Lantern#42')).status, 429);
  assert.equal((await me('GET', '/api/v1/profiles')).status, 200, 'the session itself goes on');
});

/** Builds the smallest PNG, with a given width and height in its header. */
function png(width = 1, height = 1): Buffer {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

test('a picture must be PNG, JPEG or WebP by its bytes, and under 2 MB', async () => {
  const me = await api.as('corporate');
  const send = (bytes: Buffer, name: string, type: string) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)], { type }), name);
    return me('POST', '/api/v1/profiles/image', form);
  };
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><rect width="10" height="10"/></svg>',
  );
  const html = Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(80));
  for (const bytes of [
    svg,
    html,
    Buffer.from('GIF89a'.padEnd(60)),
    png(5000, 10),
    png(0, 10),
    Buffer.alloc(40),
    Buffer.alloc(0),
  ])
    assert.equal(codeOf(await send(bytes, 'picture.png', 'image/png')), 'image_unusable');
  assert.equal((await send(Buffer.concat([png(), Buffer.alloc(2 * 1024 * 1024)]), 'big.png', 'image/png')).status, 413);
  const saved = await send(png(), '../../evil.svg', 'image/svg+xml');
  assert.equal(saved.status, 200);
  const { image_path } = bodyOf<{ image_path: string }>(saved);
  const shown = await api.anonymous()('GET', image_path);
  assert.deepEqual(
    [shown.status, shown.headers.get('content-type'), shown.headers.get('x-content-type-options')],
    [200, 'image/png', 'nosniff'],
  );
  assert.match(shown.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal((await me('DELETE', '/api/v1/profiles/image')).status, 200);
  assert.equal((await api.anonymous()('GET', image_path)).status, 404);
});

test('a landing page must be allowed; if its right is lost, another one opens', async () => {
  const me = await api.as('readonly');
  type Profile = { profile: { landing_page: string; chosen_landing_page: string } };
  const landing = async () => bodyOf<Profile>(await me('GET', '/api/v1/profiles')).profile;
  assert.equal((await me('PATCH', '/api/v1/profiles', { landing_page: 'links' })).status, 422);
  assert.equal((await me('PATCH', '/api/v1/profiles', { landing_page: 'number-lists' })).status, 200);
  assert.equal((await landing()).landing_page, 'number-lists');
  await owner.query(`DELETE FROM role_permission WHERE permission_id = (SELECT id FROM permission WHERE name = 'number-lists-index')
    AND role_id = (SELECT id FROM role WHERE name = 'read_only_user')`);
  assert.deepEqual(
    [(await landing()).landing_page, (await landing()).chosen_landing_page],
    ['dashboard', 'number-lists'],
  );
});
