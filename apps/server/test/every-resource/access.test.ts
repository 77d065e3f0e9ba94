import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf, type RoleName } from '@heliograph/contract/access/role-permissions';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS, RESOURCES } from '@heliograph/contract/registry';
import { type Client, startTestApi } from '../test-api.ts';
import { harborRecords, idOperations, kindOfId, listAll } from './records.ts';
import { sampleBody } from './sample.ts';

const api = await startTestApi({ after });
const NOWHERE = 999_999_999;
const LOGINS: Readonly<Record<string, RoleName>> = {
  superadmin: 'super_admin',
  admin: 'admin',
  reseller: 'reseller',
  corporate: 'corporate_admin',
  department: 'department_admin',
  user: 'corporate_user',
  readonly: 'read_only_user',
};

const pathOf = (o: Operation, id: number) => o.path.replace(':id', String(id));
const label = (o: Operation) => `${o.method} ${o.path}`;
/** A body by which no call changes anything that exists, if it is taken at all. */
const bodyOf = (o: Operation) => (o.method === 'GET' ? undefined : o.upload ? new FormData() : {});
const codeOf = (body: unknown) => (body as { code?: string } | null)?.code;

test('every call of the contract is mounted, and refuses whoever has no good token', async () => {
  for (const o of ALL_OPERATIONS) {
    for (const token of [undefined, 'made-up', 'a.b.c']) {
      const { status, body } = await api.anonymous(token)(o.method, pathOf(o, NOWHERE), bodyOf(o));
      if (o.session === 'public') assert.notEqual(status, 404, label(o));
      else assert.deepEqual([status, codeOf(body)], [401, 'unauthenticated'], label(o));
    }
  }
});

test('every role may make exactly the calls whose permission it holds', async () => {
  for (const [login, role] of Object.entries(LOGINS)) {
    const held = new Set(permissionsOf(role));
    const client = await api.as(login);
    await Promise.all(
      ALL_OPERATIONS.filter((o) => o.permission !== null).map(async (o) => {
        const { status, body } = await client(o.method, pathOf(o, NOWHERE), bodyOf(o));
        const refused = status === 403 && codeOf(body) === 'forbidden';
        if (held.has(o.permission!)) {
          assert.ok(status < 500, `${login} ${label(o)}: ${status}`);
          // Rules beyond the permission may refuse a call that is complete; these bodies are not.
          assert.ok(!refused, `${login} holds ${o.permission} and may not ${label(o)}`);
        } else assert.ok(refused, `${login} lacks ${o.permission}, ${label(o)} answered ${status}`);
      }),
    );
  }
});

test('a person without any permission may make no call that needs one', async () => {
  await api.database.pool('owner').query(`
    WITH r AS (INSERT INTO role (name, level) VALUES ('nobody', 4) RETURNING id)
    INSERT INTO user_account (email, name, password_hash, role_id, scope_level, corporation_id, department_id)
    SELECT 'nobody@heliograph.test', 'Nobody', password_hash, r.id, 4, corporation_id, department_id
    FROM user_account, r WHERE email = 'user@heliograph.test'`);
  const client = await api.as('nobody');
  for (const o of ALL_OPERATIONS) {
    if (o.permission === null) continue;
    const { status } = await client(o.method, pathOf(o, NOWHERE), bodyOf(o));
    assert.equal(status, 403, label(o));
  }
});

/** Tries a call with the id of a record the person does not see. */
async function assertAbsent(
  client: Client,
  login: string,
  o: Operation,
  id: number,
  refer: () => number,
): Promise<void> {
  const body = o.upload ? csv() : o.method === 'GET' ? undefined : sampleBody(o.body, refer);
  const { status, body: answer } = await client(o.method, pathOf(o, id), body);
  // The one call whose answer to a browser is a file by a signed address asks for that first.
  if (o.session === 'public') assert.ok([404, 422].includes(status), `${login} ${label(o)}: ${status}`);
  else assert.deepEqual([status, codeOf(answer)], [404, 'not_found'], `${login} ${label(o)} of ${id}: ${status}`);
  if (o.method === 'PATCH') {
    const empty = await client(o.method, pathOf(o, id), {});
    assert.equal(empty.status, 404, `${login} ${label(o)} without changes`);
  }
}

function csv(): FormData {
  const form = new FormData();
  form.append('file', new Blob(['number\n639170001234\n']), 'numbers.csv');
  return form;
}

test('a record of another tenant, department or person does not exist: 404, never 403', async () => {
  const owner = api.database.pool('owner');
  const outside = await harborRecords(owner);
  const everything = await api.as('superadmin');
  const foreign = new Map<string, (client: Client) => Promise<number[]>>();
  for (const r of RESOURCES)
    foreign.set(r.name, async (client) => {
      const own = new Set((await listAll(client, r)).map(({ id }) => id));
      return (await listAll(everything, r)).map(({ id }) => id).filter((id) => !own.has(id));
    });
  for (const [kind, id] of Object.entries(outside)) foreign.set(kind, async () => [id]);

  const tried = new Set<string>();
  const before = await counts();
  for (const login of ['reseller', 'corporate', 'department', 'user', 'corporate@valley.test']) {
    const role = LOGINS[login] ?? 'corporate_admin';
    const held = new Set(permissionsOf(role));
    const client = await api.as(login);
    const ids = new Map<string, number[]>();
    for (const o of idOperations) {
      if (o.permission !== null && !held.has(o.permission)) continue;
      const kind = kindOfId(o);
      const source = foreign.get(kind);
      assert.ok(source, `${label(o)}: give harborRecords a record of this kind`);
      const area = RESOURCES.find((r) => r.name === kind);
      if (area && !held.has(area.permissions.index)) continue;
      if (!ids.has(kind)) ids.set(kind, await source(client));
      for (const id of ids.get(kind)!.slice(0, 2)) {
        await assertAbsent(client, login, o, id, () => 1);
        tried.add(label(o));
      }
      await assertAbsent(client, login, o, NOWHERE, () => 1);
    }
  }
  // What no tenant may call at all was refused to all of them above.
  const tenants = new Set(
    (['reseller', 'corporate_admin', 'department_admin', 'corporate_user'] as const).flatMap(permissionsOf),
  );
  const theirs = idOperations.filter(({ permission }) => permission === null || tenants.has(permission));
  const untried = theirs.map(label).filter((call) => !tried.has(call));
  assert.deepEqual(untried, [], 'every call was tried with a foreign id');
  assert.deepEqual(await counts(), before, 'nothing came, went or changed');

  /** Rows of every table that could have been touched, with a digest of what is in them. */
  async function counts() {
    const { rows } = await owner.query(
      [
        'corporation',
        'department',
        'sender_id',
        'price_plan',
        'billing_account',
        'number_list',
        'campaign',
        'quote',
        'download',
        'ledger_transfer',
        'user_account',
      ]
        .map(
          (t) =>
            `SELECT '${t}' AS name, count(*)::int AS rows, md5(string_agg(t::text, '|' ORDER BY id)) AS digest FROM ${t} t`,
        )
        .join(' UNION ALL '),
    );
    return rows;
  }
});
