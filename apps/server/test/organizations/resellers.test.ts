import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { previewReseller, team } from '@heliograph/contract/organizations/team';
import { until } from '@heliograph/fault-kit';
import { codeOf, dataOf, errorsOf, messageOf } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const admin = await api.as('admin');
const reseller = await api.as('reseller');

type Downgrades = ReplyOf<typeof previewReseller>['data'];
type Team = ReplyOf<typeof team.get>['data'];
const { idOf } = api.database;
const northwind = await idOf('corporation', 'Northwind Telecom');
const acme = await idOf('corporation', 'Acme Retail');

const corporation = async (name: string) =>
  dataOf<{ id: number }>(await admin('POST', '/api/v1/corporations', { name })).id;

/** Adds a person of a corporation, with a role, a scope, and permissions granted directly. */
async function person(corporation_id: number, email: string, role: string, scope: number, direct: string[] = []) {
  const { rows } = await owner.query<{ id: number }>(
    `WITH d AS (INSERT INTO department (corporation_id, name) VALUES ($1, $2) RETURNING id)
     INSERT INTO user_account (corporation_id, department_id, email, name, password_hash, role_id, scope_level)
     SELECT $1, d.id, $2, $2, password_hash, (SELECT id FROM role WHERE name = $3), $4
     FROM user_account, d WHERE email = 'user@heliograph.test' RETURNING id`,
    [corporation_id, email, role, scope],
  );
  const { id } = rows[0]!;
  await owner.query('INSERT INTO user_permission SELECT $1, id FROM permission WHERE name = ANY ($2)', [id, direct]);
  return id;
}

const placeOf = async (ids: readonly number[]) =>
  (
    await owner.query<{ role: string; scope_level: number; direct: string[] }>(
      `SELECT r.name AS role, u.scope_level, ARRAY(SELECT p.name FROM user_permission h JOIN permission p ON p.id = h.permission_id
         WHERE h.user_id = u.id ORDER BY 1) AS direct
       FROM user_account u JOIN role r ON r.id = u.role_id WHERE u.id = ANY ($1) ORDER BY u.id`,
      [ids],
    )
  ).rows;

const idsOf = (people: Downgrades) => people.map(({ id }) => id);

test('making a corporation a reseller downgrades its users above that role', async () => {
  const id = await corporation('Eastwind');
  const above = await person(id, 'above@eastwind.test', 'admin', 2, ['menu-edit', 'teams-edit']);
  const deep = await person(id, 'deep@eastwind.test', 'admin', 3);
  const below = await person(id, 'below@eastwind.test', 'corporate_admin', 2, ['price-plans-index']);
  const shown = dataOf<Downgrades>(await admin('GET', `/api/v1/corporations/${id}/new-reseller-preview`));
  assert.deepEqual(
    shown.map(({ email, role_name, scope_level, new_role_name, new_scope_level }) => [
      email,
      role_name,
      scope_level,
      new_role_name,
      new_scope_level,
    ]),
    [
      ['above@eastwind.test', 'admin', 2, 'reseller', 2],
      ['deep@eastwind.test', 'admin', 3, 'reseller', 3],
    ],
  );
  assert.ok(shown.every(({ loses, gains }) => loses > 0 && gains === 0));
  const make = (confirmed_user_ids: number[]) =>
    admin('POST', '/api/v1/teams', { corporation_id: id, app_name: 'Eastwind Text', confirmed_user_ids });
  for (const wrong of [[], [above], [above, deep, below]]) assert.equal(codeOf(await make(wrong)), 'changed_meanwhile');
  assert.equal((await placeOf([above]))[0]?.role, 'admin', 'nothing has changed');
  const made = await make(idsOf(shown));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.deepEqual(await placeOf([above, deep, below]), [
    { role: 'reseller', scope_level: 2, direct: ['teams-edit'] },
    { role: 'reseller', scope_level: 3, direct: [] },
    { role: 'corporate_admin', scope_level: 2, direct: ['price-plans-index'] },
  ]);
  assert.equal(messageOf(await make([])), 'Reseller already exists');
  const { rows } = await owner.query(
    `SELECT subject_id, properties FROM activity_log WHERE name = 'users' AND description = 'downgraded'
     AND corporation_id = $1 ORDER BY subject_id`,
    [id],
  );
  assert.deepEqual(rows, [
    { subject_id: above, properties: { before: { role_name: 'admin' }, after: { role_name: 'reseller' } } },
    { subject_id: deep, properties: { before: { role_name: 'admin' }, after: { role_name: 'reseller' } } },
  ]);
});

test('assigning a reseller downgrades the users above corporate admin', async () => {
  const id = await corporation('Corner Shop');
  await owner.query("INSERT INTO role (name, level) VALUES ('Finance', 2)");
  const people = [
    await person(id, 'admin@corner.test', 'admin', 3, ['menu-edit']),
    await person(id, 'finance@corner.test', 'Finance', 2),
    await person(id, 'boss@corner.test', 'corporate_admin', 2),
    await person(id, 'department@corner.test', 'department_admin', 3),
    await person(id, 'user@corner.test', 'corporate_user', 4),
  ];
  const shown = dataOf<Downgrades>(await admin('GET', `/api/v1/corporations/${id}/reseller-preview`));
  assert.deepEqual(idsOf(shown), [people[0], people[1]]);
  const assign = (reseller_id: number | null, confirmed_user_ids: number[] = []) =>
    admin('POST', `/api/v1/corporations/${id}/reseller`, { reseller_id, confirmed_user_ids });
  assert.equal(codeOf(await assign(northwind)), 'changed_meanwhile');
  assert.ok(errorsOf(await assign(acme, idsOf(shown))).reseller_id, 'Acme is no reseller');
  const before = await placeOf(people);
  // A person joins between the preview and the confirmation, and then nothing is changed.
  const late = await person(id, 'late@corner.test', 'admin', 2);
  assert.equal(codeOf(await assign(northwind, idsOf(shown))), 'changed_meanwhile');
  assert.deepEqual(await placeOf(people), before);
  assert.equal((await reseller('GET', `/api/v1/corporations/${id}`)).status, 404);

  const done = await assign(northwind, [...idsOf(shown), late]);
  assert.equal(done.status, 200, JSON.stringify(done.body));
  assert.equal(messageOf(done), 'Corner Shop now belongs to Northwind Telecom.');
  const boss = { role: 'corporate_admin', scope_level: 2, direct: [] };
  assert.deepEqual(await placeOf(people), [
    boss,
    boss,
    boss,
    { role: 'department_admin', scope_level: 3, direct: [] },
    { role: 'corporate_user', scope_level: 4, direct: [] },
  ]);
  assert.equal((await reseller('GET', `/api/v1/corporations/${id}`)).status, 200, 'with the next request');
  const { rows } = await owner.query(
    `SELECT description, properties FROM activity_log WHERE name = 'corporations' AND subject_id = $1 ORDER BY id DESC LIMIT 1`,
    [id],
  );
  assert.deepEqual(rows[0], {
    description: 'reseller assigned',
    properties: {
      before: { reseller_id: null, reseller_name: null, downgraded: [] },
      after: {
        reseller_id: northwind,
        reseller_name: 'Northwind Telecom',
        downgraded: ['admin@corner.test', 'finance@corner.test', 'late@corner.test'],
      },
    },
  });
  assert.equal((await assign(null)).status, 200);
  assert.equal((await reseller('GET', `/api/v1/corporations/${id}`)).status, 404);
});

test('no reseller is assigned if the role for the downgrade is missing', async () => {
  const id = await corporation('Roleless');
  const rename = (from: string, to: string) => owner.query('UPDATE role SET name = $2 WHERE name = $1', [from, to]);
  await rename('corporate_admin', 'somebody else');
  const preview = await admin('GET', `/api/v1/corporations/${id}/reseller-preview`);
  assert.equal(messageOf(preview), 'There is no role named Corporate Admin');
  const assigned = await admin('POST', `/api/v1/corporations/${id}/reseller`, { reseller_id: northwind });
  assert.deepEqual([assigned.status, messageOf(assigned)], [409, 'There is no role named Corporate Admin']);
  await rename('somebody else', 'corporate_admin');
  await rename('reseller', 'nobody');
  assert.equal(
    messageOf(await admin('POST', '/api/v1/teams', { corporation_id: id })),
    'There is no role named Reseller',
  );
  await rename('nobody', 'reseller');
});

test('only the administration appoints resellers and assigns corporations to them', async () => {
  // This is so even if a role of theirs holds the permissions.
  await owner.query(`INSERT INTO role_permission SELECT r.id, p.id FROM role r, permission p
    WHERE r.name = 'reseller' AND p.name IN ('teams-create', 'teams-assign', 'teams-delete')`);
  const own = dataOf<Team[]>(await reseller('GET', '/api/v1/teams'));
  assert.deepEqual(
    own.map(({ corporation_name, abilities }) => [corporation_name, abilities]),
    [['Northwind Telecom', { edit: true, delete: false }]],
  );
  const calls: [string, string, object?][] = [
    ['POST', '/api/v1/teams', { corporation_id: acme }],
    ['DELETE', `/api/v1/teams/${own[0]!.id}`],
    ['GET', `/api/v1/corporations/${acme}/reseller-preview`],
    ['GET', `/api/v1/corporations/${acme}/new-reseller-preview`],
    ['POST', `/api/v1/corporations/${acme}/reseller`, { reseller_id: null }],
  ];
  for (const [method, path, body] of calls) assert.equal((await reseller(method, path, body)).status, 403, path);
  for (const body of [{ base_url: 'https://elsewhere.test' }, { link_id: 1 }]) {
    const { status } = await reseller('PATCH', `/api/v1/teams/${own[0]!.id}`, body);
    assert.equal(status, 422, JSON.stringify(body));
  }
  const renamed = await reseller('PATCH', `/api/v1/teams/${own[0]!.id}`, {
    app_name: 'Northwind Go',
    theme_color: '#AA3355',
  });
  assert.deepEqual([renamed.status, dataOf<Team>(renamed).theme_color], [200, '#aa3355']);
});

test('a reseller belongs to no other, and stays one while it is needed', async () => {
  const own = dataOf<Team[]>(await admin('GET', '/api/v1/teams?search=Northwind'))[0]!;
  assert.ok(
    errorsOf(await admin('POST', '/api/v1/teams', { corporation_id: acme })).corporation_id?.[0]?.includes('Northwind'),
  );
  const under = await admin('POST', `/api/v1/corporations/${northwind}/reseller`, { reseller_id: northwind });
  assert.ok(errorsOf(under).reseller_id);
  assert.equal(codeOf(await admin('DELETE', `/api/v1/teams/${own.id}`)), 'has_dependencies');
  const id = await corporation('Passing breeze');
  const made = dataOf<Team>(await admin('POST', '/api/v1/teams', { corporation_id: id }));
  assert.equal(codeOf(await admin('DELETE', `/api/v1/corporations/${id}`)), 'has_dependencies');
  assert.equal((await admin('DELETE', `/api/v1/teams/${made.id}`)).status, 200);
  assert.equal(dataOf<{ is_reseller: boolean }>(await admin('GET', `/api/v1/corporations/${id}`)).is_reseller, false);
  assert.equal((await admin('DELETE', `/api/v1/corporations/${id}`)).status, 200);
});

test('nobody grants by a downgrade what they lack themselves', async () => {
  const id = await corporation('Tight ship');
  const boss = await person(id, 'boss@tight.test', 'admin', 2);
  await owner.query(`WITH r AS (INSERT INTO role (name, level) VALUES ('Clerk', 1) RETURNING id), held AS (
      INSERT INTO role_permission SELECT r.id, p.id FROM r, permission p WHERE p.name LIKE 'teams-%' OR p.name LIKE 'corporations-%')
    INSERT INTO user_account (email, name, password_hash, role_id, scope_level)
    SELECT 'clerk@heliograph.test', 'Clerk', password_hash, r.id, 1 FROM user_account, r WHERE email = 'admin@heliograph.test'`);
  const clerk: Client = await api.as('clerk');
  const assigned = await clerk('POST', `/api/v1/corporations/${id}/reseller`, {
    reseller_id: northwind,
    confirmed_user_ids: [boss],
  });
  assert.equal(codeOf(assigned), 'permission_missing');
  assert.equal((await placeOf([boss]))[0]?.role, 'admin');
});

test('customers’ messages go to the SMSC of their reseller, by its own carrier route', async () => {
  const own = dataOf<Team[]>(await admin('GET', '/api/v1/teams?search=Northwind'))[0]!;
  const link = await idOf('link', 'Carrier simulator');
  const set = (link_id: number | null) => admin('PATCH', `/api/v1/teams/${own.id}`, { link_id });
  assert.equal(dataOf<Team>(await set(link)).link_name, 'Carrier simulator');
  const { body } = await admin(
    'GET',
    `/api/v1/carrier-routes/explain?corporation_id=${acme}&sender_id=Acme&class=bulk&number=639170001234`,
  );
  assert.equal((body as { data: { route: { name: string } | null } }).data.route?.name, 'SMSC Northwind Telecom');
  assert.equal(
    dataOf<Team>(await reseller('GET', `/api/v1/teams/${own.id}`)).link_id,
    null,
    'routes are not theirs to see',
  );
  assert.equal(dataOf<Team>(await set(null)).link_id, null);
  const { rows } = await owner.query("SELECT count(*) FROM carrier_route WHERE name LIKE 'SMSC %'");
  assert.equal(rows[0].count, 0);
});

test('a connection lost while waiting for a corporation is not reported on its field', async () => {
  const id = await corporation('Slowwind');
  const holder = await owner.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM corporation WHERE id = $1 FOR UPDATE', [id]);
  const asked = admin('POST', '/api/v1/teams', { corporation_id: id });
  const waits = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND application_name = 'heliograph api'`;
  await until('the call waits, and its session is ended', async () => (await holder.query(waits)).rowCount !== 0);
  await holder.query('ROLLBACK');
  holder.release();
  assert.equal((await asked).status, 503);
});
