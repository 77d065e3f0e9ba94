import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { serviceAccount, serviceAccountKey } from '@heliograph/contract/api/service-account';
import type { z } from 'zod';
import { apiStage, codeOf } from './stage.ts';

type Account = z.output<(typeof serviceAccount)['row']>;
type Key = z.output<(typeof serviceAccountKey)['row']> & { key: string };

const stage = await apiStage({ after });
const { acme, api, one } = stage;
const owner = api.database.pool('owner');
const corporate = await api.as('corporate');
const platform = await api.as('superadmin');

let made = 0;
const dataOf = <T>({ body }: { body: unknown }) => (body as { data: T }).data;
async function makeAccount(changes: object = {}, client = corporate): Promise<Account> {
  const contact_email = 'payroll@heliograph.test';
  const body = { corporation_id: acme.corporation_id, name: `Payroll ${++made}`, contact_email, ...changes };
  const answer = await client('POST', '/api/v1/service-accounts', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf<Account>(answer);
}
async function makeKey({ id }: Account, changes: object = {}): Promise<Key> {
  const body = { service_account_id: id, name: `Server ${++made}`, ...changes };
  const answer = await corporate('POST', '/api/v1/service-account-keys', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf<Key>(answer);
}
const path = (key: Key, action = '') => `/api/v1/service-account-keys/${key.id}${action && `/${action}`}`;
/** Waits until the process reads keys again; its copies are at most one second old. */
const waitForCache = () => new Promise((resolve) => setTimeout(resolve, 1_050));
const userOf = async ({ id }: Account) =>
  (await one<{ user_id: number }>('SELECT user_id FROM service_account WHERE id = $1', [id])).user_id;
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const message = () => ({ from: acme.sender, to: stage.number(++made), text: 'Hello' });

test('a program sends as its account, under the name of the account', async () => {
  const account = await makeAccount();
  const key = await makeKey(account);
  const sent = await stage.by(key.key)('POST', '/v1/messages', message());
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  const { id } = sent.body as { id: string };
  const user = await userOf(account);
  const row = await one('SELECT user_id, api_key_id FROM program_message WHERE message_id = $1', [id]);
  assert.deepEqual(row, { user_id: user, api_key_id: key.id });
  const found = await corporate('GET', `/api/v1/messages/${id}`);
  assert.ok(JSON.stringify(found.body).includes(account.name), JSON.stringify(found.body));
});

test('the log names the program as a service account', async () => {
  const account = await makeAccount();
  await owner.query(
    `INSERT INTO activity_log (corporation_id, name, description, subject_type, subject_id, causer_id, properties)
      VALUES ($1, 'conversations', 'updated', 'conversations', 1, $2, '{}')`,
    [acme.corporation_id, await userOf(account)],
  );
  const log = await corporate('GET', `/api/v1/activity-logs?causer_id=${await userOf(account)}`);
  assert.deepEqual(
    dataOf<{ causer_name: string }[]>(log).map(({ causer_name }) => causer_name),
    [`${account.name} (service account)`],
  );
});

test('a replaced key works until its last day, beside the new one', async () => {
  const account = await makeAccount();
  const old = await makeKey(account);
  const balance = (key: string) => stage.by(key)('GET', '/v1/messages?client_ref=none');
  const body = { name: 'Next server', last_day: dayIn(90), old_last_day: dayIn(7) };
  const answer = await corporate('POST', path(old, 'replace'), body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const next = dataOf<{ key: string; old_last_day: string }>(answer);
  assert.equal(next.old_last_day, dayIn(7));
  assert.deepEqual([codeOf(await balance(old.key)), codeOf(await balance(next.key))], ['200', '200']);
  const shown = dataOf<Account>(await corporate('GET', `/api/v1/service-accounts/${account.id}`));
  assert.deepEqual([shown.keys, shown.ends_next], [2, dayIn(7)]);
  await owner.query('UPDATE api_key SET last_day = $1 WHERE id = $2', [dayIn(-3), old.id]);
  await waitForCache();
  const ended = await balance(old.key);
  assert.equal(codeOf(ended), '401 key_ended');
  assert.ok((ended.body as { message: string }).message.includes(dayIn(-3)));
  assert.equal(codeOf(await balance(next.key)), '200');
  assert.equal(dataOf<Key>(await corporate('GET', path(old))).state, 'ended');
});

test('replacing a key never moves its last day to a later one', async () => {
  const old = await makeKey(await makeAccount(), { last_day: dayIn(3) });
  const body = { name: 'Next server', old_last_day: dayIn(30) };
  const { old_last_day } = dataOf<{ old_last_day: string }>(await corporate('POST', path(old, 'replace'), body));
  assert.equal(old_last_day, dayIn(3));
  assert.equal(dataOf<Key>(await corporate('GET', path(old))).last_day, dayIn(3));
  const over = await corporate('POST', path(old, 'replace'), { name: 'Third', old_last_day: dayIn(-3) });
  assert.equal(codeOf(over), '422 validation_failed old_last_day');
});

test('the last day ends in the time zone of the corporation', async () => {
  const key = await makeKey(await makeAccount());
  const stateIn = async (timezone: string, expression: string) => {
    await owner.query('UPDATE corporation SET timezone = $1 WHERE id = $2', [timezone, acme.corporation_id]);
    await owner.query(`UPDATE api_key SET last_day = ${expression} WHERE id = $1`, [key.id]);
    await waitForCache();
    return [
      dataOf<Key>(await corporate('GET', path(key))).state,
      codeOf(await stage.by(key.key)('GET', '/v1/messages?client_ref=none')),
    ];
  };
  const before = await one<{ timezone: string }>('SELECT timezone FROM corporation WHERE id = $1', [
    acme.corporation_id,
  ]);
  const today = "(now() AT TIME ZONE 'Pacific/Kiritimati')::date";
  assert.deepEqual(await stateIn('Pacific/Kiritimati', today), ['valid', '200']);
  assert.deepEqual(await stateIn('Pacific/Kiritimati', `${today} - 1`), ['ended', '401 key_ended']);
  // Kiritimati is a day ahead of Pago Pago for 25 of 24 hours.
  assert.deepEqual(await stateIn('Pacific/Pago_Pago', `${today} - 1`), ['valid', '200']);
  await owner.query('UPDATE corporation SET timezone = $1 WHERE id = $2', [before.timezone, acme.corporation_id]);
});

test('keys of an account that is off, and revoked keys, are refused', async () => {
  const account = await makeAccount();
  const [one_, other] = [await makeKey(account), await makeKey(account)];
  const call = ({ key }: Key) => stage.by(key)('GET', '/v1/messages?client_ref=none');
  assert.equal((await corporate('POST', path(one_, 'revoke'))).status, 200);
  await waitForCache();
  assert.deepEqual([codeOf(await call(one_)), codeOf(await call(other))], ['401 unauthenticated', '200']);
  assert.equal(
    codeOf(await corporate('POST', path(one_, 'replace'), { name: 'No', old_last_day: dayIn(1) })),
    '409 api_key_revoked',
  );
  const off = await corporate('PATCH', `/api/v1/service-accounts/${account.id}`, { enabled: false });
  assert.equal(off.status, 200, JSON.stringify(off.body));
  await waitForCache();
  assert.equal(codeOf(await call(other)), '403 service_account_disabled');
});

test('the scopes and addresses of an account hold for all of its keys at once', async () => {
  const account = await makeAccount({ scopes: ['messages:read'], allowed_ips: ['127.0.0.0/8'] });
  const key = await makeKey(account);
  const client = stage.by(key.key);
  assert.equal(codeOf(await client('POST', '/v1/messages', message())), '403 scope_missing');
  const change = (body: object) => corporate('PATCH', `/api/v1/service-accounts/${account.id}`, body);
  assert.equal((await change({ scopes: ['messages:send'] })).status, 200);
  await waitForCache();
  assert.equal((await client('POST', '/v1/messages', message())).status, 202);
  assert.equal((await change({ allowed_ips: ['203.0.113.7'] })).status, 200);
  await waitForCache();
  assert.equal(codeOf(await client('POST', '/v1/messages', message())), '403 address_not_allowed');
});

test('only who has the permissions of a scope can give it', async () => {
  const { department_id } = await one<{ department_id: number }>(
    "SELECT department_id FROM user_account WHERE email = 'department@heliograph.test'",
  );
  const department = await api.as('department');
  const body = { corporation_id: acme.corporation_id, department_id, name: 'Books', contact_email: 'a@b.test' };
  const make = (more: object) => department('POST', '/api/v1/service-accounts', { ...body, ...more });
  assert.equal(codeOf(await make({ scopes: ['invoices:read'] })), '422 validation_failed scopes');
  assert.equal(codeOf(await make({ department_id: null })), '422 validation_failed department_id');
  const account = dataOf<Account>(await make({ scopes: ['messages:read'] }));
  const widened = await department('PATCH', `/api/v1/service-accounts/${account.id}`, {
    scopes: ['messages:read', 'invoices:read'],
  });
  assert.equal(codeOf(widened), '422 validation_failed scopes');
  // An account with wider scopes can be changed otherwise.
  await owner.query("UPDATE service_account SET scopes = '{invoices:read}' WHERE id = $1", [account.id]);
  const renamed = await department('PATCH', `/api/v1/service-accounts/${account.id}`, { name: 'Ledger' });
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
});

test('a program has only the permissions of its scopes', async () => {
  const key = await makeKey(await makeAccount({ scopes: ['invoices:read', 'top-ups:read', 'inbound:read'] }));
  const client = stage.by(key.key);
  const codes = [];
  for (const call of ['/v1/invoices', '/v1/top-ups', '/v1/inbound', '/v1/consents?number=639170000001', '/v1/balance'])
    codes.push(codeOf(await client('GET', call)));
  assert.deepEqual(codes, ['200', '200', '200', '200', '403 scope_missing']);
});

test('accounts and keys of others do not exist for a caller', async () => {
  const account = await makeAccount();
  const key = await makeKey(account);
  const paths = [`/api/v1/service-accounts/${account.id}`, path(key)];
  for (const login of ['department', 'user', 'readonly']) {
    const client = await api.as(login);
    for (const each of paths) assert.ok((await client('GET', each)).status >= 403, `${login} ${each}`);
  }
  const { id } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
  const theirs = await makeAccount({ corporation_id: id }, platform);
  const theirKey = dataOf<Key>(
    await platform('POST', '/api/v1/service-account-keys', { service_account_id: theirs.id, name: 'Theirs' }),
  );
  const foreign = [`/api/v1/service-accounts/${theirs.id}`, path(theirKey)];
  for (const each of foreign)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assert.equal(
        codeOf(await corporate(method, each, method === 'PATCH' ? { name: 'Mine' } : undefined)),
        '404 not_found',
      );
  for (const action of ['replace', 'revoke']) {
    const answer = await corporate('POST', path(theirKey, action), { name: 'Mine', old_last_day: dayIn(1) });
    assert.equal(codeOf(answer), '404 not_found', action);
  }
  const added = await corporate('POST', '/api/v1/service-account-keys', { service_account_id: theirs.id, name: 'X' });
  assert.equal(codeOf(added), '422 validation_failed service_account_id');
  for (const list of ['service-accounts', 'service-account-keys']) {
    const rows = dataOf<{ corporation_id: number }[]>(await corporate('GET', `/api/v1/${list}?per_page=200`));
    assert.ok(rows.length > 0 && rows.every(({ corporation_id }) => corporation_id === acme.corporation_id), list);
  }
  // The screens of personal keys do not reach it either.
  assert.equal(codeOf(await corporate('POST', `/api/v1/api-keys/${key.id}/rotate`, {})), '404 not_found');
});

test('the user of an account is no person: it cannot sign in, be listed or be chosen', async () => {
  const account = await makeAccount();
  const user = await userOf(account);
  const { email } = await one<{ email: string }>('SELECT email FROM user_account WHERE id = $1', [user]);
  const known = await api.anonymous()('POST', '/api/v1/login', { username: email, password: '!' });
  const unknown = await api.anonymous()('POST', '/api/v1/login', { username: 'no@body.test', password: '!' });
  assert.deepEqual(codeOf(known), codeOf(unknown));
  assert.equal(codeOf(await platform('GET', `/api/v1/users/${user}`)), '404 not_found');
  assert.equal(codeOf(await platform('POST', `/api/v1/users/${user}/reset-password`, {})), '404 not_found');
  assert.equal(codeOf(await platform('GET', `/api/v1/give-permissions/${user}`)), '404 not_found');
  const lists = [
    '/api/v1/users?per_page=200',
    '/api/v1/give-permissions?search=Payroll',
    '/api/v1/search?search=Payroll',
  ];
  for (const list of lists) {
    const { status, body } = await platform('GET', list);
    const text = JSON.stringify(body);
    assert.ok(status === 200 && !text.includes(email) && !text.includes('"kind":"users"'), list);
  }
  const taken = await corporate('POST', '/api/v1/api-keys', { user_id: user, name: 'Key of a person' });
  assert.equal(codeOf(taken), '422 validation_failed user_id');
  const tables = ['session', 'passkey', 'user_totp', 'recovery_code', 'password_reset', 'external_identity'];
  for (const table of tables)
    await assert.rejects(
      owner.query(`INSERT INTO ${table} (user_id) VALUES ($1)`, [user]),
      /is a service account/,
      table,
    );
});

test('accounts of programs are not counted as people', async () => {
  const count = async () =>
    dataOf<{ users: number }>(await platform('GET', `/api/v1/corporations/${acme.corporation_id}/overview`)).users;
  const roles = async () =>
    dataOf<{ users_count: number }[]>(await platform('GET', '/api/v1/roles?per_page=200')).map((r) => r.users_count);
  const before = [await count(), await roles()];
  await makeAccount();
  assert.deepEqual([await count(), await roles()], before);
});

test('an account is removed with its user and keys, unless a key was used', async () => {
  const [unused, used] = [await makeAccount(), await makeAccount()];
  const key = await makeKey(unused);
  const user = await userOf(unused);
  await stage.by((await makeKey(used)).key)('GET', '/v1/messages?client_ref=none');
  await waitForCache();
  const remove = ({ id }: Account) => corporate('DELETE', `/api/v1/service-accounts/${id}`);
  assert.equal(codeOf(await remove(used)), '409 has_dependencies');
  assert.equal((await remove(unused)).status, 200);
  const { rows } = await owner.query(
    'SELECT id FROM user_account WHERE id = $1 UNION SELECT id FROM api_key WHERE id = $2',
    [user, key.id],
  );
  assert.deepEqual(rows, []);
});

test('a personal key can have a last day too', async () => {
  const key = await stage.makeKey();
  assert.equal(codeOf(await stage.by(key.key)('GET', '/v1/balance')), '200');
  const past = await corporate('PATCH', `/api/v1/api-keys/${key.id}`, { last_day: dayIn(-3) });
  assert.equal(codeOf(past), '422 validation_failed last_day');
  assert.equal((await corporate('PATCH', `/api/v1/api-keys/${key.id}`, { last_day: dayIn(20) })).status, 200);
  await owner.query('UPDATE api_key SET last_day = $1 WHERE id = $2', [dayIn(-3), key.id]);
  await waitForCache();
  assert.equal(codeOf(await stage.by(key.key)('GET', '/v1/balance')), '401 key_ended');
  assert.equal(codeOf(await corporate('POST', `/api/v1/api-keys/${key.id}/rotate`, {})), '409 api_key_ended');
});
