import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { codeOf, dataOf, errorsOf } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { Authenticator } from './authenticator.ts';
import { testClock } from './people.ts';

const clock = testClock(new Date().toISOString());
const api = await startTestApi({ after }, { clock });
const owner = api.database.pool('owner');
const host = 'localhost';
const MINUTE = 60_000;

interface Entered {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  verified: boolean;
  second_factor: string | null;
}

const signIn = (who: string) =>
  api.anonymous()('POST', '/api/v1/oauth/token', { username: `${who}@heliograph.test`, password: DEMO_PASSWORD });
const enter = async (who: string) => (await signIn(who)).body as Entered;
const clientOf = async (who: string): Promise<Client> => api.anonymous((await enter(who)).access_token);
const refresh = (refresh_token: string) =>
  api.anonymous()('POST', '/oauth/token', { grant_type: 'refresh_token', refresh_token });
const use = async (token: string) => codeOf(await api.anonymous(token)('GET', '/api/v1/sessions'));

const corporationOf = async (who: string) =>
  (
    await owner.query<{ id: number }>('SELECT corporation_id AS id FROM user_account WHERE email = $1', [
      `${who}@heliograph.test`,
    ])
  ).rows[0]!.id;
const acme = await corporationOf('corporate');
const northwind = await corporationOf('reseller');

/** Replaces the rules of a corporation, past the checks of the form; null for the platform's. */
async function rule(corporation: number | null, columns: Record<string, unknown> = {}) {
  await owner.query('DELETE FROM sign_in_policy WHERE corporation_id IS NOT DISTINCT FROM $1', [corporation]);
  const names = Object.keys(columns);
  if (names.length === 0) return;
  await owner.query(
    `INSERT INTO sign_in_policy (corporation_id, ${names.join()}) VALUES ($1, ${names.map((_, i) => `$${i + 2}`).join()})`,
    [corporation, ...Object.values(columns)],
  );
}

test('a session ends after the allowed pause, and not while it is used', async () => {
  await rule(acme, { idle_minutes: 20 });
  let tokens = await enter('user');
  assert.equal(tokens.expires_in, 600, 'a call renews the tokens within the pause');
  for (let renewals = 0; renewals < 4; renewals++) {
    clock.pass(11 * MINUTE);
    const renewed = await refresh(tokens.refresh_token);
    assert.equal(renewed.status, 200, `renewal ${renewals}`);
    tokens = renewed.body as Entered;
  }
  clock.pass(20 * MINUTE);
  assert.equal(codeOf(await refresh(tokens.refresh_token)), 'refresh_token_invalid');
  // Rules that become stricter reach sessions that began before.
  await rule(acme);
  const before = await enter('user');
  await rule(acme, { idle_minutes: 5 });
  clock.pass(6 * MINUTE);
  assert.equal(await use(before.access_token), 'session_idle');
  assert.equal(codeOf(await refresh(before.refresh_token)), 'refresh_token_invalid');
  await rule(acme);
});

test('a session ends after its longest time, however much it is used', async () => {
  await rule(acme, { session_hours: 1 });
  let tokens = await enter('user');
  for (let renewals = 0; renewals < 4; renewals++) {
    clock.pass(14 * MINUTE);
    tokens = (await refresh(tokens.refresh_token)).body as Entered;
  }
  assert.equal(await use(tokens.access_token), undefined);
  clock.pass(5 * MINUTE);
  assert.equal(await use(tokens.access_token), 'session_over');
  assert.equal(codeOf(await refresh(tokens.refresh_token)), 'refresh_token_invalid');
  await rule(acme);
});

test('only listed addresses sign in and go on, by the lists of both owners', async () => {
  const present = await enter('user');
  for (const [own, above] of [
    [['203.0.113.0/24', '2001:db8::/32'], []],
    [['127.0.0.0/8', '::1'], ['203.0.113.7']],
  ] as const) {
    await rule(acme, { addresses: own });
    await rule(northwind, { addresses: above });
    assert.equal(await use(present.access_token), 'session_address');
    assert.equal(codeOf(await signIn('user')), 'sign_in_address');
  }
  assert.equal(codeOf(await signIn('reseller')), 'sign_in_address', 'the reseller’s rules are also for its own people');
  await rule(acme, { addresses: ['127.0.0.0/8', '::1/128'] });
  await rule(northwind);
  assert.equal(await use(present.access_token), undefined);
  assert.equal((await signIn('user')).status, 200);
  await rule(acme);
});

test('the stricter of two rules holds, and the platform’s only for its own people', async () => {
  await rule(acme, { session_hours: 10, min_password_length: 9 });
  await rule(northwind, { session_hours: 2, min_password_length: 14 });
  await rule(null, { session_hours: 1, min_password_length: 30 });
  const [tenant, admin] = [await enter('user'), await enter('admin')];
  clock.pass(14 * MINUTE);
  const change = async (tokens: Entered, password: string) =>
    errorsOf(
      await api.anonymous(((await refresh(tokens.refresh_token)).body as Entered).access_token)(
        'POST',
        '/api/v1/password/change',
        { current_password: DEMO_PASSWORD, password, password_confirmation: password },
      ),
    );
  assert.deepEqual(await change(tenant, 'Lantern#4112'), { password: ['At least 14 characters.'] });
  assert.deepEqual(await change(admin, 'Lantern#4112Lantern'), { password: ['At least 30 characters.'] });
  const superadmin = await clientOf('superadmin');
  const id = await api.database.personOf('department');
  const reset = (password: string) =>
    superadmin('POST', `/api/v1/users/${id}/reset-password`, { password, password_confirmation: password });
  assert.deepEqual(Object.keys(errorsOf(await reset('Lantern#4112'))), ['password']);
  assert.equal((await reset('A lantern, 41 lamps, no light')).status, 200, 'longer than the operator’s rule');
  for (const each of [acme, northwind, null]) await rule(each);
});

test('a required second factor sends a code to people who have none', async () => {
  await rule(acme, { second_factor: true });
  const waiting = await enter('readonly');
  assert.deepEqual([waiting.verified, waiting.second_factor], [false, 'otp']);
  assert.equal(await use(waiting.access_token), 'unauthenticated');
  await rule(acme);
});

test('who needs a passkey can only add one, from the first day on', async () => {
  const day = (from: number) => new Date(clock.now().getTime() + from * 86_400_000).toISOString().slice(0, 10);
  await rule(acme, { passkeys: 'everyone', passkeys_from: day(3) });
  const client = await clientOf('user');
  const profile = async () => {
    const { body } = await client('GET', '/api/v1/profiles');
    const { passkey_needed, passkey_needed_from } = (body as { profile: Record<string, unknown> }).profile;
    return [passkey_needed, passkey_needed_from];
  };
  assert.deepEqual(await profile(), ['soon', day(3)]);
  assert.equal((await client('GET', '/api/v1/campaigns')).status, 200);
  await rule(acme, { passkeys: 'administrators' });
  assert.deepEqual(await profile(), [null, null], 'not an administrator');
  await rule(acme);
  await rule(northwind, { passkeys: 'everyone', passkeys_from: day(-1) });
  assert.deepEqual((await profile())[0], 'now', 'by the reseller’s rules');
  for (const [method, path, body] of [
    ['GET', '/api/v1/campaigns'],
    ['GET', '/api/v1/sessions'],
    ['PATCH', '/api/v1/profiles', { name: 'X' }],
    ['POST', '/broadcasting/auth', {}],
  ] as const)
    assert.equal(codeOf(await client(method, path, body)), 'passkey_needed', path);
  const device = new Authenticator('http://localhost:8080');
  const begun = await client('POST', '/api/v1/passkeys/begin', { host });
  const { options } = begun.body as { options: { challenge: string } };
  const added = await client('POST', '/api/v1/passkeys', { name: 'Key', host, credential: device.create(options) });
  assert.equal(added.status, 200, JSON.stringify(added.body));
  assert.equal((await client('GET', '/api/v1/campaigns')).status, 200);
  assert.deepEqual(await profile(), [null, null]);
  await rule(northwind);
  await owner.query('DELETE FROM passkey');
});

test('nobody locks themselves out, or reaches the rules of others', async () => {
  const corporate = await clientOf('corporate');
  const create = (client: Client, body: object) => client('POST', '/api/v1/sign-in-policies', body);
  assert.deepEqual(Object.keys(errorsOf(await create(corporate, { addresses: ['203.0.113.1'] }))), ['addresses']);
  assert.deepEqual(Object.keys(errorsOf(await create(corporate, { passkeys: 'everyone' }))), ['passkeys']);
  assert.deepEqual(Object.keys(errorsOf(await create(corporate, { addresses: ['10.0.0.0/99'] }))), ['addresses.0']);
  const made = await create(corporate, { idle_minutes: 30, addresses: ['127.0.0.1', '::1'] });
  assert.equal(made.status, 201);
  const path = `/api/v1/sign-in-policies/${dataOf(made).id}`;
  assert.equal(dataOf(made)['corporation_id'], acme, 'without a corporation it is one’s own');
  assert.equal(codeOf(await create(corporate, {})), 'sign_in_policy_already_exists');
  assert.deepEqual(Object.keys(errorsOf(await corporate('PATCH', path, { addresses: ['10.0.0.1'] }))), ['addresses']);
  const foreign = await create(corporate, { corporation_id: northwind });
  assert.deepEqual(Object.keys(errorsOf(foreign)), ['corporation_id']);
  const reseller = await clientOf('reseller');
  assert.equal((await reseller('PATCH', path, { idle_minutes: 10 })).status, 200, 'of its customer');
  assert.equal((await corporate('PATCH', path, { idle_minutes: null })).status, 422, 'set by somebody above');
  const own = await create(reseller, { idle_minutes: 60 });
  assert.equal((await corporate('GET', `/api/v1/sign-in-policies/${dataOf(own).id}`)).status, 404);
  assert.equal((await (await clientOf('user'))('GET', '/api/v1/sign-in-policies')).status, 403);
  await rule(acme);
  await rule(northwind);
});

test('a sign-in on a new device is mailed once, and an administrator ends all sessions', async () => {
  await rule(acme, { device_mail: true });
  const jobs = async () =>
    (await owner.query<{ data: { browser: string } }>("SELECT data FROM jobs.job WHERE name = 'new-device-mail'")).rows;
  const by = (agent: string) =>
    api.anonymous()(
      'POST',
      '/api/v1/oauth/token',
      { username: 'corporate@heliograph.test', password: DEMO_PASSWORD },
      { 'user-agent': agent },
    );
  const first = (await by('Lamp browser')).body as Entered;
  await by('Lamp browser');
  assert.deepEqual(
    (await jobs()).map(({ data }) => data.browser),
    ['Lamp browser'],
  );
  const superadmin = await clientOf('superadmin');
  const id = await api.database.personOf('corporate');
  assert.equal((await superadmin('POST', `/api/v1/users/${id}/end-sessions`, {})).status, 200);
  assert.equal(await use(first.access_token), 'session_ended');
  const self = await api.database.personOf('superadmin');
  assert.equal(codeOf(await superadmin('POST', `/api/v1/users/${self}/end-sessions`, {})), 'own_user');
  await rule(acme);
});
