import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createAuthenticator } from '../../src/modules/identity/index.ts';
import { codeOf, renewChallenge, verifySession } from '../../src/modules/identity/second-factor.ts';
import { type OwnText, sendOtp } from '../../src/modules/identity/send-otp.ts';
import type { Identity } from '../../src/modules/identity/session-tokens.ts';
import { signIn } from '../../src/modules/identity/sign-in.ts';
import { beginTotp, confirmTotp, endTotp, renewRecoveryCodes } from '../../src/modules/identity/totp.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import type { Caller } from '../../src/platform/context.ts';
import { BusinessError } from '../../src/platform/errors.ts';
import { startEnqueuing } from '../../src/platform/jobs/jobs.ts';
import { createLogger } from '../../src/platform/log.ts';
import { testDatabase } from '../template-database.ts';
import { makePerson, PASSWORD, testClock } from './people.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const request = { ip: '127.0.0.1', userAgent: 'test', host: 'localhost' };
const folder = mkdtempSync(join(tmpdir(), 'heliograph-factor-'));
after(() => rmSync(folder, { recursive: true }));
const log = createLogger({ LOG_LEVEL: 'silent' }, 'factor');

// The tests share one database; each test has its own person.
const database = await testDatabase({ after });
const enqueuing = await startEnqueuing(database.pool('api'), log);
after(() => enqueuing.stop());
const key = Buffer.alloc(32, 7);
let people = 0;

/** Creates a person with their own clock and the functions to sign in. */
async function someone(options: { otp?: boolean; phone?: string } = {}) {
  const clock = testClock(new Date().toISOString());
  const identity: Identity = { authDb: database.db('auth'), key, clock };
  const email = `person${++people}@lamp.test`;
  const db = database.db('owner');
  const { user_id } = await makePerson(db, email, { permissions: ['dashboard-index'] });
  await db
    .updateTable('user_account')
    .set({ otp: options.otp ?? false, phone: options.phone ?? null })
    .where('id', '=', user_id)
    .execute();
  const authenticate = createAuthenticator({ authDb: identity.authDb, clock });
  const enter = async () => {
    const reply = await signIn(identity, { request }, { username: email, password: PASSWORD });
    const caller = await authenticate(reply.access_token);
    assert.ok(caller);
    return { ...reply, caller };
  };
  const newest = async (caller: Caller) =>
    (
      await db
        .selectFrom('otp_challenge')
        .selectAll()
        .where('session_id', '=', caller.session_id)
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow()
    ).id;
  return { clock, identity, user_id, email, enter, newest, authenticate, db };
}

const answer = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'in',
    (error: unknown) => (error instanceof BusinessError ? error.code : String(error)),
  );
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('a session opens when its code is entered, and the code works once', async () => {
  const { enter, newest, identity, authenticate } = await someone({ otp: true });
  const { caller, access_token, verified, second_factor } = await enter();
  assert.deepEqual([verified, second_factor, caller.verified], [false, 'otp', false]);
  const code = codeOf(key, await newest(caller));
  assert.match(code, /^\d{6}$/);
  assert.equal(await answer(verifySession(identity, caller, other(code))), 'otp_invalid');
  assert.equal(await answer(verifySession(identity, caller, code)), 'in');
  assert.equal((await authenticate(access_token))?.verified, true);
  assert.equal(await answer(verifySession(identity, caller, code)), 'otp_invalid');
});

test('a code sent a hundred times in parallel opens its session once', async () => {
  const { enter, newest, identity } = await someone({ otp: true });
  const { caller } = await enter();
  const code = codeOf(key, await newest(caller));
  const answers = await Promise.all(Array.from({ length: 100 }, () => answer(verifySession(identity, caller, code))));
  assert.deepEqual(
    [answers.filter((a) => a === 'in').length, answers.filter((a) => a === 'otp_invalid').length],
    [1, 99],
  );
});

test('a code allows five tries, also in parallel, and expires after five minutes', async () => {
  const { enter, newest, identity, clock } = await someone({ otp: true });
  const first = await enter();
  const code = codeOf(key, await newest(first.caller));
  const guesses = Array.from({ length: 40 }, (_, i) => String((Number(code) + 1 + i) % 1_000_000).padStart(6, '0'));
  const answers = await Promise.all(guesses.map((guess) => answer(verifySession(identity, first.caller, guess))));
  assert.equal(answers.filter((a) => a === 'otp_invalid').length, 5);
  assert.equal(answers.filter((a) => a === 'otp_too_many_tries').length, 35);
  assert.equal(await answer(verifySession(identity, first.caller, code)), 'otp_too_many_tries');
  const second = await enter();
  const late = codeOf(key, await newest(second.caller));
  clock.pass(5 * MINUTE);
  assert.equal(await answer(verifySession(identity, second.caller, late)), 'otp_expired');
});

test('a new code is sent after a minute, and the one before it stops working', async () => {
  const { enter, newest, identity, clock } = await someone({ otp: true });
  const { caller } = await enter();
  const before = codeOf(key, await newest(caller));
  clock.pass(MINUTE - 1);
  assert.equal(await answer(renewChallenge(identity, caller)), 'too_many_requests');
  clock.pass(1);
  const both = await Promise.all([answer(renewChallenge(identity, caller)), answer(renewChallenge(identity, caller))]);
  assert.deepEqual(both.sort(), ['in', 'too_many_requests']);
  const now = codeOf(key, await newest(caller));
  if (before !== now) assert.equal(await answer(verifySession(identity, caller, before)), 'otp_invalid');
  assert.equal(await answer(verifySession(identity, caller, now)), 'in');
});

test('at most ten unused codes are sent in a day; used codes do not count', async () => {
  const { enter, newest, identity, clock } = await someone({ otp: true });
  for (let i = 0; i < 3; i++) {
    const { caller } = await enter();
    assert.equal(await answer(verifySession(identity, caller, codeOf(key, await newest(caller)))), 'in');
  }
  // They run one after another, because the count of failed sign-ins already limits parallel ones.
  const attempts: string[] = [];
  for (let i = 0; i < 12; i++) attempts.push(await answer(enter()));
  assert.equal(attempts.filter((a) => a === 'in').length, 10);
  assert.equal(attempts.filter((a) => a === 'too_many_requests').length, 2);
  clock.pass(24 * 60 * MINUTE + 1);
  assert.equal(await answer(enter()), 'in');
});

test('the code is sent once by SMS and once by email, and no table holds it', async () => {
  const { enter, newest, email, user_id, clock } = await someone({ otp: true, phone: '639170001234' });
  const { caller } = await enter();
  const id = await newest(caller);
  const code = codeOf(key, id);
  const sent: OwnText[] = [];
  const config = readConnectedConfig({ DATABASE_URL: database.url, DATA_DIR: folder });
  const worker = { database: database.db('worker'), clock, config, log };
  const send = () =>
    sendOtp(
      worker,
      key,
      async (_db, text) => {
        sent.push(text);
      },
      id,
    );
  await send();
  await send();
  assert.equal(sent.length, 1);
  assert.deepEqual(
    { ...sent[0], text: '' },
    {
      msisdn: '639170001234',
      text: '',
      sender_id: 'Heliograph',
      user_id,
      expires_at: sent[0]!.expires_at,
    },
  );
  assert.ok(sent[0]!.text.startsWith(`${code} is your Heliograph code.`));
  const mails = readdirSync(join(folder, 'mail')).map((file) => readFileSync(join(folder, 'mail', file), 'utf8'));
  assert.equal(mails.filter((mail) => mail.includes(`To: ${email}`)).length, 1);
  assert.ok(mails.some((mail) => mail.includes(code)));
  const { rows } = await database
    .pool('owner')
    .query(
      `SELECT (SELECT json_agg(o) FROM otp_challenge o)::text || (SELECT json_agg(j) FROM jobs.job j WHERE name = 'send-otp')::text AS all`,
    );
  assert.ok(rows[0].all.includes(id));
  assert.equal(rows[0].all.includes(code), false);
});

/** Returns an authenticator app with a secret. */
const appOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });

async function withApp() {
  const person = await someone();
  const { caller } = await person.enter();
  const { secret, uri } = await beginTotp(person.identity, caller);
  const app = appOf(secret);
  const codeNow = (offset = 0) => app.generate({ timestamp: person.clock.now().getTime() + offset * 30 * SECOND });
  return { ...person, caller, secret, uri, codeNow };
}

test('an authenticator app is active after its first code, and each code works once', async () => {
  const { identity, caller, enter, codeNow, clock, uri, email } = await withApp();
  assert.match(uri, /^otpauth:\/\/totp\/Heliograph:/);
  assert.ok(decodeURIComponent(uri).includes(email));
  assert.equal((await enter()).verified, true, 'not confirmed yet');
  assert.equal(await answer(confirmTotp(identity, caller, other(codeNow()))), 'otp_invalid');
  const codes = await confirmTotp(identity, caller, codeNow());
  assert.equal(new Set(codes).size, 10);
  const next = await enter();
  assert.deepEqual([next.verified, next.second_factor], [false, 'totp']);
  assert.equal(await answer(verifySession(identity, next.caller, codeNow())), 'otp_invalid', 'the code of the set-up');
  clock.pass(30 * SECOND);
  const code = codeNow();
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => answer(verifySession(identity, next.caller, code))),
  );
  assert.equal(answers.filter((a) => a === 'in').length, 1);
  const again = await enter();
  assert.equal(await answer(verifySession(identity, again.caller, code)), 'otp_invalid', 'another session');
  assert.equal(await answer(renewChallenge(identity, again.caller)), 'otp_invalid', 'nothing is sent in its place');
});

test('an app’s clock may be off by half a minute, but not by more', async () => {
  const { identity, caller, enter, codeNow, clock } = await withApp();
  await confirmTotp(identity, caller, codeNow());
  clock.pass(5 * MINUTE);
  const { caller: waiting } = await enter();
  assert.equal(await answer(verifySession(identity, waiting, codeNow(-2))), 'otp_invalid');
  assert.equal(await answer(verifySession(identity, waiting, codeNow(2))), 'otp_invalid');
  assert.equal(await answer(verifySession(identity, waiting, codeNow(-1))), 'in');
});

test('a recovery code opens one session, and new recovery codes end the old ones', async () => {
  const { identity, caller, enter, codeNow, user_id } = await withApp();
  const [first, second] = (await confirmTotp(identity, caller, codeNow())) as [string, string];
  const waiting = await enter();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => answer(verifySession(identity, waiting.caller, first))),
  );
  assert.equal(answers.filter((a) => a === 'in').length, 1);
  const more = await enter();
  assert.equal(await answer(verifySession(identity, more.caller, first)), 'otp_invalid');
  const renewed = await renewRecoveryCodes(identity, more.caller);
  assert.equal(await answer(verifySession(identity, more.caller, second)), 'otp_invalid');
  assert.equal(await answer(verifySession(identity, more.caller, renewed[0]!.replace('-', ''))), 'in');
  const { rows } = await database.pool('owner').query(
    `SELECT json_agg(r)::text || (SELECT json_agg(t)::text FROM user_totp t WHERE user_id = $1) AS all
      FROM recovery_code r WHERE user_id = $1`,
    [user_id],
  );
  for (const secret of [...renewed, renewed[0]!.replace('-', '')]) assert.equal(rows[0].all.includes(secret), false);
});

test('an active app cannot be replaced, only removed; then the password is enough', async () => {
  const { identity, caller, enter, codeNow, secret } = await withApp();
  await confirmTotp(identity, caller, codeNow());
  assert.equal(await answer(beginTotp(identity, caller)), 'changed_meanwhile');
  const { rows } = await database
    .pool('owner')
    .query('SELECT secret_sealed FROM user_totp WHERE user_id = $1', [caller.user_id]);
  assert.match(rows[0].secret_sealed, /^v1\./);
  assert.equal(rows[0].secret_sealed.includes(secret), false);
  await endTotp(identity, caller);
  assert.equal(await answer(endTotp(identity, caller)), 'totp_not_begun');
  assert.equal((await enter()).verified, true);
});
