import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { Authenticator, type Wrongs } from './authenticator.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const anybody = api.anonymous();
const host = 'localhost';
const ORIGIN = 'http://localhost:8080';
const at = (who: string) => `${who}@heliograph.test`;

interface Body {
  code?: string;
  verified?: boolean;
  second_factor?: string | null;
  access_token: string;
  options: { challenge: string; allowCredentials?: { id: string }[]; excludeCredentials?: { id: string }[] };
  recovery_codes: string[];
  data: { id: number; name: string; host: string; synced: boolean; last_used_at: string | null }[];
  passkeys: number;
  recovery_codes_left: number;
}

/** Calls and returns the status with the code of the error, and the body. */
async function ask(client: Client, method: string, path: string, body?: object) {
  const answer = await client(method, `/api/v1/${path}`, body);
  return { status: answer.status, ...(answer.body as Body) };
}

const begin = (client: Client) => ask(client, 'POST', 'passkeys/begin', { host });

/** Adds a passkey of a device, and returns what the server says. */
async function add(client: Client, device: Authenticator, wrongs: Wrongs = {}, name = 'Laptop') {
  const { options } = await begin(client);
  return ask(client, 'POST', 'passkeys', { name, host, credential: device.create(options, wrongs) });
}

/** Signs in by a device alone. */
async function enter(device: Authenticator, wrongs: Wrongs = {}) {
  const { options } = await ask(anybody, 'POST', 'oauth/passkey/begin', { host });
  return ask(anybody, 'POST', 'oauth/passkey', { host, credential: device.get(options, wrongs) });
}

const byPassword = (who: string) => ask(anybody, 'POST', 'oauth/token', { username: at(who), password: DEMO_PASSWORD });

test('a passkey signs its person in without a password or a code', async () => {
  const client = await api.as('user');
  const device = new Authenticator(ORIGIN);
  const added = await add(client, device);
  assert.equal(added.status, 200);
  assert.equal(added.recovery_codes.length, 10);
  const entered = await enter(device);
  assert.deepEqual([entered.status, entered.verified, entered.second_factor], [200, true, null]);
  const inside = api.anonymous(entered.access_token);
  const { data } = await ask(inside, 'GET', 'passkeys');
  assert.deepEqual(
    data.map(({ name, host, synced, last_used_at }) => [name, host, synced, last_used_at !== null]),
    [['Laptop', 'localhost', true, true]],
  );
  const second = new Authenticator(ORIGIN);
  const more = await begin(client);
  assert.equal(more.options.excludeCredentials?.length, 1);
  assert.deepEqual((await add(client, second, {}, 'Phone')).recovery_codes, [], 'the codes are still there');
  assert.deepEqual((await ask(client, 'GET', 'two-factor')).passkeys, 2);
});

test('who has a passkey needs it or a recovery code besides the password', async () => {
  const client = await api.as('admin');
  const device = new Authenticator(ORIGIN);
  const { recovery_codes } = await add(client, device);
  const waiting = await byPassword('admin');
  assert.deepEqual([waiting.verified, waiting.second_factor], [false, 'passkey']);
  const outside = api.anonymous(waiting.access_token);
  assert.equal((await ask(outside, 'GET', 'passkeys')).status, 401);
  const { options } = await ask(outside, 'POST', 'otp/passkey/begin', { host });
  assert.equal(options.allowCredentials?.length, 1);
  const stranger = new Authenticator(ORIGIN);
  await add(await api.as('user'), stranger);
  const foreign = await ask(outside, 'POST', 'otp/passkey', { host, credential: stranger.get(options) });
  assert.equal(foreign.code, 'passkey_refused', 'the passkey of another person');
  const proof = { host, credential: device.get(options) };
  assert.equal((await ask(outside, 'POST', 'otp/passkey', proof)).status, 200);
  assert.equal((await ask(outside, 'GET', 'passkeys')).status, 200);
  assert.equal((await ask(outside, 'POST', 'otp/passkey', proof)).code, 'passkey_refused', 'it counts once');
  const again = api.anonymous((await byPassword('admin')).access_token);
  assert.equal((await ask(again, 'POST', 'otp/verify', { code: '123456' })).code, 'otp_invalid');
  assert.equal((await ask(again, 'POST', 'otp/verify', { code: recovery_codes[0]! })).status, 200);
});

test('a proof counts once, for one purpose and one session', async () => {
  const client = await api.as('department');
  const device = new Authenticator(ORIGIN);
  await add(client, device);
  const { options } = await ask(anybody, 'POST', 'oauth/passkey/begin', { host });
  const credential = device.get(options);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => ask(anybody, 'POST', 'oauth/passkey', { host, credential })),
  );
  assert.equal(all.filter(({ status }) => status === 200).length, 1, 'twenty at once open one session');
  const one = api.anonymous((await byPassword('department')).access_token);
  const other = api.anonymous((await byPassword('department')).access_token);
  const asked = await ask(one, 'POST', 'otp/passkey/begin', { host });
  const check = (client: Client, from: Body['options']) =>
    ask(client, 'POST', 'otp/passkey', { host, credential: device.get(from) });
  assert.equal((await check(other, asked.options)).code, 'passkey_refused', 'the challenge of another session');
  const fresh = await ask(anybody, 'POST', 'oauth/passkey/begin', { host });
  assert.equal((await check(one, fresh.options)).code, 'passkey_refused', 'the challenge of a sign-in');
  const signIn = { host, credential: device.get(asked.options) };
  assert.equal((await ask(anybody, 'POST', 'oauth/passkey', signIn)).code, 'passkey_refused');
});

test('forged, foreign and downgraded answers are refused', async () => {
  const client = await api.as('corporate');
  const device = new Authenticator(ORIGIN);
  const own = Buffer.alloc(38, 1).toString('base64url');
  const wrongs: [string, Wrongs][] = [
    ['the page of a thief', { origin: 'https://heliograph.evil.test' }],
    ['a name that begins like ours', { origin: 'https://localhost.evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['nobody checked who uses it', { unverified: true }],
    ['a challenge of its own', { challenge: own }],
    ['an answer for another ceremony', { type: 'payment.get' }],
  ];
  for (const [what, wrong] of wrongs) assert.equal((await add(client, device, wrong)).code, 'passkey_refused', what);
  assert.equal((await add(client, device)).status, 200);
  for (const [what, wrong] of wrongs) assert.equal((await enter(device, wrong)).code, 'passkey_refused', what);
  assert.equal((await enter(device)).status, 200);
  assert.equal((await enter(device, { counter: 1 })).code, 'passkey_refused', 'a copy that counts from the start');
  assert.equal((await enter(new Authenticator(ORIGIN))).code, 'passkey_refused', 'an unknown device');
  const { options } = await ask(anybody, 'POST', 'oauth/passkey/begin', { host });
  const proof = device.get(options);
  const signature = `AAAA${proof.response.signature.slice(4)}`;
  const forged = { ...proof, response: { ...proof.response, signature } };
  assert.equal((await ask(anybody, 'POST', 'oauth/passkey', { host, credential: forged })).code, 'passkey_refused');
  const elsewhere = await ask(anybody, 'POST', 'oauth/passkey/begin', { host: 'evil.test' });
  assert.equal(elsewhere.code, 'passkey_host');
  assert.equal((await add(await api.as('user'), device)).code, 'passkey_refused', 'the credential of another person');
});

test('a person removes their own passkeys, and an administrator lifts them', async () => {
  const client = await api.as('readonly');
  const device = new Authenticator(ORIGIN);
  await add(client, device);
  const [passkey] = (await ask(client, 'GET', 'passkeys')).data;
  const path = `passkeys/${passkey!.id}`;
  const stranger = await api.as('user');
  assert.equal((await ask(stranger, 'PATCH', path, { name: 'Mine' })).code, 'not_found');
  assert.equal((await ask(stranger, 'POST', `${path}/end`, {})).code, 'not_found');
  assert.equal((await ask(client, 'PATCH', path, { name: ' Old phone ' })).status, 200);
  assert.equal((await ask(client, 'POST', `${path}/end`, {})).status, 200);
  assert.equal((await enter(device)).code, 'passkey_refused');
  assert.equal((await ask(client, 'GET', 'two-factor')).recovery_codes_left, 0, 'codes that stand in for nothing');
  const lost = new Authenticator(ORIGIN);
  await add(client, lost);
  const id = await api.database.personOf('readonly');
  const admin = await api.as('superadmin');
  const reset = { password: 'Lantern#412', password_confirmation: 'Lantern#412', two_factor: true };
  for (const by of [admin, await api.as('admin')]) {
    const answer = await ask(by, 'POST', `users/${id}/reset-password`, reset);
    assert.equal(answer.status, 200, JSON.stringify(answer));
  }
  assert.equal((await enter(lost)).code, 'passkey_refused');
  const { rows } = await owner.query(
    "SELECT description FROM activity_log WHERE name = 'passkeys' AND causer_id = $1 ORDER BY id",
    [id],
  );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['passkey added', 'passkey renamed', 'passkey removed', 'passkey added'],
  );
});

test('a person who was switched off does not get in by a passkey', async () => {
  const client = await api.as('reseller');
  const device = new Authenticator(ORIGIN);
  assert.equal((await add(client, device)).status, 200);
  await owner.query('UPDATE user_account SET enabled = false WHERE email = $1', [at('reseller')]);
  assert.equal((await enter(device)).code, 'account_disabled');
});
