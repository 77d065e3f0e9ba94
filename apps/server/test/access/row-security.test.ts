import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '../../src/platform/config/config.ts';
import { createLogger } from '../../src/platform/log.ts';
import { seedDemo } from '../../src/seed/index.ts';
import { testDatabase } from '../template-database.ts';

// Tests of row level security only: no handler and no WHERE, just the API's role and the scope of the transaction.

const folder = mkdtempSync(join(tmpdir(), 'heliograph-walls-'));
after(() => rmSync(folder, { recursive: true }));
const database = await testDatabase({ after });
const log = createLogger({ LOG_LEVEL: 'silent' }, 'walls');
await seedDemo({ url: database.url, config: readConfig({ DATA_DIR: folder }), log });
const owner = database.pool('owner');

interface Scope {
  level: number;
  corporations: number[];
  department?: number;
  user: number;
}

/** Returns the rows of a query as the API sees them under a scope, or with no scope set. */
async function seen<Row extends object>(scope: Scope | undefined, text: string): Promise<Row[]> {
  const client = await database.pool('api').connect();
  try {
    await client.query('BEGIN');
    if (scope) {
      await client.query(
        `SELECT set_config('app.level', $1, true), set_config('app.corporations', $2, true),
           set_config('app.department', $3, true), set_config('app.user', $4, true)`,
        [String(scope.level), `{${scope.corporations}}`, String(scope.department ?? ''), String(scope.user)],
      );
    }
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const { rows: tables } = await owner.query<{ name: string; granted: boolean }>(`
  SELECT c.relname AS name, has_any_column_privilege('heliograph_api', c.oid, 'SELECT') AS granted
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT (c.relispartition AND c.relname ~ '_[0-9]{8}$')
    AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'corporation_id' AND NOT a.attisdropped)
  ORDER BY 1`);

/** Tables that have rows for everybody beside those of tenants. */
const ALSO_FOR_ALL: readonly string[] = ['rule_version'];

const personOf = async (email: string) =>
  (
    await owner.query<{ id: number; corporation_id: number; department_id: number }>(
      'SELECT id, corporation_id, department_id FROM user_account WHERE email = $1',
      [email],
    )
  ).rows[0]!;

test('every table with a corporation has forced row level security and an API policy', async () => {
  const { rows } = await owner.query<{ name: string; walled: boolean; policies: number }>(
    `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS walled,
       (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid AND 'heliograph_api'::regrole = ANY (p.polroles)) AS policies
     FROM pg_class c WHERE c.relname = ANY ($1) AND c.relnamespace = 'public'::regnamespace`,
    [[...tables.map(({ name }) => name), 'corporation', 'number_list_number', 'receipt']],
  );
  assert.ok(rows.length > 20);
  for (const { name, walled, policies } of rows) {
    assert.equal(walled, true, `${name} has no forced row level security`);
    assert.ok(policies > 0, `${name} has no policy for the API`);
  }
});

test('no table that the API may write is without row level security, forced', async () => {
  const { rows } = await owner.query(`SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT (relispartition AND relname ~ '_[0-9]{8}$')
      AND NOT (relrowsecurity AND relforcerowsecurity)
      AND (has_any_column_privilege('heliograph_api', oid, 'INSERT') OR has_any_column_privilege('heliograph_api', oid, 'UPDATE')
        OR has_table_privilege('heliograph_api', oid, 'DELETE')) ORDER BY 1`);
  assert.deepEqual(rows, []);
});

test('no process role owns a table, acts as its owner or bypasses row security', async () => {
  const { rows } = await owner.query(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'heliograph\\_%'
    AND (rolsuper OR rolbypassrls OR rolcreaterole OR pg_has_role(pg_roles.oid, current_user, 'MEMBER')
      OR EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid AND relnamespace = 'public'::regnamespace))`);
  assert.deepEqual(rows, []);
});

test('no view of the API runs with the rights of its owner', async () => {
  const { rows } = await owner.query(`SELECT relname FROM pg_class
    WHERE relkind IN ('v', 'm') AND relnamespace = 'public'::regnamespace
      AND has_table_privilege('heliograph_api', oid, 'SELECT')
      AND NOT coalesce(reloptions @> '{security_invoker=true}' OR reloptions @> '{security_invoker=on}', false)
    ORDER BY relname`);
  // A caller may read only the name of a link, and no lane. These views show the rest to the platform only.
  assert.deepEqual(rows, [{ relname: 'link_row' }, { relname: 'node_row' }]);
});

test('only the platform sees link settings and nodes, and nobody sees passwords', async () => {
  const corporation = { level: 2, corporations: [await database.idOf('corporation', 'Acme Retail')], user: 1 };
  await owner.query(`INSERT INTO node (name, kind, host, pid, version) VALUES ('test/1', 'sender', 'test', 1, '1')`);
  const nodes = 'SELECT count(*) FROM node_row';
  assert.deepEqual(await seen(corporation, nodes), [{ count: 0 }]);
  assert.notDeepEqual(await seen({ level: 0, corporations: [], user: 1 }, nodes), [{ count: 0 }]);
  const count = 'SELECT count(*) FROM link_row';
  assert.deepEqual(await seen(undefined, count), [{ count: 0 }]);
  assert.deepEqual(await seen(corporation, count), [{ count: 0 }]);
  assert.notDeepEqual(await seen({ level: 0, corporations: [], user: 1 }, count), [{ count: 0 }]);
  await assert.rejects(seen(corporation, 'SELECT host FROM link'), /permission denied/);
  await assert.rejects(seen({ level: 0, corporations: [], user: 1 }, 'SELECT password_sealed FROM link'), /permission/);
});

test('a transaction without a scope sees no row of any tenant', async () => {
  for (const { name, granted } of [
    ...tables,
    { name: 'number_list_number', granted: true },
    { name: 'receipt', granted: true },
  ]) {
    if (!granted) continue;
    const rows = ALSO_FOR_ALL.includes(name) ? `${name} WHERE corporation_id IS NOT NULL` : name;
    assert.deepEqual(await seen(undefined, `SELECT count(*) FROM ${rows}`), [{ count: 0 }], name);
  }
  assert.deepEqual(await seen(undefined, 'SELECT count(*) FROM corporation'), [{ count: 0 }]);
});

for (const [mine, email, others] of [
  ['Acme Retail', 'corporate@heliograph.test', ['Blue Harbor Bank', 'Green Valley Clinic', 'Northwind Telecom']],
  ['Blue Harbor Bank', 'corporate@harbor.test', ['Acme Retail', 'Green Valley Clinic', 'Northwind Telecom']],
] as const) {
  test(`under the scope of ${mine} no row of another tenant is in any table`, async () => {
    const id = await database.idOf('corporation', mine);
    const scope = { level: 2, corporations: [id], user: (await personOf(email)).id };
    let withRows = 0;
    for (const { name, granted } of tables) {
      if (!granted) continue;
      const rows = await seen<{ corporation_id: number | null }>(scope, `SELECT DISTINCT corporation_id FROM ${name}`);
      // A tenant sees the price plan that it is billed by, even if another tenant owns it.
      const foreign = rows.filter(
        ({ corporation_id }) => corporation_id !== id && !(corporation_id === null && ALSO_FOR_ALL.includes(name)),
      );
      if (name !== 'price_plan') assert.deepEqual(foreign, [], name);
      if (rows.length > 0) withRows++;
    }
    assert.ok(withRows >= 12, `only ${withRows} tables had rows, so the test shows little`);
    const names = await seen<{ name: string }>(scope, 'SELECT name FROM corporation');
    assert.deepEqual(names, [{ name: mine }]);
    for (const other of others) {
      const [row] = await seen<{ count: number }>(
        scope,
        `SELECT count(*) FROM number_list_number n JOIN number_list l ON l.id = n.number_list_id WHERE l.corporation_id = ${await database.idOf('corporation', other)}`,
      );
      assert.equal(row?.count, 0);
    }
    const [numbers] = await seen<{ mine: number; all: number }>(
      scope,
      `SELECT count(*) FILTER (WHERE number_list_id IN (SELECT id FROM number_list)) AS mine, count(*) AS all FROM number_list_number`,
    );
    assert.ok(numbers!.mine > 0);
    assert.equal(numbers?.mine, numbers?.all);
    const [receipts] = await seen<{ foreign_ones: number; all: number }>(
      scope,
      'SELECT count(*) FILTER (WHERE message_id NOT IN (SELECT id FROM message)) AS foreign_ones, count(*) AS all FROM receipt',
    );
    assert.equal(receipts?.foreign_ones, 0);
    assert.ok(receipts!.all > 0);
  });
}

test('a tenant cannot write into another tenant, whatever the statement', async () => {
  const [mine, other] = [
    await database.idOf('corporation', 'Acme Retail'),
    await database.idOf('corporation', 'Blue Harbor Bank'),
  ];
  const scope = { level: 2, corporations: [mine], user: (await personOf('corporate@heliograph.test')).id };
  for (const { name } of tables) {
    const { rows } = await owner.query(
      "SELECT has_table_privilege('heliograph_api', $1, 'UPDATE') AS update, has_table_privilege('heliograph_api', $1, 'DELETE') AS delete",
      [name],
    );
    if (rows[0].update) {
      const moved = await seen(
        scope,
        `UPDATE ${name} SET corporation_id = corporation_id WHERE corporation_id = ${other} RETURNING 1`,
      );
      assert.deepEqual(moved, [], name);
    }
    if (rows[0].delete) {
      assert.deepEqual(await seen(scope, `DELETE FROM ${name} WHERE corporation_id = ${other} RETURNING 1`), [], name);
    }
  }
  const refused = /violates row-level security/;
  await assert.rejects(seen(scope, `INSERT INTO department (corporation_id, name) VALUES (${other}, 'x')`), refused);
  await assert.rejects(seen(scope, `INSERT INTO corporation (name) VALUES ('x')`), refused);
  await assert.rejects(
    seen(scope, `UPDATE sender_id SET corporation_id = ${other} WHERE corporation_id = ${mine}`),
    refused,
  );
  // The platform's plan is visible because Blue Harbor is billed by it, but Blue Harbor cannot change it.
  const harbor = { level: 2, corporations: [other], user: (await personOf('corporate@harbor.test')).id };
  assert.equal((await seen(harbor, 'SELECT FROM price_plan')).length, 1);
  assert.deepEqual(await seen(harbor, 'UPDATE price_plan SET default_charge = 0 RETURNING 1'), []);
});

test('a user of level 4 sees own campaigns, and a department only its own people', async () => {
  const user = await personOf('user@heliograph.test');
  const scope = { level: 4, corporations: [user.corporation_id], department: user.department_id, user: user.id };
  const campaigns = await seen<{ created_by: number }>(scope, 'SELECT created_by FROM campaign');
  assert.ok(campaigns.length > 0);
  assert.ok(campaigns.every(({ created_by }) => created_by === user.id));
  const people = await seen<{ department_id: number }>(scope, 'SELECT department_id FROM user_account');
  assert.ok(people.every(({ department_id }) => department_id === user.department_id));
  await owner.query(
    `INSERT INTO number_list (corporation_id, department_id, name, private, created_by)
     SELECT corporation_id, department_id, 'Private of somebody else', true, id FROM user_account WHERE email = 'readonly@heliograph.test'`,
  );
  const lists = await seen<{ name: string }>(scope, 'SELECT name FROM number_list');
  assert.deepEqual(lists, [{ name: 'Loyalty customers' }]);
});
