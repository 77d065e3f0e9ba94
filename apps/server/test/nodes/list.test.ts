import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { KeptNode } from '#modules/nodes';
import { until } from '../delivery/stage.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const superadmin = await api.as('superadmin');

interface Row {
  id: number;
  name: string;
  state: string;
  kind: string;
}

const listed = async (): Promise<Row[]> => {
  const { status, body } = await superadmin('GET', '/api/v1/nodes');
  assert.equal(status, 200);
  return (body as { data: Row[] }).data;
};

const keep = async (kind: 'sender' | 'worker' | 'smpp_server' | 'api', heard: boolean[] = []): Promise<KeptNode> => {
  const role = { sender: 'sender', worker: 'worker', smpp_server: 'worker', api: 'auth' } as const;
  const node = new KeptNode(api.config, { kind, role: role[kind], log: api.log }, (draining) => heard.push(draining));
  await node.start();
  return node;
};

test('a process is listed while it lives, drains on request, and leaves when it stops', async () => {
  const heard: boolean[] = [];
  const node = await keep('sender', heard);
  const row = (await listed()).find(({ name }) => name === node.name);
  assert.equal(row?.state, 'live');
  assert.equal((await superadmin('POST', `/api/v1/nodes/${row.id}/drain`)).status, 202);
  await until('it hears that it drains', () => node.draining);
  assert.equal((await listed()).find(({ name }) => name === node.name)?.state, 'draining');
  assert.equal((await superadmin('POST', `/api/v1/nodes/${row.id}/resume`)).status, 202);
  await until('it hears that it works again', () => !node.draining);
  assert.deepEqual(heard, [true, false]);
  await node.stop();
  assert.deepEqual(await listed(), []);
});

test('every kind of process may enter itself, but an API or worker cannot be drained', async () => {
  for (const kind of ['api', 'worker', 'smpp_server'] as const) {
    const node = await keep(kind);
    const row = (await listed()).find(({ name }) => name === node.name);
    assert.equal(row?.kind, kind);
    const { status } = await superadmin('POST', `/api/v1/nodes/${row.id}/drain`);
    assert.equal(status, kind === 'smpp_server' ? 202 : 404);
    await node.stop();
  }
});

test('a node without a heartbeat for 3.5 seconds is silent, whatever its clock shows', async () => {
  const node = await keep('worker');
  const owner = api.database.pool('owner');
  await node.stop();
  await owner.query(
    `INSERT INTO node (name, kind, host, pid, version, seen_at) VALUES ('dead', 'worker', 'h', 1, '0', now() - interval '3.6 seconds'),
       ('slow', 'worker', 'h', 2, '0', now() - interval '2 seconds')`,
  );
  assert.deepEqual(Object.fromEntries((await listed()).map(({ name, state }) => [name, state])), {
    dead: 'silent',
    slow: 'live',
  });
  await owner.query('DELETE FROM node');
});

test('only the platform may see nodes', async () => {
  for (const login of ['reseller', 'corporate']) {
    const logins = await api.database
      .pool('owner')
      .query<{ email: string }>(
        `SELECT email FROM user_account u JOIN role r ON r.id = u.role_id WHERE u.scope_level > 0 AND r.name LIKE $1 ORDER BY u.id LIMIT 1`,
        [`${login}%`],
      );
    const email = logins.rows[0]?.email;
    if (email) assert.equal((await (await api.as(email))('GET', '/api/v1/nodes')).status, 403);
  }
});
