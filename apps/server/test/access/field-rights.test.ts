import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf, type RoleName } from '@heliograph/contract/access/role-permissions';
import { FIELD_RIGHTS, type FieldRight } from '@heliograph/contract/kernel/field-rights';
import { RESOURCES } from '@heliograph/contract/registry';
import type { z } from 'zod';
import { resourceNamed } from '../every-resource/records.ts';
import { sampleValue } from '../every-resource/sample.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const { one } = api.database;
const superadmin = await api.as('superadmin');
const ROLES: readonly [login: string, role: RoleName][] = [
  ['reseller', 'reseller'],
  ['corporate', 'corporate_admin'],
  ['department', 'department_admin'],
];
const clients = new Map<string, Client>();
for (const [login] of ROLES) clients.set(login, await api.as(login));

const northwind = await one("SELECT id FROM corporation WHERE name = 'Northwind Telecom'");
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
const made = async (path: string, body: object) => {
  const answer = await superadmin('POST', `/api/v1/${path}`, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { data: { id: number } }).data.id;
};
const ofAcme = (table: string) => one(`SELECT max(id) AS id FROM ${table} WHERE corporation_id = $1`, [acme]);
const programmer = await one(
  `UPDATE user_account SET connection_type_id = (SELECT id FROM connection_type WHERE upper(name) = 'SMPP')
   WHERE email = 'user@heliograph.test' RETURNING id`,
);

/** One record of Acme of each kind that has fields only a higher level may change. */
const RECORDS: Readonly<Record<string, number>> = {
  corporations: acme,
  departments: await one("SELECT id FROM department WHERE name = 'Operations'"),
  users: await one("SELECT id FROM user_account WHERE email = 'readonly@heliograph.test'"),
  'sender-ids': await ofAcme('sender_id'),
  'billing-accounts': await ofAcme('billing_account'),
  teams: await one('SELECT id FROM reseller WHERE corporation_id = $1', [northwind]),
  aliases: await made('aliases', { corporation_id: acme, word: 'first', aliases: ['second'] }),
  routings: await made('routings', { corporation_id: acme, number: '9191', action: 'inbox' }),
  callbacks: await made('callbacks', { corporation_id: acme, url: 'https://93.184.215.14/hook', types: [] }),
  'number-lists': await one("SELECT id FROM number_list WHERE name = 'Loyalty customers'"),
  'invoice-buyers': await made('invoice-buyers', {
    corporation_id: acme,
    legal_name: 'Acme Retail Inc.',
    address: '1 First Street',
    city: 'Manila',
    country: 'PH',
    tax_treatment: 'standard',
    withholds: false,
  }),
  'sign-in-policies': await made('sign-in-policies', { corporation_id: acme }),
  'sending-limits': await made('sending-limits', { corporation_id: acme, name: 'A day', messages: 5 }),
  'smpp-system-ids': await made('smpp-system-ids', {
    corporation_id: acme,
    user_id: programmer,
    system_id: 'limits',
    password: 'Lantern41',
  }),
};

await owner.query("UPDATE callback_endpoint SET department_id = (SELECT id FROM department WHERE name = 'Marketing')");

const limited = Object.entries(FIELD_RIGHTS).flatMap(([name, rights]) =>
  rights === 'platform'
    ? []
    : Object.entries(rights).flatMap(([field, right]): [string, string, FieldRight][] =>
        right === 'any' || right === 'rule' ? [] : [[name, field, right]],
      ),
);
const faultsOf = ({ body }: Answer) => Object.keys((body as { errors?: object }).errors ?? {});
const patch = (client: Client, name: string, id: number, field: string, value: unknown) =>
  client('PATCH', `/api/v1/${name}/${id}`, { [field]: value });
const read = async (name: string, id: number, field: string): Promise<unknown> =>
  ((await superadmin('GET', `/api/v1/${name}/${id}`)).body as { data: Record<string, unknown> }).data[field];
const mayEdit = (role: RoleName, name: string) => permissionsOf(role).includes(resourceNamed(name).permissions.edit);

/** Returns a value that the field takes and that differs from the present one. */
function otherThan(name: string, field: string, present: unknown): unknown {
  const schema = (resourceNamed(name).update.shape as Record<string, z.ZodType>)[field]!;
  const candidates = [!present, 'USD', '7.000', 7, 3, 'https://other.example', 'Other', null, sampleValue(schema)];
  return candidates.find((value) => value !== present && schema.safeParse(value).success);
}

test('the table names every field of every record that can be changed, and no other', () => {
  for (const r of RESOURCES) {
    const rights = FIELD_RIGHTS[r.name];
    assert.ok(rights, `kernel/field-rights.ts says nothing about ${r.name}`);
    if (rights === 'platform') continue;
    assert.deepEqual(Object.keys(rights).sort(), Object.keys(r.update.shape).sort(), r.name);
  }
  assert.deepEqual(Object.keys(FIELD_RIGHTS).sort(), RESOURCES.map(({ name }) => name).sort());
  for (const [name] of limited) assert.ok(RECORDS[name], `no record of ${name} is tried`);
});

for (const [login, role] of ROLES)
  test(`${login} changes no field that only higher levels may change`, async () => {
    const client = clients.get(login)!;
    let tried = 0;
    for (const [name, field, right] of limited) {
      if (!mayEdit(role, name)) continue;
      // A reseller stands above its customers, not above itself.
      const own = login !== 'reseller' || name === 'teams' || right === 'platform';
      const id = login === 'reseller' && name === 'corporations' ? northwind : RECORDS[name]!;
      const above = right === 'above' || right === 'platform' || (typeof right === 'object' && right.above);
      if (!above || (!own && name !== 'corporations')) continue;
      const before = await read(name, id, field);
      const answer = await patch(client, name, id, field, otherThan(name, field, before));
      const refused = answer.status === 403 || (answer.status === 422 && faultsOf(answer)[0] === field);
      assert.ok(refused, `${login} ${name}.${field}: ${answer.status} ${JSON.stringify(answer.body)}`);
      assert.deepEqual(await read(name, id, field), before, `${name}.${field}`);
      tried++;
    }
    assert.ok(login === 'reseller' ? tried >= 7 : true, `${tried} fields were tried`);
  });

for (const [login, role] of ROLES)
  test(`${login} lifts no limit set by a higher level, and sets and lifts its own`, async () => {
    const client = clients.get(login)!;
    for (const [name, field, right] of limited) {
      if (typeof right !== 'object' || !mayEdit(role, name)) continue;
      if (right.above && login !== 'reseller') continue;
      // A limit of messages has no cost.
      if (name === 'sending-limits' && field === 'spend') continue;
      const id = RECORDS[name]!;
      const limit = typeof right.open === 'boolean' ? !right.open : 7;
      const what = `${login} ${name}.${field}`;
      const set = await patch(superadmin, name, id, field, limit);
      assert.equal(set.status, 200, `${what}: ${JSON.stringify(set.body)}`);
      const lifted = await patch(client, name, id, field, right.open);
      assert.deepEqual([lifted.status, faultsOf(lifted)], [422, [field]], `${what}: ${JSON.stringify(lifted.body)}`);
      assert.deepEqual(await read(name, id, field), limit, what);
      // Saving the same value is not a change.
      assert.equal((await patch(client, name, id, field, limit)).status, 200, what);
      // It cannot be deleted and created again without the limit either.
      const removed = await client('DELETE', `/api/v1/${name}/${id}`);
      assert.ok(removed.status >= 400, `${what} was deleted`);
      // It needs a measure: its maker deletes it.
      if (name === 'sending-limits' && field === 'messages') continue;
      assert.equal((await patch(superadmin, name, id, field, right.open)).status, 200, what);
      assert.equal((await patch(client, name, id, field, limit)).status, 200, what);
      assert.equal((await patch(client, name, id, field, right.open)).status, 200, `${what} was its own`);
    }
  });

test('a corporate admin lifts no limit of its reseller; the platform lifts every one', async () => {
  const [reseller, corporate] = [clients.get('reseller')!, clients.get('corporate')!];
  const id = RECORDS['departments']!;
  assert.equal((await patch(reseller, 'departments', id, 'enabled', false)).status, 200);
  const answer = await patch(corporate, 'departments', id, 'enabled', true);
  assert.deepEqual([answer.status, faultsOf(answer)], [422, ['enabled']]);
  assert.equal((await patch(superadmin, 'departments', id, 'enabled', true)).status, 200);
  assert.equal((await patch(corporate, 'departments', id, 'enabled', false)).status, 200);
  assert.equal((await patch(corporate, 'departments', id, 'enabled', true)).status, 200);
});

test('a reseller cannot resume an account that the platform suspended', async () => {
  const id = RECORDS['billing-accounts']!;
  const reseller = clients.get('reseller')!;
  assert.equal((await superadmin('POST', `/api/v1/billing-accounts/${id}/suspend`, {})).status, 200);
  const resumed = await reseller('POST', `/api/v1/billing-accounts/${id}/resume`, {});
  assert.deepEqual([resumed.status, faultsOf(resumed)], [422, ['suspended']]);
  assert.equal((await patch(reseller, 'billing-accounts', id, 'suspended', false)).status, 422);
  assert.equal((await superadmin('POST', `/api/v1/billing-accounts/${id}/resume`, {})).status, 200);
  assert.equal((await reseller('POST', `/api/v1/billing-accounts/${id}/suspend`, {})).status, 200);
  assert.equal((await reseller('POST', `/api/v1/billing-accounts/${id}/resume`, {})).status, 200);
});

test('nobody changes the currency of an account after money has moved', async () => {
  for (const client of [superadmin, clients.get('reseller')!]) {
    const answer = await patch(client, 'corporations', acme, 'currency', 'USD');
    assert.deepEqual([answer.status, faultsOf(answer)], [422, ['currency']]);
  }
  const fresh = await made('corporations', { name: 'No money yet' });
  assert.equal((await patch(superadmin, 'corporations', fresh, 'currency', 'USD')).status, 200);
});

test('only the platform changes its own records, whatever permissions others hold', async () => {
  const person = await one("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const names = Object.entries(FIELD_RIGHTS).flatMap(([name, rights]) => (rights === 'platform' ? [name] : []));
  await owner.query(
    `INSERT INTO user_permission (user_id, permission_id) SELECT $1, id FROM permission WHERE name = ANY ($2) ON CONFLICT DO NOTHING`,
    [person, names.flatMap((name) => Object.values(resourceNamed(name).permissions))],
  );
  const client = clients.get('corporate')!;
  for (const name of names) {
    const { status } = await client('PATCH', `/api/v1/${name}/1`, {});
    assert.equal(status, 403, name);
  }
});
