import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf, type RoleName } from '@heliograph/contract/access/role-permissions';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { startTestApi } from '../test-api.ts';
import { label, pathOf } from './records.ts';

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

/** Returns a body with which no call changes anything that exists, even if the call accepts it. */
const bodyOf = (o: Operation) => (o.method === 'GET' ? undefined : o.upload ? new FormData() : {});
/** Maximum number of calls in progress, which is not more than the sessions of the database. */
const AT_ONCE = 8;
const codeOf = (body: unknown) => (body as { code?: string } | null)?.code;

test('every call of the contract is mounted and refuses callers without a valid token', async () => {
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
    const waiting = ALL_OPERATIONS.filter((o) => o.permission !== null);
    const callEach = async () => {
      for (let o = waiting.pop(); o; o = waiting.pop()) {
        const { status, body } = await client(o.method, pathOf(o, NOWHERE), bodyOf(o));
        const refused = status === 403 && codeOf(body) === 'forbidden';
        if (held.has(o.permission!)) {
          assert.ok(status < 500, `${login} ${label(o)}: ${status}`);
          // Rules beyond the permission may refuse a complete call, but these bodies are not complete.
          assert.ok(!refused, `${login} holds ${o.permission} and may not ${label(o)}`);
        } else assert.ok(refused, `${login} lacks ${o.permission}, ${label(o)} answered ${status}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, callEach));
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
