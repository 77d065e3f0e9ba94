import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { kindOfId, listAll, resourceNamed } from '../every-resource/records.ts';
import { sampleBody, shapeOf } from '../every-resource/sample.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

/** A number and a text that occur nowhere in the database. If one turns up, a privileged field was accepted. */
const POISON = 777_777_777;
const POISON_TEXT = 'poisoned-by-a-caller';

/** Fields that would raise the rights or the credit of the caller or of another person. */
const PRIVILEGED: Readonly<Record<string, unknown>> = {
  id: POISON,
  corporation_id: POISON,
  department_id: POISON,
  billing_account_id: POISON,
  user_id: POISON,
  created_by: POISON,
  role_id: POISON,
  reseller_id: POISON,
  role: POISON_TEXT,
  role_level: POISON,
  level: POISON,
  scope_level: POISON,
  permissions: [POISON_TEXT],
  is_reseller: POISON_TEXT,
  is_admin: POISON_TEXT,
  credit_balance: String(POISON),
  credit_limit: String(POISON),
  reserved: String(POISON),
  suspended: POISON_TEXT,
  enabled: POISON_TEXT,
  skip_blacklist: POISON_TEXT,
  password_hash: POISON_TEXT,
  verified: POISON_TEXT,
  locked_until: POISON_TEXT,
  created_at: POISON_TEXT,
};

/** Calls that would end the sessions or change the passwords that this test uses. */
const LEFT_OUT = /\/(logout|sessions\/end|password\/|two-factor\/|otp\/|reset-password|oauth\/token)/;
const writes = ALL_OPERATIONS.filter((o) => o.method !== 'GET' && !o.upload && !LEFT_OUT.test(o.path));

/** Finds the poison in any column of any table. */
async function poisoned(): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT (relispartition AND relname ~ '_[0-9]{8}$')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `SELECT left(t::text, 300) AS row FROM ${name} t WHERE t::text LIKE '%${POISON}%' OR t::text LIKE '%${POISON_TEXT}%' LIMIT 1`,
    );
    for (const { row } of rows) found.push(`${name}: ${row}`);
  }
  return found;
}

/** Returns one id of each kind that the caller sees. */
async function idsOf(client: Client, held: ReadonlySet<string>): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const r of RESOURCES) {
    if (!held.has(r.permissions.index)) continue;
    const [first] = await listAll(client, r).catch(() => []);
    if (first) ids.set(r.name, first.id);
  }
  const { rows } = await owner.query(
    `SELECT (SELECT max(id) FROM campaign) AS campaigns, (SELECT max(id) FROM user_account) AS people`,
  );
  ids.set('campaigns', rows[0].campaigns);
  ids.set('give-permissions', rows[0].people);
  const role = ids.get('roles');
  if (role) ids.set('assign-permissions', role);
  return ids;
}

test('there are 25 privileged fields', () => assert.equal(Object.keys(PRIVILEGED).length, 25));

for (const [login, role] of [
  ['superadmin', 'super_admin'],
  ['reseller', 'reseller'],
  ['corporate', 'corporate_admin'],
  ['user', 'corporate_user'],
] as const) {
  test(`${login} cannot set a privileged field that the call does not name`, async () => {
    const client = await api.as(login);
    const held = new Set(permissionsOf(role));
    const ids = await idsOf(client, held);
    let taken = 0;
    for (const o of writes) {
      if (o.permission !== null && !held.has(o.permission)) continue;
      const body = bodyOf(o, ids);
      const path = o.path.includes('/:id') ? o.path.replace(':id', String(ids.get(kindOfId(o)) ?? 1)) : o.path;
      // Deleting a record would also delete the evidence.
      if (o.method === 'DELETE') continue;
      const { status } = await client(o.method, path, body);
      assert.ok(status < 500, `${login} ${o.method} ${o.path}: ${status}`);
      if (status < 300) taken++;
    }
    assert.ok(taken >= (role === 'super_admin' ? 10 : role === 'corporate_user' ? 1 : 4), `${taken} calls were taken`);
    assert.deepEqual(await poisoned(), []);
  });
}

/** Builds a body that the call takes, if possible, and adds every privileged field that the call does not name. */
function bodyOf(o: Operation, ids: ReadonlyMap<string, number>): Record<string, unknown> {
  const named = new Set(Object.keys(shapeOf(o.body)));
  let body: Record<string, unknown> = {};
  try {
    body = sampleBody(o.body, (to) => ids.get(resourceNamed(to).name));
  } catch {
    // A field takes none of the samples: the call is made with the poison only.
  }
  const extra = Object.fromEntries(Object.entries(PRIVILEGED).filter(([name]) => !named.has(name)));
  return { ...body, ...extra };
}

test('the role and rights of the test person are unchanged', async () => {
  const { status } = await api.anonymous()('POST', '/api/v1/oauth/token', {
    username: 'user@heliograph.test',
    password: DEMO_PASSWORD,
  });
  assert.equal(status, 200);
  const { rows } = await owner.query(
    `SELECT r.name AS role, u.scope_level, u.skip_blacklist FROM user_account u JOIN role r ON r.id = u.role_id WHERE u.email = 'user@heliograph.test'`,
  );
  assert.deepEqual(rows, [{ role: 'corporate_user', scope_level: 4, skip_blacklist: false }]);
});
