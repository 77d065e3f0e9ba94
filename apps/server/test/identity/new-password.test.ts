import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { until } from '@heliograph/fault-kit';
import { codeOf } from '../../src/modules/identity/second-factor.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { secretKey } from '../../src/platform/process/seal.ts';
import { demoApi } from '../organizations/demo-api.ts';

const { call, database, folder } = await demoApi();
const post = (path: string, payload: object) => call({ method: 'POST', url: `/api/v1/${path}`, payload });
const enter = (username: string, password: string) => post('oauth/token', { username, password });
const reset = (token: string, password: string, password_confirmation = password) =>
  post('password/reset', { token, password, password_confirmation });

const mailbox = join(folder, 'mail');
const mails = () =>
  existsSync(mailbox)
    ? readdirSync(mailbox)
        .filter((name) => name.endsWith('.eml'))
        .sort()
    : [];

/** Waits for the mail after the first `count`, and returns its text with quoted-printable decoded. */
async function nextMail(count: number): Promise<string> {
  await until('the mail is there', () => mails().length > count);
  assert.equal(mails().length, count + 1);
  return readFileSync(join(mailbox, mails().at(-1)!), 'utf8')
    .replace(/=\r\n/g, '')
    .replaceAll('=3D', '=');
}
const tokenIn = (mail: string) => /reset-password\?token=([\w-]+)/.exec(mail)![1]!;

test('a mailed link sets a forgotten password once, and ends every session', async () => {
  const before = await enter('user@heliograph.test', 'Helio#2026');
  const authorization = `Bearer ${before.body.access_token}`;
  const count = mails().length;
  assert.equal((await post('password/forgot-password', { email: 'User@heliograph.test' })).status, 200);
  const mail = await nextMail(count);
  assert.match(mail, /^To: user@heliograph\.test/m);
  assert.match(mail, /http:\/\/northwind\.localhost:8080\/reset-password/, 'the address of their reseller');
  const token = tokenIn(mail);
  const weak = await reset(token, 'lantern-light');
  assert.deepEqual(weak.body.errors, { password: ['8 to 16 characters with a special character and a number.'] });
  const differing = await reset(token, 'Lantern#41', 'Lantern#42');
  assert.deepEqual(Object.keys(differing.body.errors as object), ['password_confirmation']);
  const both = await Promise.all([reset(token, 'Lantern#41'), reset(token, 'Lantern#43')]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422]);
  assert.equal((await reset(token, 'Lantern#44')).body.code, 'reset_link_invalid');
  const told = await call({ method: 'GET', url: '/api/v1/profiles', headers: { authorization } });
  assert.deepEqual([told.status, told.body.code, told.body.logout], [422, 'session_ended', true]);
  const passwords = await Promise.all(
    ['Helio#2026', 'Lantern#41', 'Lantern#43'].map((p) => enter('user@heliograph.test', p)),
  );
  assert.deepEqual(passwords.map(({ status }) => status).sort(), [200, 401, 401]);
  assert.equal(passwords[0]?.status, 401);
});

test('an unknown address gets the same answer, and no mail is sent', async () => {
  const before = mails().length;
  const known = await post('password/forgot-password', { email: 'readonly@heliograph.test' });
  await nextMail(before);
  const count = before + 1;
  const unknown = await post('password/forgot-password', { email: 'nobody@heliograph.test' });
  assert.deepEqual([unknown.status, unknown.body], [known.status, known.body]);
  await sleep(200);
  assert.equal(mails().length, count);
});

test('a reset link expires, and at most five are mailed in an hour', async () => {
  const count = mails().length;
  for (let i = 0; i < 8; i++) await post('password/forgot-password', { email: 'admin@heliograph.test' });
  await until('five mails are there', () => mails().length >= count + 5);
  await sleep(300);
  assert.equal(mails().length, count + 5);
  const token = tokenIn(
    readFileSync(join(mailbox, mails().at(-1)!), 'utf8')
      .replace(/=\r\n/g, '')
      .replaceAll('=3D', '='),
  );
  await database.pool('owner').query("UPDATE password_reset SET expires_at = now() - interval '1 second'");
  assert.equal((await reset(token, 'Lantern#41')).body.code, 'reset_link_invalid');
  const { rows } = await database.pool('owner').query('SELECT json_agg(r)::text AS all FROM password_reset r');
  assert.equal(rows[0].all.includes(token), false, 'the table knows only the digest');
});

test('an expired password can only be replaced, and not by the same password', async () => {
  const username = 'department@heliograph.test';
  await database
    .pool('owner')
    .query("UPDATE global_configuration SET value = '90' WHERE key = 'password_max_age_days'");
  await database
    .pool('owner')
    .query("UPDATE user_account SET password_changed_at = now() - interval '91 days' WHERE email = $1", [username]);
  const expired = await enter(username, 'Helio#2026');
  assert.deepEqual([expired.status, expired.body.code], [409, 'password_expired']);
  const renew = (current_password: string, password: string) =>
    post('password/reset-expired-password', { username, current_password, password, password_confirmation: password });
  assert.equal((await renew('Wrong#123', 'Lantern#41')).body.code, 'wrong_credentials');
  assert.deepEqual((await renew('Helio#2026', 'Helio#2026')).body.errors, {
    password: ['Choose a password that differs from the current one.'],
  });
  assert.equal((await renew('Helio#2026', 'Lantern#41')).status, 200);
  assert.equal((await enter(username, 'Lantern#41')).status, 200);
  // A password that has not expired cannot be replaced without a session, and its sessions continue.
  const { rowCount: open } = await openSessions(username);
  assert.equal((await renew('Lantern#41', 'Beacon#63')).body.code, 'password_not_expired');
  assert.equal((await enter(username, 'Lantern#41')).status, 200);
  assert.equal((await openSessions(username)).rowCount, open! + 1);
});

const openSessions = (email: string) =>
  database
    .pool('owner')
    .query('SELECT FROM session s JOIN user_account u ON u.id = s.user_id WHERE u.email = $1 AND s.ended_at IS NULL', [
      email,
    ]);

test('replacing an expired password needs the second factor, if the person has one', async () => {
  const username = 'corporate@heliograph.test';
  const owner = database.pool('owner');
  await owner.query('UPDATE user_account SET must_change_password = true, otp = true WHERE email = $1', [username]);
  const renew = (proof: object = {}) => {
    const password = 'Lantern#42';
    const present = { username, current_password: 'Helio#2026', password, password_confirmation: password };
    return post('password/reset-expired-password', { ...present, ...proof });
  };
  const asked = (await renew()).body;
  assert.equal(asked.second_factor, 'otp');
  assert.equal((await enter(username, 'Helio#2026')).body.code, 'password_expired');
  const { rows } = await owner.query('SELECT id FROM otp_challenge ORDER BY created_at DESC LIMIT 1');
  const code = codeOf(secretKey(readConnectedConfig({ DATABASE_URL: database.url, DATA_DIR: folder })), rows[0].id);
  const authorization = `Bearer ${asked.access_token}`;
  // The code opens no session while the password must be replaced.
  const opened = await call({
    method: 'POST',
    url: '/api/v1/otp/verify',
    headers: { authorization },
    payload: { code },
  });
  assert.equal(opened.body.code, 'password_expired');
  const { access_token } = asked;
  const wrong = code === '000000' ? '000001' : '000000';
  assert.equal((await renew({ access_token, code: wrong })).body.code, 'otp_invalid');
  assert.equal((await renew({ access_token: 'hga_other', code })).body.code, 'otp_invalid');
  assert.deepEqual((await renew({ access_token, code })).body.second_factor, null);
  assert.equal((await enter(username, 'Lantern#42')).body.verified, false);
});

test('a session without its second factor may only verify, resend or sign out', async () => {
  assert.deepEqual(
    ALL_OPERATIONS.filter(({ session }) => session === 'unverified')
      .map(({ path }) => path)
      .sort(),
    ['/api/v1/logout', '/api/v1/otp/passkey', '/api/v1/otp/passkey/begin', '/api/v1/otp/resend', '/api/v1/otp/verify'],
  );
});
