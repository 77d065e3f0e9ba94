import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoApi } from './demo-api.ts';

const { database, as } = await demoApi();
const admin = await as('admin@heliograph.test');
const reseller = await as('reseller@heliograph.test');
const corporate = await as('corporate@heliograph.test');
const department = await as('department@heliograph.test');
const user = await as('user@heliograph.test');

const { idOf } = database;
const acme = await idOf('corporation', 'Acme Retail');
const northwind = await idOf('corporation', 'Northwind Telecom');
const harbor = await idOf('corporation', 'Blue Harbor Bank');

test('a reseller adds corporations of its own and works inside them immediately', async () => {
  const added = await reseller('POST', 'corporations', { name: 'Corner Shop' });
  assert.equal(added.status, 201);
  assert.equal(added.body.data.reseller_id, northwind);
  const id = added.body.data.id;
  assert.equal((await reseller('GET', `corporations/${id}`)).status, 200);
  assert.equal((await reseller('POST', 'departments', { corporation_id: id, name: 'Till' })).status, 201);
  assert.equal((await reseller('POST', 'corporations', { name: 'corner shop 2', reseller_id: harbor })).status, 422);
  assert.equal(
    (await reseller('POST', 'corporations', { name: 'Corner Shop' })).body.code,
    'corporation_already_exists',
  );
  assert.equal((await corporate('GET', `corporations/${id}`)).status, 404);
});

test('an edit of a corporation cannot move it to another reseller', async () => {
  for (const client of [admin, reseller]) {
    const moved = await client('PATCH', `corporations/${acme}`, { reseller_id: null, sales_code: 'S-1' });
    assert.deepEqual([moved.status, Object.keys(moved.body.errors ?? {})], [422, ['reseller_id']]);
    assert.equal((await client('GET', `corporations/${acme}`)).body.data.reseller_id, northwind);
  }
});

test('nobody deletes their own corporation, department or billing account', async () => {
  assert.equal((await reseller('DELETE', `corporations/${northwind}`)).body.code, 'own_corporation');
  const marketing = await idOf('department', 'Marketing');
  await database.pool('owner').query(
    `INSERT INTO role_permission SELECT r.id, p.id FROM role r, permission p
     WHERE r.name = 'department_admin' AND p.name IN ('departments-delete', 'billing-accounts-delete')`,
  );
  assert.equal((await department('DELETE', `departments/${marketing}`)).body.code, 'own_department');
  const account = await idOf('billing_account', 'Acme main');
  assert.equal((await department('DELETE', `billing-accounts/${account}`)).body.code, 'own_billing_account');
});

test('a record with dependents is not deleted; a record without any is', async () => {
  assert.equal((await admin('DELETE', `corporations/${acme}`)).body.code, 'has_dependencies');
  assert.equal(
    (await admin('DELETE', `departments/${await idOf('department', 'Marketing')}`)).body.code,
    'has_dependencies',
  );
  assert.equal(
    (await admin('DELETE', `price-plans/${await idOf('price_plan', 'Northwind retail')}`)).body.code,
    'has_dependencies',
  );
  const { body } = await admin('POST', 'corporations', { name: 'Short-lived' });
  const child = await admin('POST', 'departments', { corporation_id: body.data.id, name: 'One' });
  assert.equal((await admin('DELETE', `corporations/${body.data.id}`)).body.code, 'has_dependencies');
  assert.equal((await admin('DELETE', `departments/${child.body.data.id}`)).status, 200);
  assert.equal((await admin('DELETE', `corporations/${body.data.id}`)).status, 200);
  assert.equal((await admin('GET', `corporations/${body.data.id}`)).status, 404);
});

test('an invisible corporation gets the same error on the field as a missing one', async () => {
  const bodies = {
    departments: { name: 'Spy' },
    'sender-ids': { sender_id: 'SPY' },
  };
  for (const [path, rest] of Object.entries(bodies)) {
    const foreign = await corporate('POST', path, { ...rest, corporation_id: harbor });
    const absent = await corporate('POST', path, { ...rest, corporation_id: 999_999 });
    assert.equal(foreign.status, 422, path);
    assert.deepEqual(foreign.body.errors, absent.body.errors);
    assert.ok(foreign.body.errors?.corporation_id);
    assert.equal((await corporate('POST', path, { ...rest, corporation_id: acme })).status, 201);
  }
});

test('a record of another tenant is answered with 404 by every call, never 403', async () => {
  const { rows } = await database.pool('owner').query(
    `SELECT (SELECT id FROM department WHERE corporation_id = $1) AS departments, (SELECT id FROM sender_id WHERE corporation_id = $1) AS senders,
       (SELECT id FROM billing_account WHERE corporation_id = $1) AS accounts`,
    [harbor],
  );
  for (const path of [
    `corporations/${harbor}`,
    `departments/${rows[0].departments}`,
    `sender-ids/${rows[0].senders}`,
  ]) {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const { status } = await reseller(method, path, method === 'PATCH' ? { enabled: false } : undefined);
      assert.equal(status, 404, `${method} ${path}`);
    }
  }
  assert.equal((await reseller('POST', `billing-accounts/${rows[0].accounts}/payments`, { amount: '1' })).status, 404);
});

test('lists show only what the caller may see, and the menu only what they may open', async () => {
  type List = { data: { name: string }[] };
  const names = async (client: typeof admin) =>
    (await client<List>('GET', 'corporations?per_page=200')).body.data.map(({ name }) => name);
  assert.deepEqual(await names(corporate), ['Acme Retail']);
  assert.ok((await names(admin)).includes('Blue Harbor Bank'));
  assert.equal((await names(reseller)).includes('Blue Harbor Bank'), false);
  assert.equal((await user('GET', 'corporations')).status, 403);
  type Menu = { data: { url: string; children: { url: string; children?: { url: string }[] }[] }[] };
  const menu = async (client: typeof admin) => {
    const { data } = (await client<Menu>('GET', 'menus/nav-bar-menus')).body;
    return data.flatMap((group) => [group, ...group.children]).map(({ url }) => url);
  };
  const { rows } = await database.pool('owner').query<{ url: string; open: boolean }>(
    `SELECT m.url, m.permission IS NULL OR m.permission IN (SELECT p.name FROM permission p
       JOIN role_permission h ON h.permission_id = p.id JOIN role r ON r.id = h.role_id WHERE r.name = 'corporate_user') AS open
     FROM menu m`,
  );
  const screens = rows.filter(({ url }) => url !== '');
  const open = screens.filter((entry) => entry.open).map(({ url }) => url);
  assert.deepEqual((await menu(user)).filter((url) => url !== '').sort(), open.sort());
  assert.ok(open.includes('send-sms') && !open.includes('corporations'));
  assert.equal((await menu(admin)).length, rows.length);
});

test('every change is in the activity log with who, what, before and after', async () => {
  await corporate('PATCH', `sender-ids/${await senderId('AcmeDeals')}`, { enabled: false });
  const { rows } = await database.pool('owner').query(
    `SELECT description, subject_type, properties, u.email FROM activity_log JOIN user_account u ON u.id = causer_id
     WHERE activity_log.name = 'sender-ids' ORDER BY activity_log.id DESC LIMIT 1`,
  );
  assert.deepEqual(rows, [
    {
      description: 'updated',
      subject_type: 'sender-ids',
      properties: { before: { enabled: true, usable: true }, after: { enabled: false, usable: false } },
      email: 'corporate@heliograph.test',
    },
  ]);
});

const senderId = async (sender: string) =>
  (await database.pool('owner').query<{ id: number }>('SELECT id FROM sender_id WHERE sender_id = $1', [sender]))
    .rows[0]!.id;
