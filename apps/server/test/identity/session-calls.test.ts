import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLogger } from '../../src/platform/log.ts';
import { logBadSettings } from '../../src/platform/operator/settings.ts';
import { demoApi } from '../organizations/demo-api.ts';

const { as, call, database } = await demoApi();
const credentials = { username: 'user@heliograph.test', password: 'Helio#2026' };

test('sign-in takes JSON and forms, and refresh, profile and sign-out follow', async () => {
  const json = await call({ method: 'POST', url: '/api/v1/oauth/token', payload: credentials });
  const form = await call({
    method: 'POST',
    url: '/api/v1/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(credentials).toString(),
  });
  assert.deepEqual([json.status, form.status], [200, 200]);
  assert.deepEqual(Object.keys(json.body).sort(), Object.keys(form.body).sort());
  const refreshed = await call({
    method: 'POST',
    url: '/oauth/token',
    payload: {
      grant_type: 'refresh_token',
      refresh_token: json.body.refresh_token,
      client_id: 2,
      client_secret: 'any',
      scope: '',
    },
  });
  assert.equal(refreshed.status, 200);
  const headers = { authorization: `Bearer ${refreshed.body.access_token}` };
  assert.equal((await call({ method: 'GET', url: '/api/v1/profiles', headers })).status, 200);
  assert.equal((await call({ method: 'POST', url: '/api/v1/logout', headers })).status, 200);
  const after = await call({ method: 'GET', url: '/api/v1/profiles', headers });
  assert.equal(after.status, 401);
  assert.equal(after.body.code, 'unauthenticated');
});

test('a wrong password and an unknown name get the same answer', async () => {
  const answers = [];
  for (const username of ['user@heliograph.test', 'nobody@heliograph.test']) {
    const { status, body } = await call({
      method: 'POST',
      url: '/api/v1/oauth/token',
      payload: { username, password: 'Wrong#123' },
    });
    answers.push({ status, ...body, request_id: '' });
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(answers[0]?.status, 401);
});

test('calls without a bearer token need the anti-forgery pair of the first page', async () => {
  const { cookies } = await call({ method: 'GET', url: '/api/v1/page-configurations' });
  const pair = cookies.find(({ name }) => name === 'XSRF-TOKEN')!;
  const enter = (headers: Record<string, string>) =>
    call({
      method: 'POST',
      url: '/api/v1/oauth/token',
      payload: credentials,
      headers: { cookie: `XSRF-TOKEN=${pair.value}`, ...headers },
    });
  assert.equal((await enter({})).body.code, 'csrf_token_mismatch');
  assert.equal((await enter({ 'x-xsrf-token': 'x'.repeat(pair.value.length) })).status, 403);
  assert.equal((await enter({ 'x-xsrf-token': pair.value })).status, 200);
});

test('a profile shows the person, and accepts only the fields that they may change', async () => {
  const user = await as('user@heliograph.test');
  type Profile = {
    profile: Record<string, unknown>;
    roles: string[];
    permissions: { name: string }[];
    corporationTimeZone: string;
  };
  const { body } = await user<Profile>('GET', 'profiles');
  assert.deepEqual(body.roles, ['corporate_user']);
  assert.equal(body.corporationTimeZone, 'Asia/Manila');
  assert.equal(body.profile.corporation_name, 'Acme Retail');
  assert.equal(body.profile.department_name, 'Marketing');
  assert.ok(body.permissions.some(({ name }) => name === 'campaigns-create'));
  const wanted = { phone: '+63 917 000-9444', preferred_language: 'fp' };
  const refused = await user('PATCH', 'profiles', { ...wanted, scope_level: 0, role_id: 1 });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors ?? {})], [422, ['scope_level', 'role_id']]);
  assert.equal((await user('PATCH', 'profiles', wanted)).status, 200);
  const after = (await user<Profile>('GET', 'profiles')).body;
  assert.equal(after.profile.phone, '639170009444');
  assert.equal(after.profile.preferred_language, 'fp');
  assert.equal(after.profile.scope_level, 4);
  assert.deepEqual(after.roles, ['corporate_user']);
  assert.ok((await user('PATCH', 'profiles', { phone: '12' })).body.errors?.phone);
  const { rows } = await database
    .pool('owner')
    .query("SELECT count(*) FROM user_account WHERE preferred_language = 'fp'");
  assert.equal(rows[0].count, 1);
});

test('the number rules come from the operator’s settings', async () => {
  await database.pool('owner').query("UPDATE global_configuration SET value = '12' WHERE key = 'number_min'");
  const user = await as('corporate@heliograph.test');
  const { body } = await user<object>('GET', 'validation-rules/number');
  assert.deepEqual(body, {
    min: 12,
    max: 13,
    start: '63',
    start_with_any_msisdn: false,
    national: { country_code: '63', trunk_prefix: '0', start: '9' },
  });
});

test('an unreadable setting is ignored and logged, and breaks no page', async () => {
  const owner = database.pool('owner');
  const { rows: before } = await owner.query<{ key: string; value: string }>(
    'SELECT key, value FROM global_configuration',
  );
  const lines: string[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  logBadSettings(createLogger({ LOG_LEVEL: 'warn' }, 'test', log));
  const super_ = await as('superadmin@heliograph.test');
  for (const value of ['{"password": ', '[]', '{"password": 1, "logins": {}}', 'null']) {
    await owner.query("UPDATE global_configuration SET value = $1 WHERE key <> 'demo'", [value]);
    const page = await call({ method: 'GET', url: '/api/v1/page-configurations' });
    assert.deepEqual([page.status, page.body.color, page.body.demo_logins], [200, '#2f6fde', []], value);
    for (const path of ['validation-rules/number', 'profiles', 'dashboard'])
      assert.equal((await super_('GET', path)).status, 200, `${path} ${value}`);
  }
  assert.ok(lines.some((line) => line.includes('"setting":"demo_logins"')));
  assert.ok(!lines.some((line) => line.includes('password\\":')), 'the value itself stays out of the log');
  for (const { key, value } of before)
    await owner.query('UPDATE global_configuration SET value = $2 WHERE key = $1', [key, value]);
});

test('any visitor sees the name and color, and demo logins only in a demo', async () => {
  const url = '/api/v1/page-configurations';
  const { body } = await call({ method: 'GET', url });
  assert.equal(body.corporation_name, 'Heliograph');
  assert.equal((body.demo_logins as unknown[]).length, 7);
  await database.pool('owner').query("UPDATE global_configuration SET value = 'false' WHERE key = 'demo'");
  assert.equal('demo_logins' in (await call({ method: 'GET', url })).body, false);
});
