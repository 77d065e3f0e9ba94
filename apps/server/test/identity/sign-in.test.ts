import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthenticator, hashFor } from '../../src/modules/identity/index.ts';
import { verifyPassword } from '../../src/modules/identity/password-hash.ts';
import { endSession, type Identity, refreshSession } from '../../src/modules/identity/session-tokens.ts';
import { signIn } from '../../src/modules/identity/sign-in.ts';
import { BusinessError } from '../../src/platform/errors.ts';
import { type TestDatabase, testDatabase } from '../template-database.ts';
import { makePerson, PASSWORD, testClock } from './people.ts';

const request = { ip: '127.0.0.1', userAgent: 'test', host: 'localhost' };
const MINUTE = 60_000;

function identityOf(database: TestDatabase) {
  const clock = testClock();
  const identity: Identity = { authDb: database.db('auth'), key: Buffer.alloc(32, 7), clock };
  const enter = (username: string, password = PASSWORD) => signIn(identity, { request }, { username, password });
  const authenticate = createAuthenticator({ authDb: identity.authDb, clock });
  return { clock, identity, enter, authenticate };
}

const refused = (code: string) => (error: unknown) => error instanceof BusinessError && error.code === code;
const answer = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'in',
    (error: BusinessError) => error.code,
  );

test('the right password opens a session with the person’s corporation and permissions', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate, clock } = identityOf(database);
  const person = await makePerson(database.db('owner'), 'keeper@lamp.test', { permissions: ['dashboard-index'] });
  const tokens = await enter(' Keeper@Lamp.test ');
  assert.equal(tokens.expires_in, 900);
  assert.equal(tokens.verified, true);
  const caller = await authenticate(tokens.access_token);
  assert.equal(caller?.user_id, person.user_id);
  assert.deepEqual(caller?.corporations, [person.corporation_id]);
  assert.deepEqual([...caller!.permissions], ['dashboard-index']);
  assert.equal(await authenticate(tokens.refresh_token), null);
  clock.pass(15 * MINUTE);
  assert.equal(await authenticate(tokens.access_token), null);
});

test('a reseller sees its own and its owned corporations; its departments do not', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate } = identityOf(database);
  const db = database.db('owner');
  const boss = await makePerson(db, 'boss@tower.test', { corporation: 'Tower', is_reseller: true });
  await makePerson(db, 'clerk@tower.test', { corporation: 'Tower', level: 3 });
  const owned = await makePerson(db, 'keeper@lamp.test');
  await makePerson(db, 'stranger@dark.test', { corporation: 'Dark' });
  await db
    .updateTable('corporation')
    .set({ reseller_id: boss.corporation_id })
    .where('id', '=', owned.corporation_id)
    .execute();
  const entered = await enter('boss@tower.test');
  assert.deepEqual(entered.reseller_corporations, [{ id: owned.corporation_id, name: 'Lamp Works' }]);
  assert.deepEqual((await authenticate(entered.access_token))?.corporations, [
    boss.corporation_id,
    owned.corporation_id,
  ]);
  const clerk = await authenticate((await enter('clerk@tower.test')).access_token);
  assert.deepEqual(clerk?.corporations, [boss.corporation_id]);
  const keeper = await enter('keeper@lamp.test');
  assert.equal(keeper.owned_by_reseller, true);
  assert.equal(keeper.is_reseller, false);
});

test('five failures lock a name for 15 minutes, whether the person exists or not', async (t) => {
  const database = await testDatabase(t);
  const { enter, clock } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  for (const name of ['keeper@lamp.test', 'nobody@lamp.test']) {
    const answers: string[] = [];
    for (let i = 0; i < 6; i++) answers.push(await answer(enter(name, 'Wrong#123')));
    assert.deepEqual(answers, [...Array(5).fill('wrong_credentials'), 'account_locked'], name);
  }
  assert.equal(await answer(enter('keeper@lamp.test')), 'account_locked');
  clock.pass(15 * MINUTE - 1);
  assert.equal(await answer(enter('keeper@lamp.test')), 'account_locked');
  clock.pass(1);
  assert.equal(await answer(enter('keeper@lamp.test')), 'in');
});

test('failures more than 15 minutes apart, or before a success, do not add up', async (t) => {
  const database = await testDatabase(t);
  const { enter, clock } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  for (let i = 0; i < 8; i++) {
    assert.equal(await answer(enter('keeper@lamp.test', 'Wrong#123')), 'wrong_credentials');
    if (i % 4 === 3) assert.equal(await answer(enter('keeper@lamp.test')), 'in');
    else if (i % 4 === 1) clock.pass(16 * MINUTE);
  }
});

test('parallel guesses get no more tries than guesses one after another', async (t) => {
  const database = await testDatabase(t);
  const { enter } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  const answers = await Promise.all(Array.from({ length: 30 }, () => answer(enter('keeper@lamp.test', 'Wrong#123'))));
  assert.equal(answers.filter((code) => code === 'wrong_credentials').length, 5);
  assert.equal(answers.filter((code) => code === 'account_locked').length, 25);
});

test('each account of one email address opens with its own password', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate, identity } = identityOf(database);
  const db = database.db('owner');
  const people = [];
  for (const [corporation, password] of [
    ['Lamp Works', PASSWORD],
    ['Dark Harbor', 'Shutter#42'],
  ] as const) {
    const person = await makePerson(db, 'keeper@lamp.test', { corporation });
    const password_hash = await hashFor(identity, 'keeper@lamp.test', password);
    await db.updateTable('user_account').set({ password_hash }).where('id', '=', person.user_id).execute();
    people.push({ ...person, password });
  }
  for (const { user_id, password } of people)
    assert.equal((await authenticate((await enter('keeper@lamp.test', password)).access_token))?.user_id, user_id);
  const { rows } = await database
    .pool('owner')
    .query("SELECT DISTINCT split_part(password_hash, '$', 5) AS salt FROM user_account");
  assert.equal(rows.length, 1, 'one derivation serves all');
});

test('a lock on one account of an address neither unlocks nor locks another', async (t) => {
  const database = await testDatabase(t);
  const { enter } = identityOf(database);
  const db = database.db('owner');
  const victim = await makePerson(db, 'keeper@lamp.test');
  const thief = await makePerson(db, 'keeper@lamp.test', { corporation: 'Dark Harbor' });
  const identity = identityOf(database).identity;
  const password_hash = await hashFor(identity, 'keeper@lamp.test', 'Shutter#42');
  await db.updateTable('user_account').set({ password_hash }).where('id', '=', thief.user_id).execute();
  // Ten sign-ins to one's own account do not lock the other account.
  for (let i = 0; i < 10; i++) assert.equal(await answer(enter('keeper@lamp.test', 'Shutter#42')), 'in');
  assert.equal(await answer(enter('keeper@lamp.test')), 'in');
  // Guesses count against both accounts, even if the thief signs in to their own account between them.
  for (let i = 0; i < 4; i++) {
    assert.equal(await answer(enter('keeper@lamp.test', 'Wrong#123')), 'wrong_credentials');
    assert.equal(await answer(enter('keeper@lamp.test', 'Shutter#42')), 'in');
  }
  assert.equal(await answer(enter('keeper@lamp.test', 'Wrong#123')), 'wrong_credentials');
  assert.equal(await answer(enter('keeper@lamp.test')), 'wrong_credentials', 'locked, and nothing says so');
  const { locked_until } = await db
    .selectFrom('user_account')
    .select('locked_until')
    .where('id', '=', victim.user_id)
    .executeTakeFirstOrThrow();
  assert.ok(locked_until);
  assert.equal(await answer(enter('keeper@lamp.test', 'Shutter#42')), 'in');
});

test('only a person with the right password learns that the account is disabled', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate } = identityOf(database);
  const db = database.db('owner');
  await makePerson(db, 'keeper@lamp.test');
  const { access_token, refresh_token } = await enter('keeper@lamp.test');
  const { identity } = identityOf(database);
  await db.updateTable('user_account').set({ enabled: false }).execute();
  assert.equal(await answer(enter('keeper@lamp.test')), 'account_disabled');
  assert.equal(await answer(enter('keeper@lamp.test', 'Wrong#123')), 'wrong_credentials');
  assert.equal(await authenticate(access_token), null, 'with the next request');
  assert.equal(await answer(refreshSession(identity, refresh_token)), 'refresh_token_invalid');
  await db.updateTable('user_account').set({ enabled: true }).execute();
  await db.updateTable('corporation').set({ enabled: false }).execute();
  assert.equal(await answer(enter('keeper@lamp.test')), 'account_disabled');
  assert.equal(await authenticate(access_token), null);
  await db.updateTable('corporation').set({ enabled: true }).execute();
  const age = { key: 'password_max_age_days', name: 'x', description: 'x', value: '30' };
  await db
    .insertInto('global_configuration')
    .values(age)
    .onConflict((c) => c.column('key').doUpdateSet({ value: '30' }))
    .execute();
  await db.updateTable('user_account').set({ password_changed_at: '2026-01-01T00:00:00Z' }).execute();
  assert.equal(await answer(enter('keeper@lamp.test')), 'password_expired');
});

test('a removed permission and an ended session take effect with the next request', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate, identity, clock } = identityOf(database);
  const db = database.db('owner');
  await makePerson(db, 'keeper@lamp.test', { permissions: ['dashboard-index', 'campaigns-run'] });
  const { access_token } = await enter('keeper@lamp.test');
  assert.equal((await authenticate(access_token))?.permissions.has('campaigns-run'), true);
  await db
    .deleteFrom('role_permission')
    .where('permission_id', 'in', (eb) => eb.selectFrom('permission').select('id').where('name', '=', 'campaigns-run'))
    .execute();
  const caller = await authenticate(access_token);
  assert.equal(caller?.permissions.has('campaigns-run'), false);
  await endSession(identity.authDb, caller!.session_id, clock.now());
  assert.equal(await authenticate(access_token), null);
});

test('fifty parallel refreshes return the same successor', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate, identity } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  const { refresh_token } = await enter('keeper@lamp.test');
  const all = await Promise.all(Array.from({ length: 50 }, () => refreshSession(identity, refresh_token)));
  assert.equal(new Set(all.map((tokens) => tokens.refresh_token)).size, 1);
  assert.equal(new Set(all.map((tokens) => tokens.access_token)).size, 1);
  assert.ok(await authenticate(all[0]!.access_token));
  const { rows } = await database.pool('owner').query('SELECT count(*) AS pairs FROM session_token');
  assert.equal(rows[0].pairs, 2);
});

test('a used refresh token returns its successor for 30 s, then ends the session', async (t) => {
  const database = await testDatabase(t);
  const { enter, authenticate, identity, clock } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  const first = await enter('keeper@lamp.test');
  const second = await refreshSession(identity, first.refresh_token);
  clock.pass(30_000);
  const again = await refreshSession(identity, first.refresh_token);
  assert.equal(again.refresh_token, second.refresh_token);
  assert.equal(again.expires_in, 870);
  const third = await refreshSession(identity, second.refresh_token);
  assert.ok(await authenticate(third.access_token));
  clock.pass(1);
  await assert.rejects(refreshSession(identity, first.refresh_token), refused('refresh_token_invalid'));
  assert.equal(await authenticate(third.access_token), null);
  await assert.rejects(refreshSession(identity, third.refresh_token), refused('refresh_token_invalid'));
});

test('a refresh token expires after 30 days, and a session always after 90', async (t) => {
  const database = await testDatabase(t);
  const { enter, identity, clock } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  const DAY = 24 * 60 * MINUTE;
  const idle = await enter('keeper@lamp.test');
  clock.pass(30 * DAY);
  await assert.rejects(refreshSession(identity, idle.refresh_token), refused('refresh_token_invalid'));
  let busy: { refresh_token: string } = await enter('keeper@lamp.test');
  for (let day = 0; day < 80; day += 20) {
    clock.pass(20 * DAY);
    busy = await refreshSession(identity, busy.refresh_token);
  }
  clock.pass(10 * DAY);
  await assert.rejects(refreshSession(identity, busy.refresh_token), refused('refresh_token_invalid'));
});

test('the tables hold neither tokens nor passwords', async (t) => {
  const database = await testDatabase(t);
  const { enter } = identityOf(database);
  await makePerson(database.db('owner'), 'keeper@lamp.test');
  const { access_token, refresh_token } = await enter('keeper@lamp.test');
  const { rows } = await database
    .pool('owner')
    .query(
      "SELECT coalesce((SELECT json_agg(s) FROM session s)::text, '') || (SELECT json_agg(t)::text FROM session_token t) || (SELECT json_agg(u)::text FROM user_account u) AS all",
    );
  for (const secret of [access_token, refresh_token, PASSWORD]) assert.equal(rows[0].all.includes(secret), false);
  const { password_hash } = await database
    .db('owner')
    .selectFrom('user_account')
    .select('password_hash')
    .executeTakeFirstOrThrow();
  assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword(PASSWORD, password_hash), true);
  assert.equal(await verifyPassword(`${PASSWORD} `, password_hash), false);
});
