import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import { codeOf, dataOf, messageOf, type Row } from '../answers.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const PASSWORD = 'Lantern#41';

const faultsOf = ({ body }: Answer) => Object.keys((body as { errors?: object }).errors ?? {});

const { idOf, one, personOf } = api.database;
const roleOf = (name: string) => idOf('role', name);
const corporationOf = (name: string) => idOf('corporation', name);
const departmentOf = (corporation: string, name: string) =>
  one('SELECT d.id FROM department d JOIN corporation c ON c.id = d.corporation_id WHERE c.name = $1 AND d.name = $2', [
    corporation,
    name,
  ]);

const acme = await corporationOf('Acme Retail');
const marketing = await departmentOf('Acme Retail', 'Marketing');
const [superadmin, admin, reseller, corporate] = (await Promise.all(
  ['superadmin', 'admin', 'reseller', 'corporate'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client];

let made = 0;
/** Returns the body for a new person in Acme Retail's marketing department, with changes. */
async function body(change: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return {
    name: 'Somebody new',
    email: `new${++made}@acme.test`,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    corporation_id: acme,
    department_id: marketing,
    role_id: await roleOf('corporate_user'),
    scope_level: 4,
    ...change,
  };
}
const create = async (client: Client, change: Record<string, unknown> = {}) =>
  client('POST', '/api/v1/users', await body(change));

test('a person is created with every field, can sign in, and shows their creator', async () => {
  const answer = await create(corporate, {
    phone: '+63 917 000 1234',
    preferred_language: 'fp',
    permission_template: 'corporate_user',
    landing_page: 'campaigns',
    connection_type_id: await one("SELECT id FROM connection_type WHERE name = 'SMPP'"),
    supervisor_ids: [await personOf('department')],
    otp: false,
    skip_signature: false,
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const row = dataOf(answer);
  assert.deepEqual(
    [row['phone'], row['connection_type_name'], row['created_by_name'], row['locked'], row['unlimited']],
    ['639170001234', 'SMPP', 'Acme corporate admin', false, false],
  );
  assert.deepEqual(row['supervisors'], [{ id: await personOf('department'), name: 'Acme marketing admin' }]);
  assert.ok(row['activated_at']);
  const entered = await api.anonymous()('POST', '/api/v1/oauth/token', { username: row['email'], password: PASSWORD });
  assert.equal(entered.status, 200);
  assert.equal(codeOf(await create(corporate, { email: row['email'] })), 'user_already_exists');
});

test('nobody grants a role, a level, a template or a freedom that they do not hold', async () => {
  const northwind = await corporationOf('Northwind Telecom');
  const cases: [Client, Record<string, unknown>, string][] = [
    [corporate, { role_id: await roleOf('super_admin'), scope_level: 2 }, 'role_id'],
    [corporate, { role_id: await roleOf('reseller'), scope_level: 2 }, 'role_id'],
    [corporate, { scope_level: 1 }, 'scope_level'],
    [corporate, { scope_level: 3 }, 'scope_level'],
    [corporate, { permission_template: 'reseller' }, 'permission_template'],
    [corporate, { skip_blacklist: true }, 'skip_blacklist'],
    [corporate, { skip_blackout: true }, 'skip_blackout'],
    [corporate, { corporation_id: northwind }, 'corporation_id'],
    [corporate, { department_id: await departmentOf('Blue Harbor Bank', 'Cards') }, 'department_id'],
    [corporate, { department_id: null }, 'department_id'],
    [
      corporate,
      { billing_account_id: await one("SELECT id FROM billing_account WHERE key = 'BH-3001'") },
      'billing_account_id',
    ],
    [corporate, { supervisor_ids: [await personOf('user')] }, 'supervisor_ids'],
    [corporate, { supervisor_ids: [await personOf('superadmin')] }, 'supervisor_ids'],
    [corporate, { landing_page: 'corporations' }, 'landing_page'],
    [corporate, { landing_page: 'nowhere' }, 'landing_page'],
    [corporate, { connection_type_id: 999 }, 'connection_type_id'],
    [corporate, { phone: '12' }, 'phone'],
    [corporate, { password: 'lantern-light', password_confirmation: 'lantern-light' }, 'password'],
    [corporate, { password_confirmation: 'Lantern#42' }, 'password_confirmation'],
    [
      admin,
      { role_id: await roleOf('super_admin'), scope_level: 0, corporation_id: null, department_id: null },
      'scope_level',
    ],
    [superadmin, { role_id: await roleOf('reseller'), scope_level: 2 }, 'role_id'],
    [superadmin, { role_id: await roleOf('admin'), scope_level: 1 }, 'corporation_id'],
  ];
  const before = await one<number>('SELECT count(*) AS id FROM user_account');
  for (const [client, change, field] of cases) {
    const answer = await create(client, change);
    assert.deepEqual([answer.status, faultsOf(answer)], [422, [field]], JSON.stringify([change, answer.body]));
  }
  assert.equal(await one('SELECT count(*) AS id FROM user_account'), before);
});

test('nobody changes, resets, unlocks or removes a person of their level or above', async () => {
  const self = await personOf('corporate');
  const rival = dataOf(
    await create(reseller, {
      email: 'rival@northwind.test',
      corporation_id: await corporationOf('Northwind Telecom'),
      department_id: null,
      role_id: await roleOf('corporate_admin'),
      scope_level: 2,
    }),
  );
  await owner.query(
    'UPDATE user_account SET password_hash = (SELECT password_hash FROM user_account WHERE id = $1) WHERE id = $2',
    [self, rival.id],
  );
  const weaker = await api.as('rival@northwind.test');
  const boss = await personOf('reseller');
  for (const [client, id, code] of [
    [weaker, boss, 'forbidden'],
    [admin, await personOf('superadmin'), 'forbidden'],
    [corporate, self, 'own_user'],
    [superadmin, await personOf('superadmin'), 'own_user'],
  ] as const) {
    const shown = await client('GET', `/api/v1/users/${id}`);
    assert.deepEqual(dataOf(shown)['abilities'], { edit: false, delete: false });
    for (const [method, path, sent] of [
      ['PATCH', `users/${id}`, { name: 'Taken over' }],
      ['POST', `users/${id}/reset-password`, { password: PASSWORD, password_confirmation: PASSWORD }],
      ['POST', `users/${id}/unlock`, {}],
      ['PUT', `users/${id}/supervisors`, { supervisor_ids: [] }],
      ['PATCH', `give-permissions/${id}`, { add: ['campaigns-run'] }],
      ['DELETE', `users/${id}`, undefined],
    ] as const)
      assert.equal(codeOf(await client(method, `/api/v1/${path}`, sent)), code, `${method} ${path}`);
  }
});

test('a supervisor is not downgraded to user scope, deleted or moved away', async () => {
  const supervisor = await personOf('department');
  const down = await superadmin('PATCH', `/api/v1/users/${supervisor}`, {
    scope_level: 4,
    role_id: await roleOf('corporate_user'),
  });
  assert.deepEqual([codeOf(down), messageOf(down)], ['user_is_supervisor', 'This user assigned as a supervisor.']);
  const gone = await superadmin('DELETE', `/api/v1/users/${supervisor}`);
  assert.equal(codeOf(gone), 'user_is_supervisor');
  const moved = await superadmin('PATCH', `/api/v1/users/${supervisor}`, {
    department_id: await departmentOf('Acme Retail', 'Operations'),
  });
  assert.equal(codeOf(moved), 'user_is_supervisor');
  const { id } = dataOf(await create(corporate));
  await owner.query(
    `INSERT INTO routing (corporation_id, number, action, user_id)
     SELECT corporation_id, '4040', 'inbox', id FROM user_account WHERE id = $1`,
    [id],
  );
  const routed = await corporate('DELETE', `/api/v1/users/${id}`);
  assert.deepEqual([codeOf(routed), messageOf(routed)], ['user_has_routings', 'This user has routings.']);
  await owner.query('DELETE FROM routing WHERE user_id = $1', [id]);
  assert.equal((await corporate('DELETE', `/api/v1/users/${id}`)).status, 200);
  const author = await superadmin('DELETE', `/api/v1/users/${await personOf('user')}`);
  assert.deepEqual([author.status, messageOf(author)], [409, 'Can not delete this because there are dependencies']);
});

test('supervisors are chosen from the people who may approve in that place', async () => {
  const { id } = dataOf(await create(corporate));
  const set = (ids: number[]) => corporate('PUT', `/api/v1/users/${id}/supervisors`, { supervisor_ids: ids });
  const candidates = await corporate(
    'GET',
    `/api/v1/users/supervisor-candidates?corporation_id=${acme}&department_id=${marketing}`,
  );
  const names = (candidates.body as { data: { id: number; name: string }[] }).data.map(({ name }) => name);
  assert.deepEqual(names.slice(0, 2), ['Acme corporate admin', 'Acme marketing admin']);
  assert.equal(names.includes('Acme marketing user'), false);
  const both = [await personOf('corporate'), await personOf('department')];
  assert.equal((dataOf(await set(both))['supervisors'] as unknown[]).length, 2);
  assert.deepEqual(faultsOf(await set([await personOf('user')])), ['supervisor_ids']);
  assert.deepEqual(dataOf(await set([]))['supervisors'], []);
  const harbor = await corporationOf('Blue Harbor Bank');
  const foreign = await corporate('GET', `/api/v1/users/supervisor-candidates?corporation_id=${harbor}`);
  assert.deepEqual((foreign.body as { data: unknown[] }).data, []);
});

test('a reset password only lets its owner renew it and ends every session', async () => {
  const { id, email } = dataOf(await create(corporate)) as Row & { email: string };
  const enter = (password: string) => api.anonymous()('POST', '/api/v1/oauth/token', { username: email, password });
  const { access_token } = (await enter(PASSWORD)).body as { access_token: string };
  await owner.query("INSERT INTO user_totp (user_id, secret_sealed, confirmed_at) VALUES ($1, 'v1.x', now())", [id]);
  const reset = { password: 'Harbour#52', password_confirmation: 'Harbour#52', two_factor: true };
  const asked = async (client: Client) =>
    (await client('GET', '/api/v1/asked-notify')).body as { kind: string; id: number }[];
  const other = await api.as('admin');
  assert.equal((await corporate('POST', `/api/v1/users/${id}/reset-password`, reset)).status, 200);
  assert.equal((await api.anonymous(access_token)('GET', '/api/v1/profiles')).status, 200, 'one person only asks');
  assert.equal(codeOf(await corporate('POST', `/api/v1/users/${id}/reset-password`, reset)), 'recovery_four_eyes');
  assert.deepEqual(await asked(corporate), []);
  assert.deepEqual(
    (await asked(other)).map((each) => [each.kind, each.id]),
    [['recovery', id]],
  );
  assert.equal((await other('POST', `/api/v1/users/${id}/reset-password`, reset)).status, 200);
  assert.deepEqual(await asked(other), []);
  assert.equal(codeOf(await api.anonymous(access_token)('GET', '/api/v1/profiles')), 'session_ended');
  assert.equal(codeOf(await enter('Harbour#52')), 'password_expired');
  const renewed = await api.anonymous()('POST', '/api/v1/password/reset-expired-password', {
    username: email,
    current_password: 'Harbour#52',
    password: 'Beacon#63',
    password_confirmation: 'Beacon#63',
  });
  assert.equal(renewed.status, 200);
  const entered = await enter('Beacon#63');
  assert.deepEqual([entered.status, (entered.body as { verified: boolean }).verified], [200, true]);
  const mailed = await corporate('POST', `/api/v1/users/${id}/reset-password`, {});
  assert.match(messageOf(mailed), new RegExp(email));
});

test('a locked person shows as locked and is unlocked once', async () => {
  const { id, email } = dataOf(await create(corporate)) as Row & { email: string };
  const enter = (password: string) => api.anonymous()('POST', '/api/v1/oauth/token', { username: email, password });
  for (let i = 0; i < 5; i++) await enter('Wrong#2026');
  assert.equal(codeOf(await enter(PASSWORD)), 'account_locked');
  assert.equal(dataOf(await corporate('GET', `/api/v1/users/${id}`))['locked'], true);
  assert.equal(dataOf(await corporate('POST', `/api/v1/users/${id}/unlock`, {}))['locked'], false);
  assert.equal((await enter(PASSWORD)).status, 200);
  assert.equal(codeOf(await corporate('POST', `/api/v1/users/${id}/unlock`, {})), 'unlock_failed');
});

test('disabling a person ends their sessions immediately and notifies them', async () => {
  const { id, email } = dataOf(await create(corporate)) as Row & { email: string };
  const entered = await api.anonymous()('POST', '/api/v1/oauth/token', { username: email, password: PASSWORD });
  const theirs = api.anonymous((entered.body as { access_token: string }).access_token);
  assert.equal((await theirs('GET', '/api/v1/profiles')).status, 200);
  assert.equal((await corporate('PATCH', `/api/v1/users/${id}`, { enabled: false })).status, 200);
  const told = await theirs('GET', '/api/v1/profiles');
  assert.deepEqual([told.status, codeOf(told)], [422, 'session_ended']);
});

test('a template grants directly the permissions that the role lacks', async () => {
  const role = dataOf(
    await superadmin('POST', '/api/v1/roles', { name: 'Reader of lists', level: 4, permissions: ['dashboard-index'] }),
  );
  const { id } = dataOf(await create(corporate, { role_id: role.id, permission_template: 'read_only_user' }));
  const given = await owner.query<{ name: string }>(
    'SELECT p.name FROM user_permission h JOIN permission p ON p.id = h.permission_id WHERE h.user_id = $1 ORDER BY 1',
    [id],
  );
  const expected = permissionsOf('read_only_user').filter((name) => name !== 'dashboard-index');
  assert.deepEqual(
    given.rows.map(({ name }) => name),
    expected.sort(),
  );
});

test('the choices in forms are those that the caller sees and may grant', async () => {
  type Filling = Record<'roles' | 'corporations' | 'departments' | 'menus', { name: string }[]> & {
    scope_levels: { id: number }[];
  };
  const filling = async (client: Client) => (await client('GET', '/api/v1/users/fillingData')).body as Filling;
  const theirs = await filling(corporate);
  const names = theirs.roles.map(({ name }) => name);
  for (const above of ['super_admin', 'admin', 'reseller']) assert.equal(names.includes(above), false, above);
  assert.ok(names.includes('corporate_admin'));
  assert.deepEqual(
    theirs.corporations.map(({ name }) => name),
    ['Acme Retail'],
  );
  assert.deepEqual(
    theirs.scope_levels.map(({ id }) => id),
    [2, 3, 4],
  );
  assert.equal(
    (await filling(superadmin)).roles.some(({ name }) => name === 'super_admin'),
    true,
  );
});

test('only a person with all permissions shows as unlimited', async () => {
  const shown = async () => dataOf(await superadmin('GET', `/api/v1/users/${await personOf('admin')}`))['unlimited'];
  assert.equal(await shown(), true);
  await owner.query("INSERT INTO permission (name) VALUES ('lamps-light')");
  assert.equal(await shown(), false);
  await owner.query("DELETE FROM permission WHERE name = 'lamps-light'");
});
