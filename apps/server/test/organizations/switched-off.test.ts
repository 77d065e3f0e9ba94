import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const superadmin = await api.as('superadmin');
const { one } = api.database;
const marketing = await one("SELECT department_id AS id FROM user_account WHERE email = 'user@heliograph.test'");
const northwind = await one("SELECT id FROM corporation WHERE name = 'Northwind Telecom'");
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");

type Body = { code?: string; message: string; data: Record<string, number | string | null> };
const put = async (path: string, body: object) => {
  const answer = await superadmin('PATCH', `/api/v1/${path}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as Body;
};
const enter = async (login: string) => {
  const username = `${login}@heliograph.test`;
  const { status, body } = await api.anonymous()('POST', '/api/v1/oauth/token', { username, password: DEMO_PASSWORD });
  return status === 200 ? 'in' : (body as Body).code;
};
const concerned = async (path: string) =>
  ((await superadmin('GET', `/api/v1/${path}/switch-off-preview`)).body as Body).data;

test('disabling a department signs out its people, but not the corporation’s admin', async () => {
  const [user, corporate] = [await api.as('user'), await api.as('corporate')];
  const { users, customers } = await concerned(`departments/${marketing}`);
  assert.ok(Number(users) >= 2 && customers === 0, `${users} ${customers}`);
  await put(`departments/${marketing}`, { enabled: false });
  assert.equal((await user('GET', '/api/v1/campaigns')).status, 401);
  assert.equal(await enter('user'), 'account_disabled');
  assert.equal(await enter('department'), 'account_disabled');
  assert.equal((await corporate('GET', '/api/v1/departments')).status, 200);
  assert.equal(await enter('corporate'), 'in');
  await put(`departments/${marketing}`, { enabled: true });
  assert.equal(await enter('user'), 'in');
});

test('customers of a disabled reseller keep working unless they are included', async () => {
  const off = async () =>
    (await owner.query<{ id: number }>('SELECT id FROM corporation WHERE NOT enabled ORDER BY id')).rows.map(
      ({ id }) => id,
    );
  const { data } = (await superadmin('POST', '/api/v1/corporations', { name: 'Shut', reseller_id: northwind }))
    .body as Body;
  const shut = Number(data['id']);
  await put(`corporations/${shut}`, { enabled: false });
  assert.equal((await concerned(`corporations/${northwind}`))['customers'], 1);
  await put(`corporations/${northwind}`, { enabled: false });
  assert.equal(await enter('reseller'), 'account_disabled');
  assert.equal(await enter('corporate'), 'in');
  await put(`corporations/${northwind}`, { enabled: true });
  const { message } = await put(`corporations/${northwind}`, { enabled: false, with_customers: true });
  assert.equal(message, 'The reseller and 1 customer are disabled.');
  assert.deepEqual(
    await off(),
    [northwind, acme, shut].sort((a, b) => a - b),
  );
  assert.equal(await enter('corporate'), 'account_disabled');
  await put(`corporations/${northwind}`, { enabled: true });
  assert.deepEqual(await off(), [shut], 'what was off before stays off');
  // A customer that was switched separately meanwhile no longer follows its reseller.
  await put(`corporations/${northwind}`, { enabled: false, with_customers: true });
  await put(`corporations/${acme}`, { enabled: true });
  await put(`corporations/${acme}`, { enabled: false });
  await put(`corporations/${northwind}`, { enabled: true });
  assert.deepEqual(
    await off(),
    [acme, shut].sort((a, b) => a - b),
  );
  const { rows } = await owner.query(
    "SELECT count(*)::integer AS n FROM activity_log WHERE subject_type = 'corporations' AND subject_id = $1 AND properties::text LIKE '%enabled%'",
    [acme],
  );
  assert.ok(rows[0].n >= 5, String(rows[0].n));
});
