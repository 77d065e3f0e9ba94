import assert from 'node:assert/strict';
import { test } from 'node:test';
import { READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { SUPPORT_MINUTES } from '@heliograph/contract/identity/support';
import { codeOf } from '../answers.ts';
import type { Client } from '../test-api.ts';
import {
  api,
  begin,
  clock,
  consent,
  enter,
  HOUR,
  MINUTE,
  OVER,
  owner,
  person,
  reset,
  see,
  supported,
  use,
  user,
} from './support-people.ts';

test('support sees the console of a person only with their consent', async () => {
  const [own, admin] = [await enter('user'), await enter('admin')];
  assert.equal(codeOf(await begin(admin)), 'support_without_consent');
  await consent(own);
  const seen = await see(admin);
  const { body } = await seen('GET', '/api/v1/profiles');
  const { profile, permissions } = body as { profile: Record<string, unknown>; permissions: { name: string }[] };
  assert.equal(profile['email'], 'user@heliograph.test');
  assert.ok(profile['support']);
  assert.ok(permissions.length > 5);
  // The own session is as it was.
  assert.equal(
    ((await admin('GET', '/api/v1/profiles')).body as { profile: { email: string } }).profile.email,
    'admin@heliograph.test',
  );
  await reset();
});

test('a support session ends with its consent, and an hour after its beginning', async () => {
  const short = await supported(1);
  clock.pass(HOUR);
  assert.equal(await use(short.seen), OVER);
  assert.equal(codeOf(await begin(await enter('admin'))), 'support_without_consent');
  const long = await supported(24);
  clock.pass((SUPPORT_MINUTES - 1) * MINUTE);
  assert.equal(await use(long.seen), undefined);
  clock.pass(MINUTE);
  assert.equal(await use(long.seen), OVER);
  await reset();
});

test('a withdrawn consent ends the session now, and a new one does not bring it back', async () => {
  const { own, seen } = await supported();
  assert.equal(await use(seen), undefined);
  assert.equal((await own('DELETE', '/api/v1/support-consent')).status, 200);
  assert.equal(await use(seen), OVER);
  await consent(own);
  assert.equal(await use(seen), OVER);
  await reset();
});

test('a support session ends when either person is signed out, disabled or moved', async () => {
  const id = (who: string) => `(SELECT id FROM user_account WHERE email = '${who}@heliograph.test')`;
  const undone: [string, string][] = [
    [
      `UPDATE user_account SET enabled = false WHERE id = ${id('user')}`,
      `UPDATE user_account SET enabled = true WHERE id = ${id('user')}`,
    ],
    [
      `UPDATE user_account SET enabled = false WHERE id = ${id('admin')}`,
      `UPDATE user_account SET enabled = true WHERE id = ${id('admin')}`,
    ],
    [
      `UPDATE user_account SET scope_level = 3 WHERE id = ${id('user')}`,
      `UPDATE user_account SET scope_level = 4 WHERE id = ${id('user')}`,
    ],
    [
      `UPDATE user_account SET role_id = (SELECT id FROM role WHERE name = '${READ_ONLY_ROLE}') WHERE id = ${id('user')}`,
      `UPDATE user_account SET role_id = (SELECT id FROM role WHERE name = 'corporate_user') WHERE id = ${id('user')}`,
    ],
    [
      `DELETE FROM role_permission WHERE permission_id = (SELECT id FROM permission WHERE name = 'users-support') AND role_id = (SELECT role_id FROM user_account WHERE id = ${id('admin')})`,
      `INSERT INTO role_permission SELECT u.role_id, p.id FROM user_account u, permission p WHERE u.id = ${id('admin')} AND p.name = 'users-support'`,
    ],
    [
      `INSERT INTO sign_in_policy (corporation_id, support) VALUES (${user.corporation_id}, 'nobody')`,
      'DELETE FROM sign_in_policy',
    ],
  ];
  for (const [does, undoes] of undone) {
    const { seen } = await supported();
    assert.equal(await use(seen), undefined, does);
    await owner.query(does);
    assert.equal(await use(seen), OVER, does);
    await owner.query(undoes);
    assert.equal(await use(seen), OVER, `${does}: it came back`);
  }
  for (const which of ['all', 'others']) {
    const { own, seen } = await supported();
    await own('POST', '/api/v1/sessions/end', { sessions: which });
    assert.equal(await use(seen), OVER, which);
  }
  const { admin, seen } = await supported();
  await admin('POST', '/api/v1/logout');
  assert.equal(await use(seen), OVER);
  await reset();
});

test('a second session of the same person of support ends the first', async () => {
  const { admin, seen } = await supported();
  const next = await see(admin);
  assert.equal(await use(seen), OVER);
  assert.equal(await use(next), undefined);
  await reset();
});

test('nobody sees the console of people above, beside or outside them', async () => {
  const refused = async (who: string, whom: number) => codeOf(await begin(await enter(who), whom));
  const id = async (who: string) => (await person(who)).id;
  await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
    WHERE u.email LIKE '%@heliograph.test' AND p.name = 'users-support' ON CONFLICT DO NOTHING`);
  const all = await owner.query('SELECT id FROM user_account WHERE NOT is_service');
  for (const { id: whom } of all.rows)
    await owner.query(
      `INSERT INTO support_consent (user_id, by_administrator, given_at, until) VALUES ($1, true, $2, $3)`,
      [whom, clock.now(), new Date(clock.now().getTime() + HOUR)],
    );
  for (const whom of ['superadmin', 'admin']) {
    assert.equal(await refused('admin', await id(whom)), 'forbidden');
    assert.equal(await refused('superadmin', await id(whom)), 'forbidden');
    assert.equal(await refused('reseller', await id(whom)), 'not_found');
  }
  assert.equal(await refused('reseller', await id('reseller')), 'forbidden');
  assert.equal(await refused('corporate', await id('user')), 'forbidden');
  assert.equal(await refused('department', await id('user')), 'forbidden');
  assert.equal(await refused('user', await id('user')), 'forbidden');
  assert.equal(await refused('admin', 999_999_999), 'not_found');
  const { rows } = await owner.query(`SELECT u.id FROM user_account u JOIN corporation c ON c.id = u.corporation_id
    WHERE c.reseller_id IS DISTINCT FROM (SELECT corporation_id FROM user_account WHERE email = 'reseller@heliograph.test')
      AND c.id <> (SELECT corporation_id FROM user_account WHERE email = 'reseller@heliograph.test') AND NOT u.is_service`);
  for (const { id: whom } of rows) assert.equal(await refused('reseller', whom), 'not_found');
  await see(await enter('reseller'));
  await reset();
});

test('a session needs a fresh proof and a reason, and cannot begin another', async () => {
  const { admin, seen } = await supported();
  assert.equal(codeOf(await begin(seen)), 'support_session_reads_only');
  const blank = await admin('POST', `/api/v1/users/${user.id}/support-sessions`, { reason: '   ' });
  assert.equal(codeOf(blank), 'validation_failed');
  await owner.query('UPDATE session SET proved_at = NULL');
  assert.equal(codeOf(await begin(admin)), 'proof_required');
  await reset();
});

test('tokens that were not given, or are those of other sessions, open no console', async () => {
  const { seen } = await supported();
  assert.equal(await use(seen), undefined);
  for (const forged of ['hgs_', `hgs_${'A'.repeat(43)}`, 'hgs_%00'])
    assert.equal(await use(api.anonymous(forged)), 'unauthenticated', forged);
  const { rows } = await owner.query(
    'SELECT count(*)::int AS pairs FROM session_token t JOIN support_session x ON x.session_id = t.session_id',
  );
  assert.equal(rows[0].pairs, 0, 'a session of support has no pair of tokens that renews it');
  await reset();
});

test('the sign-in policy forbids support, or lets only administrators give consent', async () => {
  const [own, corporate, admin] = [await enter('user'), await enter('corporate'), await enter('admin')];
  const rule = async (support: string) => {
    await owner.query('DELETE FROM sign_in_policy');
    await owner.query('INSERT INTO sign_in_policy (corporation_id, support) VALUES ($1, $2)', [
      user.corporation_id,
      support,
    ]);
  };
  const give = async (client: Client) => codeOf(await client('PUT', '/api/v1/support-consent', { hours: 1 }));
  const giveFor = async (client: Client) =>
    codeOf(await client('PUT', `/api/v1/users/${user.id}/support-consent`, { hours: 1 }));
  await consent(own);
  await rule('administrators');
  assert.equal(codeOf(await begin(admin)), 'support_without_consent', 'the consent of the person does not count now');
  assert.equal(await give(own), 'support_by_administrator');
  assert.equal(await giveFor(corporate), undefined);
  await see(admin);
  await rule('nobody');
  assert.equal(codeOf(await begin(admin)), 'support_not_allowed');
  assert.equal(await give(own), 'support_not_allowed');
  assert.equal(await giveFor(corporate), 'support_not_allowed');
  // A reseller gives no consent for its customers: it would be its own.
  await reset();
  assert.equal(await giveFor(await enter('reseller')), 'forbidden');
  await reset();
});

test('the addresses that the policies of both allow count for a support session', async () => {
  const { seen, admin } = await supported();
  for (const corporation_id of [user.corporation_id, null]) {
    await owner.query('DELETE FROM sign_in_policy');
    await owner.query("INSERT INTO sign_in_policy (corporation_id, addresses) VALUES ($1, '{203.0.113.0/24}')", [
      corporation_id,
    ]);
    assert.equal(await use(seen), 'session_address', String(corporation_id));
    assert.equal(codeOf(await begin(admin)), corporation_id === null ? 'session_address' : 'support_address');
  }
  await reset();
});

test('texts and full numbers are shown only if both people may see them', async () => {
  const { seen } = await supported();
  const sees = async (right: string) =>
    ((await seen('GET', '/api/v1/profiles')).body as { profile: Record<string, boolean> }).profile[right];
  for (const right of ['content_visible', 'numbers_visible']) {
    assert.equal(await sees(right), true);
    for (const who of ['user', 'admin']) {
      const set = (value: boolean) =>
        owner.query(`UPDATE user_account SET ${right} = $1 WHERE email = $2`, [value, `${who}@heliograph.test`]);
      await set(false);
      assert.equal(await sees(right), false, `${right} of ${who}`);
      await set(true);
    }
  }
  await reset();
});
