import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailSupportRequest } from '../../src/modules/identity/support-requests.ts';
import { codeOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import { api, clock, consent, enter, HOUR, owner, person, REASON, reset, user } from './support-people.ts';

const asked = async (client: Client) =>
  (await client('GET', '/api/v1/asked-notify')).body as { kind: string; place: string }[];
const ask = (client: Client, id = user.id) =>
  client('POST', `/api/v1/users/${id}/support-requests`, { reason: REASON });
const request = async (client: Client) =>
  ((await client('GET', '/api/v1/support-consent')).body as { request: { reason: string } | null }).request;
const jobs = async () =>
  (
    await owner.query<{ data: { user_id: number; to: number } }>(
      "SELECT data FROM jobs.job WHERE name = 'mail-support-request' AND state < 'completed' ORDER BY created_on",
    )
  ).rows.map(({ data }) => data);
const clear = async () => {
  await owner.query("DELETE FROM support_request; DELETE FROM jobs.job WHERE name = 'mail-support-request'");
  await reset();
};

test('a request reaches the bell and the mail of the person, with the place of consent', async () => {
  const [own, admin] = [await enter('user'), await enter('admin')];
  assert.deepEqual(await asked(own), []);
  assert.equal((await ask(admin)).status, 200);
  assert.deepEqual(
    (await asked(own)).map(({ kind, place }) => [kind, place]),
    [['support', '/profile']],
  );
  assert.equal((await request(own))?.reason, REASON);
  assert.deepEqual(await jobs(), [{ user_id: user.id, to: user.id }]);
  const { rows } = await owner.query(
    "SELECT properties FROM activity_log WHERE description = 'support consent requested' AND subject_id = $1",
    [user.id],
  );
  assert.equal(rows[0].properties.after.reason, REASON);
  // The request is for nobody else.
  for (const who of ['corporate', 'department', 'readonly']) assert.deepEqual(await asked(await enter(who)), [], who);
  await clear();
});

test('a request waits a day, and a second one is refused meanwhile', async () => {
  const [own, admin] = [await enter('user'), await enter('admin')];
  await ask(admin);
  assert.equal(codeOf(await ask(await enter('superadmin'))), 'support_already_asked');
  assert.equal((await jobs()).length, 1);
  clock.pass(25 * HOUR);
  const later = await enter('user');
  assert.deepEqual(await asked(later), []);
  assert.equal(await request(later), null);
  assert.equal((await ask(await enter('admin'))).status, 200);
  assert.ok(own);
  await clear();
});

test('consent, refusal and a policy that forbids support end a request', async () => {
  const [own, admin] = [await enter('user'), await enter('admin')];
  await ask(admin);
  await consent(own);
  assert.deepEqual(await asked(own), []);
  await reset();
  await ask(admin);
  assert.equal((await own('DELETE', '/api/v1/support-consent/request')).status, 200);
  assert.deepEqual(await asked(own), []);
  await owner.query("INSERT INTO sign_in_policy (corporation_id, support) VALUES ($1, 'nobody')", [
    user.corporation_id,
  ]);
  assert.equal(codeOf(await ask(admin)), 'support_not_allowed');
  await clear();
});

test('where administrators decide, they are asked and not the person', async () => {
  await owner.query("INSERT INTO sign_in_policy (corporation_id, support) VALUES ($1, 'administrators')", [
    user.corporation_id,
  ]);
  const [own, corporate, admin] = [await enter('user'), await enter('corporate'), await enter('admin')];
  assert.equal((await ask(admin)).status, 200);
  assert.deepEqual(await asked(own), []);
  assert.deepEqual(
    (await asked(corporate)).map(({ place }) => place),
    [`/users/${user.id}`],
  );
  assert.deepEqual(await jobs(), [{ user_id: user.id, to: (await person('corporate')).id }]);
  assert.equal(codeOf(await own('DELETE', `/api/v1/users/${user.id}/support-requests`)), 'forbidden');
  assert.equal((await corporate('DELETE', `/api/v1/users/${user.id}/support-requests`)).status, 200);
  assert.deepEqual(await asked(corporate), []);
  await clear();
});

test('nobody asks for the console of people above, beside or outside them', async () => {
  const tries: [string, string, string][] = [
    ['corporate', 'user', 'forbidden'],
    ['reseller', 'admin', 'not_found'],
    ['admin', 'superadmin', 'forbidden'],
  ];
  for (const [who, whose, code] of tries) {
    await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
      WHERE u.email = '${who}@heliograph.test' AND p.name = 'users-support' ON CONFLICT DO NOTHING`);
    assert.equal(codeOf(await ask(await enter(who), (await person(whose)).id)), code, `${who} ${whose}`);
  }
  assert.deepEqual(await jobs(), []);
});

test('a request that was decided is not mailed any more', async () => {
  const worker = { database: api.database.db('worker'), config: api.config, log: api.log };
  await mailSupportRequest(worker, { user_id: user.id, to: user.id });
});
