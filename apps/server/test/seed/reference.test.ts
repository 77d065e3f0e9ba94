import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERMISSIONS } from '@heliograph/contract/access/role-permissions';
import { createAdmin } from '../../src/seed/create-admin.ts';
import { seedReference } from '../../src/seed/reference.ts';
import { type TestDatabase, testDatabase } from '../template-database.ts';

async function seed(database: TestDatabase): Promise<void> {
  const client = await database.pool('owner').connect();
  try {
    await seedReference(client);
  } finally {
    client.release();
  }
}

const snapshot = async (database: TestDatabase) =>
  (
    await database.pool('owner').query(`SELECT
      (SELECT json_agg(r ORDER BY id) FROM role r)::text AS roles, (SELECT json_agg(m ORDER BY id) FROM menu m)::text AS menu,
      (SELECT json_agg(p ORDER BY role_id, permission_id) FROM role_permission p)::text AS rights,
      (SELECT json_agg(g ORDER BY key) FROM global_configuration g)::text AS settings`)
  ).rows[0];

test('reference data may be seeded repeatedly', async (t) => {
  const database = await testDatabase(t);
  await seed(database);
  const first = await snapshot(database);
  await seed(database);
  assert.deepEqual(await snapshot(database), first);
  const { rows } = await database.pool('owner').query(`SELECT count(*) FROM role_permission
    WHERE role_id = (SELECT id FROM role WHERE name = 'super_admin')`);
  assert.equal(rows[0].count, PERMISSIONS.length);
});

test('seeding keeps an operator’s settings and the permissions removed from a role', async (t) => {
  const database = await testDatabase(t);
  await seed(database);
  const pool = database.pool('owner');
  await pool.query("UPDATE global_configuration SET value = 'Beacon' WHERE key = 'app_name'");
  await pool.query("DELETE FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'corporate_user')");
  await seed(database);
  const { rows } = await pool.query(`SELECT (SELECT value FROM global_configuration WHERE key = 'app_name') AS name,
    (SELECT count(*) FROM role_permission WHERE role_id = (SELECT id FROM role WHERE name = 'corporate_user')) AS rights`);
  assert.deepEqual(rows, [{ name: 'Beacon', rights: 0 }]);
});

test('a first administrator is created once, with a password that follows the rule', async (t) => {
  const database = await testDatabase(t);
  const admin = { url: database.url, email: 'Keeper@Lamp.test', name: 'Keeper', password: 'Lantern#41' };
  await assert.rejects(createAdmin({ ...admin, password: 'lantern' }), { name: 'StartError', message: /8 to 16/ });
  await assert.rejects(createAdmin({ ...admin, email: 'nobody' }), { name: 'StartError' });
  await createAdmin(admin);
  await assert.rejects(createAdmin(admin), { name: 'StartError', message: /^A user already has/ });
  const { rows } = await database
    .pool('owner')
    .query('SELECT email, scope_level, r.name AS role FROM user_account u JOIN role r ON r.id = role_id');
  assert.deepEqual(rows, [{ email: 'keeper@lamp.test', scope_level: 0, role: 'super_admin' }]);
});

test('the cause of an error is reported, even if the database connection is lost too', async () => {
  const query = async (text: string) => {
    if (text === 'ROLLBACK') throw new Error('the session is gone');
    if (text !== 'BEGIN') throw new Error('no room on the disk');
  };
  await assert.rejects(seedReference({ query } as never), /no room/);
});
