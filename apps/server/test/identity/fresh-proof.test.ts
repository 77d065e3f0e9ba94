import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { PROOF_MINUTES } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { Secret, TOTP } from 'otpauth';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { codeOf, dataOf } from '../answers.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { Authenticator } from './authenticator.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const host = 'localhost';
const device = () => new Authenticator('http://localhost:8080');

interface Begun {
  way: string;
  options: { challenge: string } | null;
}

/** A session of its own, and the call that makes its last proof this many seconds old. */
async function enter(who: string) {
  const answer = await api.anonymous()('POST', '/api/v1/oauth/token', {
    username: `${who}@heliograph.test`,
    password: DEMO_PASSWORD,
  });
  const { access_token } = answer.body as { access_token: string };
  const client = api.anonymous(access_token);
  const age = (seconds: number | null) =>
    owner.query(
      `UPDATE session SET proved_at = now() - $1 * interval '1 second' WHERE id =
        (SELECT session_id FROM session_token WHERE access_digest = sha256($2::bytea))`,
      [seconds, Buffer.from(access_token)],
    );
  return { client, age };
}

const begin = async (client: Client) => (await client('POST', '/api/v1/proof/begin', { host })).body as Begun;
const prove = (client: Client, body: object) => client('POST', '/api/v1/proof', body);
/** A call that always needs a proof, and changes nothing: nobody has this id. */
const marked = async (client: Client) => codeOf(await client('POST', '/api/v1/api-keys/999999999/rotate', {}));
const REFUSED = 'proof_required';

const pathOf = (path: string) => path.replace(/:\w+/g, '999999999');

test('every call that is declared so refuses without a fresh proof, whatever its input', async () => {
  const { client, age } = await enter('superadmin');
  const always = ALL_OPERATIONS.filter(({ proof }) => proof === 'always');
  assert.ok(always.length >= 15, `${always.length} calls`);
  for (const seconds of [null, PROOF_MINUTES * 60 + 1]) {
    await age(seconds);
    for (const { method, path, errors } of always) {
      const answer = await client(method, pathOf(path), method === 'GET' ? undefined : {});
      assert.deepEqual([answer.status, codeOf(answer)], [403, REFUSED], `${method} ${path}`);
      assert.match(answer.headers.get('www-authenticate') ?? '', /insufficient_user_authentication", max_age=900/);
      assert.ok(errors.includes('proof_required'), path);
    }
  }
  // A busy machine needs some seconds for all calls.
  await age(PROOF_MINUTES * 60 - 60);
  for (const { method, path } of always)
    assert.notEqual(codeOf(await client(method, pathOf(path), method === 'GET' ? undefined : {})), REFUSED, path);
});

test('calls that need a proof sometimes refuse only the dangerous body', async () => {
  const { client, age } = await enter('superadmin');
  const one = async (query: string) => (await owner.query(query)).rows[0] as Record<string, number>;
  const user = await one("SELECT id, role_id FROM user_account WHERE email = 'user@heliograph.test'");
  const admin = await one("SELECT role_id FROM user_account WHERE email = 'department@heliograph.test'");
  const keyOwner = await one("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const account = await one('SELECT min(id) AS id FROM billing_account');
  const pair = await one(
    `SELECT f.id AS a, t.id AS b FROM billing_account f JOIN corporation c ON c.reseller_id = f.corporation_id
      JOIN billing_account t ON t.corporation_id = c.id ORDER BY t.id LIMIT 1`,
  );
  const key = dataOf(await client('POST', '/api/v1/api-keys', { name: 'Shop', user_id: keyOwner.id }));
  const acme = await one("SELECT corporation_id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const program = { corporation_id: acme.corporation_id, name: 'Payroll', contact_email: 'payroll@heliograph.test' };
  const robot = dataOf(await client('POST', '/api/v1/service-accounts', program));
  const ofAccount = { service_account_id: robot.id, name: 'Server' };
  const keyOfAccount = dataOf(await client('POST', '/api/v1/service-account-keys', ofAccount));
  const bound = await one(`UPDATE user_account u SET connection_type_id = t.id FROM connection_type t
    WHERE u.email = 'user@heliograph.test' AND t.name = 'SMPP' RETURNING u.id, u.corporation_id`);
  const system = { user_id: bound.id, corporation_id: bound.corporation_id, password: 'Lantern#41' };
  const systemId = dataOf(await client('POST', '/api/v1/smpp-system-ids', system));
  const transfer = (amount: string) => ({ from_account_id: pair.a, to_account_id: pair.b, amount });
  /** Adds an arrived top-up of 20,000; returns its id. */
  const topUp = async (driver: string) =>
    (
      await one(
        `INSERT INTO top_up (corporation_id, billing_account_id, driver, method_name, state, amount, total, currency, reference)
         SELECT corporation_id, id, '${driver}', 'Bank', 'paid', 20000000, 20000000, 'PHP', gen_random_uuid()::text
         FROM billing_account ORDER BY id LIMIT 1 RETURNING id`,
      )
    )['id'];
  /** Adds a return that another person requested, or that was approved. */
  const returned = async (amount: number, state: string) =>
    (
      await one(
        `INSERT INTO top_up_return (corporation_id, top_up_id, kind, state, amount, reason, by_hand, user_id, decided_by, created_at)
         SELECT corporation_id, id, 'refund', '${state}', ${amount * 1000}, 'Wrong', true, ${user.id},
           CASE WHEN '${state}' = 'done' THEN ${keyOwner.id} END, now() FROM top_up WHERE id = ${await topUp('bank_transfer')} RETURNING id`,
      )
    )['id'];
  const online = await topUp('stripe');
  const CASES: Record<string, { path?: string; freePath?: string; asks: object; free: object }> = {
    'POST /api/v1/top-ups/:id/refunds': {
      path: `/api/v1/top-ups/${online}/refunds`,
      asks: { amount: '10000', reason: 'Twice' },
      free: { amount: '9999.99', reason: 'Twice' },
    },
    'POST /api/v1/top-up-returns/:id/approve': {
      path: `/api/v1/top-up-returns/${await returned(10_000, 'requested')}/approve`,
      freePath: `/api/v1/top-up-returns/${await returned(9_999, 'requested')}/approve`,
      asks: {},
      free: {},
    },
    'POST /api/v1/top-up-returns/:id/reverse': {
      path: `/api/v1/top-up-returns/${await returned(10_000, 'done')}/reverse`,
      freePath: `/api/v1/top-up-returns/${await returned(9_999, 'done')}/reverse`,
      asks: { reason: 'It came back' },
      free: { reason: 'It came back' },
    },
    'PATCH /api/v1/users/:id': {
      path: `/api/v1/users/${user.id}`,
      asks: { role_id: admin.role_id },
      free: { name: 'Another name', role_id: user.role_id },
    },
    'PATCH /api/v1/api-keys/:id': {
      path: `/api/v1/api-keys/${key.id}`,
      asks: { scopes: ['messages:send'] },
      free: { name: 'Another shop' },
    },
    'PATCH /api/v1/service-accounts/:id': {
      path: `/api/v1/service-accounts/${robot.id}`,
      asks: { scopes: ['messages:send'] },
      free: { contact_email: 'others@heliograph.test' },
    },
    'PATCH /api/v1/service-account-keys/:id': {
      path: `/api/v1/service-account-keys/${keyOfAccount.id}`,
      asks: { last_day: '2100-01-01' },
      free: { name: 'Another server' },
    },
    'PATCH /api/v1/smpp-system-ids/:id': {
      path: `/api/v1/smpp-system-ids/${systemId.id}`,
      asks: { password: 'Lantern#42' },
      free: { max_binds: 3 },
    },
    'POST /api/v1/account-transfers': { asks: transfer('10000'), free: transfer('1') },
    'POST /api/v1/billing-accounts/:id/payments': {
      path: `/api/v1/billing-accounts/${account.id}/payments`,
      asks: { amount: '10000' },
      free: { amount: '9999.99' },
    },
    'POST /api/v1/billing-accounts/:id/corrections': {
      path: `/api/v1/billing-accounts/${account.id}/corrections`,
      asks: { amount: '-10000', note: 'Wrong' },
      free: { amount: '-1', note: 'Wrong' },
    },
    'POST /api/v1/moderation/decisions': {
      asks: { ids: [1], decision: 'approved' },
      free: { ids: [1], decision: 'rejected', reason: 'No' },
    },
  };
  const declared = ALL_OPERATIONS.filter(({ proof }) => proof === 'sometimes');
  assert.deepEqual(declared.map(({ method, path }) => `${method} ${path}`).sort(), Object.keys(CASES).sort());
  await age(3_600);
  for (const [name, { path, freePath, asks, free }] of Object.entries(CASES)) {
    const [method = '', declaredPath = ''] = name.split(' ');
    const refused = await client(method, path ?? declaredPath, asks);
    assert.equal(codeOf(refused), REFUSED, `${name} ${JSON.stringify(refused.body)}`);
    const taken = await client(method, freePath ?? path ?? declaredPath, free);
    assert.ok(taken.status < 300, `${name} ${JSON.stringify(taken.body)}`);
  }
  await owner.query("UPDATE global_configuration SET value = '0' WHERE key = 'proof_from_amount'");
  assert.equal(codeOf(await client('POST', '/api/v1/account-transfers', transfer('1'))), REFUSED, '0 asks for all');
  await age(0);
  for (const [name, { path, asks }] of Object.entries(CASES)) {
    const [method = '', declaredPath = ''] = name.split(' ');
    assert.notEqual(codeOf(await client(method, path ?? declaredPath, asks)), REFUSED, name);
  }
});

test('a proof counts only in its own session', async () => {
  const [one, other] = [await enter('corporate'), await enter('corporate')];
  await one.age(3_600);
  await other.age(3_600);
  assert.equal(await marked(one.client), REFUSED);
  assert.deepEqual(await begin(one.client), { way: 'password', options: null });
  const wrong = await prove(one.client, { password: 'Wrong#2026' });
  assert.equal(wrong.status, 422);
  assert.equal(await marked(one.client), REFUSED);
  const proved = await prove(one.client, { password: DEMO_PASSWORD });
  assert.equal(proved.status, 200);
  const until = Date.parse((proved.body as { proved_until: string }).proved_until) - Date.now();
  assert.ok(until > 14 * 60_000 && until <= 15 * 60_000, `${until}`);
  assert.equal(await marked(one.client), 'not_found');
  assert.equal(await marked(other.client), REFUSED);
  const reader = await enter('readonly');
  await reader.age(3_600);
  assert.equal(await marked(reader.client), 'forbidden');
  const { rows } = await owner.query(
    "SELECT count(*)::int AS entries FROM activity_log WHERE description = 'identity confirmed'",
  );
  assert.equal(rows[0].entries, 1);
});

test('who has a passkey proves with it or a recovery code, never with the password', async () => {
  const { client, age } = await enter('department');
  const own = device();
  const { options } = (await client('POST', '/api/v1/passkeys/begin', { host })).body as { options: Begun['options'] };
  const added = await client('POST', '/api/v1/passkeys', { name: 'Phone', host, credential: own.create(options!) });
  const { recovery_codes } = added.body as { recovery_codes: string[] };
  await age(3_600);
  const begun = await begin(client);
  assert.equal(begun.way, 'passkey');
  assert.equal(codeOf(await prove(client, { password: DEMO_PASSWORD })), 'proof_too_weak');
  const credential = own.get(begun.options!);
  const elsewhere = await enter('corporate');
  assert.equal(codeOf(await prove(elsewhere.client, { host, credential })), 'passkey_refused', 'another session');
  const signIn = (await api.anonymous()('POST', '/api/v1/oauth/passkey/begin', { host })).body as Begun;
  const forSignIn = { host, credential: own.get(signIn.options!) };
  assert.equal(codeOf(await prove(client, forSignIn)), 'passkey_refused', 'the challenge of a sign-in');
  const unchecked = own.get((await begin(client)).options!, { unverified: true });
  assert.equal(codeOf(await prove(client, { host, credential: unchecked })), 'passkey_refused');
  assert.equal(await marked(client), REFUSED);
  const fresh = { host, credential: own.get((await begin(client)).options!) };
  const all: Answer[] = await Promise.all(Array.from({ length: 8 }, () => prove(client, fresh)));
  assert.equal(all.filter(({ status }) => status === 200).length, 1, 'it counts once');
  assert.notEqual(await marked(client), REFUSED);
  await age(3_600);
  await begin(client);
  assert.equal(codeOf(await prove(client, { code: '123456' })), 'otp_invalid');
  assert.equal((await prove(client, { code: recovery_codes[0] })).status, 200);
  await age(3_600);
  await begin(client);
  assert.equal(codeOf(await prove(client, { code: recovery_codes[0] })), 'otp_invalid', 'a code works once');
});

test('an authenticator app and a code by message prove once, within their tries', async () => {
  const { client, age } = await enter('user');
  const { secret } = (await client('POST', '/api/v1/two-factor/begin', {})).body as { secret: string };
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  // All codes are of one moment: a step of half a minute may end while a busy machine answers.
  const timestamp = Date.now();
  const used = app.generate({ timestamp });
  await client('POST', '/api/v1/two-factor/confirm', { code: used });
  await age(3_600);
  assert.equal((await begin(client)).way, 'totp');
  assert.equal(codeOf(await prove(client, { code: used })), 'otp_invalid', 'the step was used');
  const next = app.generate({ timestamp: timestamp + 30_000 });
  assert.equal((await prove(client, { code: next })).status, 200);
  assert.notEqual(await marked(client), REFUSED);
  await age(3_600);
  await begin(client);
  for (let tries = 0; tries < 5; tries++) await prove(client, { code: '000000' });
  assert.equal(codeOf(await prove(client, { code: '000000' })), 'otp_too_many_tries');

  const other = await enter('reseller');
  await owner.query("UPDATE user_account SET otp = true WHERE email = 'reseller@heliograph.test'");
  await other.age(3_600);
  assert.equal((await begin(other.client)).way, 'otp');
  assert.equal((await begin(other.client)).way, 'otp');
  const { rows } = await owner.query(
    "SELECT count(*)::int AS sent FROM otp_challenge WHERE method = 'otp' AND user_id = $1",
    [await api.database.personOf('reseller')],
  );
  assert.equal(rows[0].sent, 1, 'asking again sends no second code');
});

test('a key of a program reaches no call that needs a proof', async () => {
  const { client } = await enter('superadmin');
  const user_id = await api.database.personOf('corporate');
  const { key } = dataOf<{ key: string }>(await client('POST', '/api/v1/api-keys', { name: 'Robot', user_id }));
  const program = api.anonymous(key);
  for (const { method, path } of ALL_OPERATIONS.filter(({ proof }) => proof !== null))
    assert.equal((await program(method, pathOf(path), method === 'GET' ? undefined : {})).status, 401, path);
  const marks = ALL_OPERATIONS.filter(({ proof }) => proof !== null).map(({ path }) => path);
  assert.deepEqual(
    PUBLIC_OPERATIONS.filter(({ path }) => marks.includes(path)),
    [],
  );
});
