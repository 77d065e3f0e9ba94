import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf, type Row } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { idOf, one, personOf } = api.database;
const roleOf = (name: string) => idOf('role', name);
const [superadmin, admin, corporate, user] = (await Promise.all(
  ['superadmin', 'admin', 'corporate', 'user'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client];

test('nobody grants or removes a permission that they lack', async () => {
  const target = await personOf('user');
  const give = (names: object) => corporate('PATCH', `/api/v1/give-permissions/${target}`, names);
  assert.equal(codeOf(await give({ add: ['corporations-create'] })), 'permission_missing');
  assert.equal(codeOf(await give({ add: ['no-such-permission'] })), 'permission_missing');
  await owner.query("INSERT INTO user_permission SELECT $1, id FROM permission WHERE name = 'roles-index'", [
    await personOf('readonly'),
  ]);
  const theirs = await corporate('PATCH', `/api/v1/give-permissions/${await personOf('readonly')}`, {
    remove: ['roles-index'],
  });
  assert.equal(codeOf(theirs), 'forbidden', 'who holds more is above');
  assert.equal((await give({ add: ['users-index'] })).status, 200);
  assert.equal((await user('GET', '/api/v1/users')).status, 200, 'counts with the next request');
  assert.equal((await give({ remove: ['users-index'] })).status, 200);
  assert.equal((await user('GET', '/api/v1/users')).status, 403);

  await owner.query(
    "DELETE FROM role_permission WHERE role_id = $1 AND permission_id = (SELECT id FROM permission WHERE name = 'links-edit')",
    [await roleOf('admin')],
  );
  const assign = (client: Client, id: number, names: object) =>
    client('PATCH', `/api/v1/assign-permissions/${id}`, names);
  assert.equal(
    codeOf(await assign(admin, await roleOf('corporate_user'), { add: ['links-edit'] })),
    'permission_missing',
  );
  assert.equal(codeOf(await assign(admin, await roleOf('super_admin'), { remove: ['menu-index'] })), 'forbidden');
  assert.equal(
    codeOf(await assign(superadmin, await roleOf('super_admin'), { remove: ['menu-index'] })),
    'role_built_in',
  );
  const role = { name: 'Keeper', level: 1, permissions: ['links-edit'] };
  assert.equal(codeOf(await admin('POST', '/api/v1/roles', role)), 'permission_missing');
  assert.equal((await admin('POST', '/api/v1/roles', { ...role, level: 0, permissions: ['menu-index'] })).status, 422);
  assert.equal((await superadmin('POST', '/api/v1/roles', { ...role, permissions: [] })).status, 422);
});

test('a tenant cannot change roles, permissions or the menu, whatever it was granted', async () => {
  const names = [
    'roles-index',
    'roles-create',
    'roles-edit',
    'roles-delete',
    'permissions-create',
    'permissions-delete',
    'menu-create',
    'menu-edit',
    'menu-delete',
    'assign-permissions-edit',
  ];
  await owner.query(
    'INSERT INTO user_permission SELECT $1, id FROM permission WHERE name = ANY ($2) ON CONFLICT DO NOTHING',
    [await personOf('corporate'), names],
  );
  const role = await one("SELECT id FROM role WHERE name = 'corporate_user'");
  const entry = await one("SELECT id FROM menu WHERE url = 'users'");
  const before = await snapshot();
  for (const [method, path, body] of [
    ['POST', 'roles', { name: 'Mine', level: 4, permissions: ['dashboard-index'] }],
    ['PATCH', `roles/${role}`, { level: 3 }],
    ['DELETE', `roles/${role}`, undefined],
    ['POST', 'permissions', { name: 'mine-index' }],
    ['POST', 'menus', { title: 'Mine' }],
    ['PATCH', `menus/${entry}`, { position: 7 }],
    ['DELETE', `menus/${entry}`, undefined],
    ['PUT', 'menus/order', { entries: [{ id: entry, parent_id: null }] }],
    ['PATCH', `assign-permissions/${role}`, { add: ['dashboard-index'] }],
  ] as const)
    assert.equal((await corporate(method, `/api/v1/${path}`, body)).status, 403, `${method} ${path}`);
  assert.deepEqual(await snapshot(), before);
  await owner.query('DELETE FROM user_permission WHERE user_id = $1', [await personOf('corporate')]);
});

const snapshot = async () =>
  (
    await owner.query(`SELECT (SELECT md5(string_agg(r::text, '' ORDER BY id)) FROM role r) AS roles,
      (SELECT md5(string_agg(m::text, '' ORDER BY id)) FROM menu m) AS menu,
      (SELECT md5(string_agg(h::text, '' ORDER BY role_id, permission_id)) FROM role_permission h) AS held`)
  ).rows[0];

test('row level security protects levels and rights even if a handler does not', async () => {
  const { rows } = await owner.query('SELECT id, corporation_id, department_id FROM user_account WHERE email = $1', [
    'corporate@heliograph.test',
  ]);
  const scope = rows[0] as { id: number; corporation_id: number };
  const asCorporate = async (text: string) => {
    const client = await api.database.pool('api').connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `SELECT set_config('app.level', '2', true), set_config('app.corporations', $1, true), set_config('app.department', '', true), set_config('app.user', $2, true)`,
        [`{${scope.corporation_id}}`, String(scope.id)],
      );
      return await client.query(text);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  const refused = /row-level security|permission denied/;
  const target = await personOf('user');
  await assert.rejects(
    asCorporate(`UPDATE user_account SET scope_level = 1, corporation_id = NULL WHERE id = ${target}`),
    refused,
  );
  await assert.rejects(asCorporate(`UPDATE user_account SET scope_level = 0 WHERE id = ${scope.id}`), refused);
  await assert.rejects(
    asCorporate(`INSERT INTO user_permission SELECT ${target}, id FROM permission WHERE name = 'roles-delete'`),
    refused,
  );
  await assert.rejects(
    asCorporate(
      `INSERT INTO role_permission SELECT r.id, p.id FROM role r, permission p WHERE r.name = 'corporate_admin' AND p.name = 'roles-delete'`,
    ),
    refused,
  );
  await assert.rejects(asCorporate(`SELECT password_hash FROM user_account`), refused);
  await assert.rejects(asCorporate(`SELECT secret_sealed FROM user_totp`), refused);
  await assert.rejects(
    asCorporate(
      `INSERT INTO activity_log (name, description, subject_type, causer_id, corporation_id) VALUES ('x', 'x', 'x', ${target}, ${scope.corporation_id})`,
    ),
    refused,
  );
  for (const text of [
    `DELETE FROM user_account WHERE id = ${scope.id}`,
    `DELETE FROM user_account WHERE email = 'superadmin@heliograph.test'`,
    `UPDATE role SET level = 4`,
    `DELETE FROM menu`,
    `UPDATE session SET ended_at = now() WHERE user_id = (SELECT id FROM user_account WHERE email = 'superadmin@heliograph.test')`,
  ])
    assert.equal((await asCorporate(text)).rowCount, 0, text);
});

test('built-in roles and permissions keep their names, and a role in use stays', async () => {
  const own = await roleOf('department_admin');
  assert.equal(codeOf(await superadmin('DELETE', `/api/v1/roles/${own}`)), 'role_built_in');
  assert.equal(codeOf(await superadmin('PATCH', `/api/v1/roles/${own}`, { name: 'Other' })), 'role_built_in');
  const permission = await one("SELECT id FROM permission WHERE name = 'campaigns-run'");
  assert.equal(codeOf(await superadmin('DELETE', `/api/v1/permissions/${permission}`)), 'permission_built_in');
  assert.equal(
    codeOf(await superadmin('PATCH', `/api/v1/permissions/${permission}`, { name: 'x-run' })),
    'permission_built_in',
  );
  const role = dataOf(
    await superadmin('POST', '/api/v1/roles', { name: 'Marketer', level: 3, permissions: ['dashboard-index'] }),
  );
  assert.deepEqual([role['permissions_count'], role['users_count'], role['unlimited']], [1, 0, false]);
  await owner.query("UPDATE user_account SET role_id = $1 WHERE email = 'department@heliograph.test'", [role.id]);
  assert.equal(codeOf(await superadmin('PATCH', `/api/v1/roles/${role.id}`, { level: 4 })), 'role_level_in_use');
  assert.equal(codeOf(await superadmin('DELETE', `/api/v1/roles/${role.id}`)), 'has_dependencies');
  await owner.query("UPDATE user_account SET role_id = $1 WHERE email = 'department@heliograph.test'", [own]);
  assert.equal((await superadmin('DELETE', `/api/v1/roles/${role.id}`)).status, 200);
});

test('a read-only user sees everything in their scope and changes nothing', async () => {
  const readonly = await api.as('readonly');
  const id = await personOf('readonly');
  const department = await api.as('department');
  const idsOf = async (client: Client, path: string) => {
    const { status, body } = await client('GET', path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return (body as { data: Row[] }).data.map((row) => row.id).sort((a, b) => a - b);
  };
  const made = await department('POST', '/api/v1/number-lists', {
    name: 'A colleague’s own',
    private: true,
    department_id: await one("SELECT id FROM department WHERE name = 'Marketing'"),
    corporation_id: await one("SELECT id FROM corporation WHERE name = 'Acme Retail'"),
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const lists = ['campaigns', 'number-lists', 'inbox', 'message-templates', 'sender-ids', 'billing-accounts', 'users'];
  for (const path of lists) {
    const seen = await idsOf(readonly, `/api/v1/${path}`);
    assert.ok(seen.length > 0, path);
    assert.deepEqual(seen, await idsOf(department, `/api/v1/${path}`), path);
  }
  await owner.query('UPDATE user_account SET department_id = NULL, scope_level = 2 WHERE id = $1', [id]);
  assert.deepEqual(await idsOf(readonly, '/api/v1/departments'), await idsOf(corporate, '/api/v1/departments'));
  await owner.query(
    'UPDATE user_account SET corporation_id = NULL, billing_account_id = NULL, scope_level = 1 WHERE id = $1',
    [id],
  );
  assert.deepEqual(await idsOf(readonly, '/api/v1/corporations'), await idsOf(superadmin, '/api/v1/corporations'));

  // Permissions granted before the role are not held either.
  await owner.query('INSERT INTO user_permission SELECT $1, id FROM permission ON CONFLICT DO NOTHING', [id]);
  const list = `/api/v1/number-lists/${dataOf(made).id}`;
  assert.equal((await readonly('PATCH', list, { name: 'Mine now' })).status, 403);
  assert.equal((await readonly('DELETE', list)).status, 403);
  assert.equal((await readonly('GET', '/api/v1/roles')).status, 200);
  assert.equal((await readonly('PATCH', '/api/v1/profiles', { preferred_language: 'fp' })).status, 200);
  const given = await superadmin('PATCH', `/api/v1/give-permissions/${id}`, { add: ['roles-edit'] });
  assert.equal(codeOf(given), 'read_only_role');
  const role = await roleOf('read_only_user');
  assert.equal(
    codeOf(await superadmin('PATCH', `/api/v1/assign-permissions/${role}`, { add: ['roles-edit'] })),
    'read_only_role',
  );
});
