import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callbackStage, until } from './receiver.ts';

const s = await callbackStage({ after }, { PRIVATE_TARGETS: '127.9.9.9/32', HTTP_CALLBACKS: 'false' });
const { corporate, all } = s;
const create = async (url: string) => {
  const { status, body } = await corporate('POST', '/api/v1/callbacks', { corporation_id: s.acme, url });
  return [status, JSON.stringify(body)] as const;
};

test('addresses that are private, without TLS or with a password are refused', async () => {
  for (const [url, said] of [
    ['http://example.com/', 'https://'],
    ['https://127.0.0.1/', 'not public'],
    ['https://[::1]/', 'not public'],
    ['https://169.254.169.254/latest/meta-data', 'not public'],
    ['https://me:secret@example.com/', 'name and password'],
  ] as const) {
    const [status, body] = await create(url);
    assert.equal(status, 422, url);
    assert.ok(body.includes(said), `${url}: ${body}`);
  }
});

test('the address of a host name is checked at each connection, and must be public', async () => {
  const faults = async (url: string) => {
    const { id } = (
      await all<{ id: number }>(
        `INSERT INTO callback_endpoint (corporation_id, url, types) VALUES ($1, $2, '{message.expired}') RETURNING id`,
        [s.acme, url],
      )
    )[0]!;
    await s.tell({ type: 'message.expired', data: {} });
    let fault: string | undefined;
    await until('it was tried', async () => {
      const [row] = await all<{ fault: string }>(
        `SELECT attempts -> 0 ->> 'fault' AS fault FROM callback WHERE callback_endpoint_id = $1`,
        [id],
      );
      fault = row?.fault;
      return typeof fault === 'string';
    });
    await all('DELETE FROM callback_endpoint WHERE id = $1', [id]);
    return fault;
  };
  assert.equal(await faults(s.receiver.url.replace('http:', 'https:')), 'address_not_allowed');
  assert.equal(await faults('https://localhost/'), 'address_not_allowed');
  assert.equal(await faults(s.receiver.url), 'not_https');
  assert.equal(await faults('https://127.9.9.9:1/'), 'unreachable');
  assert.equal(s.receiver.came.length, 0);
});

test('who may not see contacts has no steps of journeys sent to an address', async () => {
  const of = `role_id = (SELECT role_id FROM user_account WHERE email = 'corporate@heliograph.test')
    AND permission_id = (SELECT id FROM permission WHERE name = 'contacts-index')`;
  const taken = await all<{ role_id: number; permission_id: number }>(
    `DELETE FROM role_permission WHERE ${of} RETURNING *`,
  );
  const blind = await s.api.as('corporate');
  const make = async (types: string[]) =>
    (await blind('POST', '/api/v1/callbacks', { corporation_id: s.acme, url: 'https://example.com/steps', types }))
      .status;
  assert.deepEqual([await make(['journey.step']), await make([]), await make(['link.clicked'])], [422, 422, 201]);
  for (const { role_id, permission_id } of taken)
    await all('INSERT INTO role_permission (role_id, permission_id) VALUES ($1, $2)', [role_id, permission_id]);
  await all("DELETE FROM callback_endpoint WHERE url = 'https://example.com/steps'");
});

test('a department admin sees and creates only endpoints of the department', async () => {
  const department = await s.api.as('department');
  const [own] = await all<{ department_id: number }>(
    `SELECT department_id FROM user_account WHERE email = 'department@heliograph.test'`,
  );
  const made = async (department_id: number | null) =>
    (
      await department('POST', '/api/v1/callbacks', {
        corporation_id: s.acme,
        department_id,
        url: 'https://example.com/department',
      })
    ).status;
  assert.equal(await made(null), 422);
  assert.equal(await made(own!.department_id), 201);
  assert.equal((await create('https://example.com/corporation'))[0], 201);
  const seen = async (client: typeof department) =>
    ((await client('GET', '/api/v1/callbacks?kind=own')).body as { data: { url: string }[] }).data
      .map(({ url }) => url)
      .sort();
  assert.deepEqual(await seen(department), ['https://example.com/department']);
  assert.equal((await seen(corporate)).length, 2);
});
