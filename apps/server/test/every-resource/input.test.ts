import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { dataOf, errorsOf } from '../answers.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { bodiesOf } from './new-body.ts';
import { label, listAll, pathOf, type Record_, resourceNamed, tableOf } from './records.ts';
import { type Fields, shapeOf, wrongText, wrongValue } from './sample.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const everything = await api.as('superadmin');

const { recordsOf, newBody } = bodiesOf(owner, everything);

const PRIVILEGED = [
  'id',
  'corporation_id',
  'department_id',
  'billing_account_id',
  'user_id',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'owner_id',
  'role_id',
  'role',
  'scope_level',
  'permissions',
  'is_reseller',
  'is_admin',
  'credit_balance',
  'reserved',
  'balance_after',
  'numbers_count',
  'abilities',
  'settled',
  'password_hash',
  'tenant_id',
  '__proto__',
] as const;
const POISON = 777_777_777;

test('a field of a wrong type is refused by its name', async () => {
  let fields = 0;
  for (const o of ALL_OPERATIONS) {
    if (o.upload || o.method === 'GET' || o.session === 'public') continue;
    const client = o.session === 'unverified' ? null : everything;
    if (!client) continue;
    for (const [name, schema] of Object.entries(shapeOf(o.body))) {
      const wrong = wrongValue(schema);
      if (wrong === undefined) continue;
      const answer = await client(o.method, pathOf(o, 1), { [name]: wrong });
      assert.equal(answer.status, 422, `${label(o)} ${name}: ${answer.status}`);
      const named = Object.keys(errorsOf(answer)).some((key) => key === name || key.startsWith(`${name}.`));
      assert.ok(named, `${label(o)} ${name}: ${JSON.stringify(errorsOf(answer))}`);
      for (const text of Object.values(errorsOf(answer)).flat()) assert.ok(!/^validation\./.test(text), text);
      fields++;
    }
  }
  assert.ok(fields > 60, String(fields));
});

test('an invalid query or id is refused by its name', async () => {
  const ids = ['abc', '0', '-1', '1.5', '99999999999999999999'];
  for (const [turn, o] of ALL_OPERATIONS.entries()) {
    if (o.session !== 'verified') continue;
    for (const [name, schema] of Object.entries(shapeOf(o.query))) {
      const wrong = wrongText(schema);
      if (wrong === undefined) continue;
      const answer = await everything(o.method, `${pathOf(o, 1)}?${new URLSearchParams({ [name]: wrong })}`);
      assert.equal(answer.status, 422, `${label(o)} ?${name}: ${answer.status}`);
      assert.ok(name in errorsOf(answer), `${label(o)} ?${name}`);
    }
    if (!o.path.includes('/:id')) continue;
    // The contract refuses all five. One of them, in turn, shows that the call follows the contract.
    for (const id of ids) assert.ok(!shapeOf(o.params)['id']!.safeParse(id).success, `${label(o)} of ${id}`);
    const id = ids[turn % ids.length]!;
    const { status } = await everything(o.method, o.path.replace(':id', id), o.method === 'GET' ? undefined : {});
    assert.equal(status, 422, `${label(o)} of ${id}`);
  }
});

test('a required field that is left out is refused by its name', async () => {
  for (const r of RESOURCES) {
    const required = Object.entries(shapeOf(r.create)).filter(([, schema]) => !schema.safeParse(undefined).success);
    // Rules for sign-in may be made one by one.
    if (required.length === 0 && r.name === 'sign-in-policies') continue;
    const answer = await everything('POST', r.createOne.path, {});
    assert.equal(answer.status, 422, r.name);
    assert.deepEqual(Object.keys(errorsOf(answer)).sort(), required.map(([name]) => name).sort(), r.name);
  }
});

/** Creates, shows, lists, changes and deletes a record by its five calls; returns the record as created. */
async function live(r: AnyResource, body: Fields): Promise<Record_> {
  const made = await everything('POST', r.createOne.path, body);
  assert.equal(made.status, 201, `${r.name}: ${JSON.stringify(made.body)}`);
  const record = dataOf(made);
  assert.deepEqual(r.createOne.reply.parse(made.body), made.body, 'nothing is shown that the contract does not name');
  // A secret is shown once.
  if (r.name === 'api-keys' || r.name === 'service-account-keys')
    Object.assign(record, { key: null, auth_token: null });
  const shown = await everything('GET', pathOf(r.get, record.id));
  assert.deepEqual([shown.status, dataOf(shown)], [200, record], r.name);
  assert.ok(
    (await listAll(everything, r)).some(({ id }) => id === record.id),
    r.name,
  );
  return record;
}

test('every answer about a record fits its schema, from creation to deletion', async () => {
  for (const r of RESOURCES) {
    const body = await newBody(r, { whole: true });
    const record = await live(r, body);
    for (const [name, value] of Object.entries(body))
      if (name in record && value !== undefined && typeof value !== 'object')
        assert.equal(String(record[name]), String(value), `${r.name}.${name}`);
    const again = await everything('POST', r.createOne.path, body);
    const codes: readonly unknown[] = Object.values(r.conflicts);
    assert.ok(
      again.status === 409 && codes.includes((again.body as { code: string }).code),
      `${r.name}: ${again.status}`,
    );
    const changed = await everything('PATCH', pathOf(r.updateOne, record.id), {});
    assert.deepEqual([changed.status, dataOf(changed)], [200, record], `${r.name}: an empty change changes nothing`);
    assert.equal((await everything('DELETE', pathOf(r.removeOne, record.id))).status, 200, r.name);
    // A withdrawn opt-out stays as evidence and ends only once.
    const [shown, twice] = r.name === 'opt-outs' ? [200, 409] : [404, 404];
    assert.equal((await everything('GET', pathOf(r.get, record.id))).status, shown, r.name);
    assert.equal((await everything('DELETE', pathOf(r.removeOne, record.id))).status, twice, r.name);
  }
});

test('a field that nobody may set is refused by its name, on create and on change', async () => {
  assert.equal(PRIVILEGED.length, 25);
  const stored = async (r: AnyResource, id: number) => {
    const { rows } = await owner.query<{ row: Fields }>(
      `SELECT to_jsonb(t) AS row FROM ${tableOf(r)} t WHERE id = $1`,
      [id],
    );
    return rows[0]!.row;
  };
  const poisoned = (schema: AnyResource['create'], body: Fields): string => {
    const fields = PRIVILEGED.filter((name) => !Object.hasOwn(shapeOf(schema), name));
    assert.ok(fields.length > 15);
    const value = (name: string) => (/^is_/.test(name) ? true : name === '__proto__' ? { id: POISON } : POISON);
    // The JSON text is written by hand, so that __proto__ is a member of it as an attacker would send it.
    const members = [...Object.entries(body), ...fields.map((name) => [name, value(name)] as const)];
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
  };
  const token = await tokenOf();
  const send = async (method: string, path: string, json: string) => {
    const response = await fetch(api.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: json,
    });
    return {
      status: response.status,
      body: (await response.json()) as { data: Record_; code?: string; errors?: object },
    };
  };
  for (const r of RESOURCES) {
    const body = await newBody(r);
    const text = poisoned(r.create, body);
    // A "prototype" member in a body is refused as well.
    assert.equal((await send('POST', r.createOne.path, text)).status, 400, r.name);
    const refused = await send('POST', r.createOne.path, text.replace('"__proto__"', '"prototype"'));
    const unknown = PRIVILEGED.filter((name) => name !== '__proto__' && !Object.hasOwn(shapeOf(r.create), name));
    assert.equal(refused.status, 422, `${r.name}: ${JSON.stringify(refused.body)}`);
    assert.deepEqual(Object.keys(refused.body.errors!).sort(), [...unknown, 'prototype'].sort(), r.name);
    const made = await send('POST', r.createOne.path, JSON.stringify(body));
    assert.equal(made.status, 201, `${r.name}: ${JSON.stringify(made.body)}`);
    const { id } = made.body.data;
    const first = await stored(r, id);
    assert.ok(!JSON.stringify(first).includes(String(POISON)), `${r.name}: ${JSON.stringify(first)}`);
    assert.notEqual(first['is_reseller'], true);
    const change = poisoned(r.update, {}).replace('"__proto__"', '"prototype"');
    const changed = await send('PATCH', pathOf(r.updateOne, id), change);
    assert.equal(changed.status, 422, `${r.name}: ${JSON.stringify(changed.body)}`);
    const rest = { ...dataOf({ body: made.body } as Answer), ...body };
    for (const [name, value] of Object.entries(rest)) {
      if (Object.hasOwn(shapeOf(r.update), name)) continue;
      const { status, body: told } = await send('PATCH', pathOf(r.updateOne, id), JSON.stringify({ [name]: value }));
      assert.deepEqual(
        [status, told.errors],
        [422, { [name]: ['This cannot be changed later. Leave it out.'] }],
        r.name,
      );
    }
    assert.deepEqual(await stored(r, id), first, r.name);
    await everything('DELETE', pathOf(r.removeOne, id));
  }
});

async function tokenOf(): Promise<string> {
  const { DEMO_PASSWORD } = await import('../../src/seed/demo-logins.ts');
  const { body } = await api.anonymous()('POST', '/api/v1/oauth/token', {
    username: 'superadmin@heliograph.test',
    password: DEMO_PASSWORD,
  });
  return (body as { access_token: string }).access_token;
}

test('no record can be created under or moved to another tenant’s records', async () => {
  let tried = 0;
  for (const login of ['reseller', 'corporate', 'department', 'user'] as const) {
    const role = {
      reseller: 'reseller',
      corporate: 'corporate_admin',
      department: 'department_admin',
      user: 'corporate_user',
    } as const;
    const held = new Set(permissionsOf(role[login]));
    const client: Client = await api.as(login);
    for (const r of RESOURCES) {
      if (!held.has(r.permissions.create)) continue;
      const before = await listAll(everything, r);
      for (const [name, schema] of Object.entries(shapeOf(r.create))) {
        const to = referenceOf(schema);
        if (!to || !held.has(resourceNamed(to).permissions.index)) continue;
        const own = new Set((await listAll(client, resourceNamed(to))).map(({ id }) => id));
        const foreign = (await recordsOf(to)).find(({ id }) => !own.has(id));
        if (!foreign) continue;
        const body = { ...(await newBody(r)), [name]: schema.safeParse([1]).success ? [foreign.id] : foreign.id };
        const { status, body: answer } = await client('POST', r.createOne.path, body);
        assert.ok(
          [403, 404, 409, 422].includes(status),
          `${login} ${r.name}.${name}: ${status} ${JSON.stringify(answer)}`,
        );
        tried++;
      }
      assert.deepEqual(await listAll(everything, r), before, `${login} ${r.name}`);
    }
  }
  assert.ok(tried > 8, String(tried));
});

test('every list without required filters fits its schema, for every role', async () => {
  for (const login of ['superadmin', 'reseller', 'corporate', 'department', 'user', 'readonly']) {
    const client = await api.as(login);
    for (const o of ALL_OPERATIONS) {
      if (o.method !== 'GET' || o.path.includes('/:') || !o.query.safeParse({}).success) continue;
      const { status, body } = await client('GET', o.path);
      assert.ok(status === 200 || status === 403, `${login} ${label(o)}: ${status}`);
      if (status === 200) assert.deepEqual(o.reply.parse(body), body, label(o));
    }
  }
});
