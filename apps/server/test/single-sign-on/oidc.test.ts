import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mailEmergency } from '../../src/modules/identity/mail-emergency.ts';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { startPeer } from './oidc-peer.ts';
import { Browser, type Reply, signOnStage } from './stage.ts';

const s = await signOnStage({ after });
const peer = await startPeer({ after });
const DOMAIN = 'heliograph.test';
const marketing = (
  await s.one<{ id: number }>('SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1', s.acme)
).id;
const [userRole, adminRole] = [await s.roleId('corporate_user'), await s.roleId('corporate_admin')];
const { id, key } = await s.provider({
  issuer: peer.issuer,
  scopes: 'openid email profile groups',
  domains: [DOMAIN],
  creates_users: true,
  follows_groups: true,
  role_rules: [
    { group: 'sms-admins', role_id: adminRole, department_id: null },
    { group: 'sms', role_id: userRole, department_id: marketing },
  ],
});
peer.open({ redirect_uri: `http://127.0.0.1:8080/sso/${key}`, logout_uri: `${s.api.url}/api/v1/sso/${key}/logout` });

const know = (sub: string, email: string, groups: string[] = [], more = {}) =>
  peer.people.set(sub, { sub, email, email_verified: true, name: `Person ${sub}`, groups, ...more });

/** Signs in at the provider as a person of it, and comes back. */
async function enter(sub: string, browser = new Browser(s.api)): Promise<Reply> {
  const at = await browser.beginAt({ email: `anybody@${DOMAIN}` });
  return browser.finish(key, await peer.visit(at, sub));
}

const person = (email: string, corporation = s.acme) =>
  s.one<{ id: number; role_id: number; scope_level: number; department_id: number | null; name: string } | undefined>(
    'SELECT id, role_id, scope_level, department_id, name FROM user_account WHERE email = $1 AND corporation_id = $2',
    email,
    corporation,
  );
const alive = async (token?: string) => (await s.api.anonymous(token)('GET', '/api/v1/profiles')).status === 200;
const actions = async (userId: number) =>
  (
    await s.owner.query(
      "SELECT description FROM activity_log WHERE subject_id = $1 AND subject_type = 'users' ORDER BY id",
      [userId],
    )
  ).rows.map(({ description }) => description as string);

test('a person without an account gets one, with the role of their group', async () => {
  know('n-1', `new.person@${DOMAIN}`, ['other', 'sms']);
  const entered = await enter('n-1');
  assert.deepEqual([entered.status, entered.verified], [200, true]);
  const made = (await person(`new.person@${DOMAIN}`))!;
  assert.deepEqual(
    [made.name, made.role_id, made.scope_level, made.department_id],
    ['Person n-1', userRole, 4, marketing],
  );
  assert.deepEqual(await actions(made.id), ['created by sign-in']);
  const again = await enter('n-1');
  assert.equal((await person(`new.person@${DOMAIN}`))!.id, made.id, 'the same account');
  assert.ok((await alive(entered.access_token)) && (await alive(again.access_token)));
  const { way } = await s.one<{ way: string }>('SELECT way FROM session WHERE user_id = $1 LIMIT 1', made.id);
  assert.equal(way, 'oidc');
  const byPassword = await s.api.anonymous()('POST', '/api/v1/oauth/token', {
    username: `new.person@${DOMAIN}`,
    password: DEMO_PASSWORD,
  });
  assert.equal(byPassword.status, 401, 'there is no password');
});

test('twenty first sign-ins at the same time make one account', async () => {
  know('n-2', `many@${DOMAIN}`, ['sms']);
  const browsers = Array.from({ length: 20 }, () => new Browser(s.api));
  const answers: Record<string, string>[] = [];
  for (const browser of browsers) answers.push(await peer.visit(await browser.beginAt({ key }), 'n-2'));
  const all = await Promise.all(browsers.map((browser, place) => browser.finish(key, answers[place]!)));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  const { count } = await s.one<{ count: number }>(
    'SELECT count(*)::int AS count FROM user_account WHERE email = $1',
    `many@${DOMAIN}`,
  );
  assert.equal(count, 1);
});

test('the role follows the groups, and people without a role are refused', async () => {
  know('n-3', `moves@${DOMAIN}`, ['sms-admins', 'sms']);
  await enter('n-3');
  const first = (await person(`moves@${DOMAIN}`))!;
  assert.deepEqual([first.role_id, first.scope_level], [adminRole, 2]);
  know('n-3', `moves@${DOMAIN}`, ['sms']);
  await enter('n-3');
  const second = (await person(`moves@${DOMAIN}`))!;
  assert.deepEqual([second.role_id, second.scope_level, second.department_id], [userRole, 4, marketing]);
  assert.deepEqual(await actions(first.id), ['created by sign-in', 'role followed groups']);
  know('n-3', `moves@${DOMAIN}`, []);
  assert.equal((await enter('n-3')).code, 'sign_on_no_role');
  know('n-4', `groupless@${DOMAIN}`, []);
  assert.equal((await enter('n-4')).code, 'sign_on_no_role');
  assert.equal(await person(`groupless@${DOMAIN}`), undefined);
  await s.change(id, { creates_users: false });
  know('n-5', `unknown@${DOMAIN}`, ['sms']);
  assert.equal((await enter('n-5')).code, 'sign_on_no_account');
  await s.change(id, { creates_users: true });
});

test('an account with the same email is connected in this corporation only', async () => {
  const { rows } = await s.owner.query<{ id: number }>(
    `INSERT INTO user_account (corporation_id, name, email, password_hash, role_id, scope_level)
     SELECT c.id, 'Same address', $1, (SELECT max(password_hash) FROM user_account), $2, 2 FROM corporation c WHERE c.id <> $3 ORDER BY c.id LIMIT 1 RETURNING id`,
    [`both@${DOMAIN}`, adminRole, s.acme],
  );
  know('n-6', `both@${DOMAIN}`, ['sms']);
  const { access_token, code } = await enter('n-6');
  assert.equal(code, undefined);
  const own = (await person(`both@${DOMAIN}`))!;
  assert.notEqual(own.id, rows[0]!.id);
  const profile = await s.api.anonymous(access_token)('GET', '/api/v1/profiles');
  assert.equal((profile.body as { profile: { id: number } }).profile.id, own.id);
  const { count } = await s.one<{ count: number }>(
    'SELECT count(*)::int AS count FROM external_identity WHERE user_id = $1',
    rows[0]!.id,
  );
  assert.equal(count, 0, 'the person of the other tenant was not touched');
  know('user-1', `user@${DOMAIN}`, ['sms']);
  assert.equal((await enter('user-1')).status, 200);
  const user = (await person(`user@${DOMAIN}`))!;
  assert.ok((await actions(user.id)).includes('identity connected'));
  know('user-2', `user@${DOMAIN}`, ['sms']);
  assert.equal((await enter('user-2')).code, 'sign_on_other_person', 'the address was given to somebody else');
});

test('suspended people, and people of a suspended corporation, are refused', async () => {
  know('n-7', `suspended@${DOMAIN}`, ['sms']);
  await enter('n-7');
  await s.owner.query('UPDATE user_account SET enabled = false WHERE email = $1', [`suspended@${DOMAIN}`]);
  assert.equal((await enter('n-7')).code, 'account_disabled');
  know('n-1', `new.person@${DOMAIN}`, ['sms']);
  await s.owner.query('UPDATE corporation SET enabled = false WHERE id = $1', [s.acme]);
  assert.equal((await enter('n-1')).code, 'account_disabled');
  await s.owner.query('UPDATE corporation SET enabled = true WHERE id = $1', [s.acme]);
  assert.equal((await enter('n-1')).status, 200);
});

test('a logout at the provider ends exactly the sessions that it began', async () => {
  const [mine, other] = [await enter('n-1'), await enter('n-2')];
  assert.ok((await alive(mine.access_token)) && (await alive(other.access_token)));
  await peer.logOut('n-1');
  assert.deepEqual([await alive(mine.access_token), await alive(other.access_token)], [false, true]);
});

test('used and foreign codes, and requests without their PKCE challenge, are refused', async () => {
  const [one, two] = [new Browser(s.api), new Browser(s.api)];
  const first = await peer.visit(await one.beginAt({ key }), 'n-2');
  assert.equal((await one.finish(key, first)).status, 200);
  const second = await peer.visit(await two.beginAt({ key }), 'n-2');
  assert.equal((await two.finish(key, { ...second, code: first['code']! })).code, 'sign_on_failed', 'used');
  const [three, four] = [new Browser(s.api), new Browser(s.api)];
  const stolen = await peer.visit(await three.beginAt({ key }), 'n-1');
  const own = await peer.visit(await four.beginAt({ key }), 'n-2');
  assert.equal((await four.finish(key, { ...own, code: stolen['code']! })).code, 'sign_on_failed', 'injected');
  const five = new Browser(s.api);
  const at = await five.beginAt({ key });
  at.searchParams.delete('code_challenge');
  at.searchParams.delete('code_challenge_method');
  const downgraded = await peer.visit(at, 'n-2');
  assert.notEqual((await five.finish(key, downgraded)).status, 200, 'downgraded');
});

test('a required provider leaves only emergency access with a second factor', async () => {
  const password = async (who: string) => {
    const { status, body } = await s.api.anonymous()('POST', '/api/v1/oauth/token', {
      username: `${who}@${DOMAIN}`,
      password: DEMO_PASSWORD,
    });
    const { code, verified, second_factor, access_token } = body as Reply & { second_factor?: string };
    return { status, code, verified, second_factor, access_token };
  };
  const refused = await s.change(id, { enforced: true });
  assert.equal(refused.status, 422, 'somebody must have emergency access');
  const corporate = (await person(`corporate@${DOMAIN}`))!;
  assert.equal((await s.change(id, { enforced: true, break_glass_ids: [corporate.id] })).status, 200);
  assert.equal((await password('user')).code, 'sign_on_required');
  const wrong = await s.api.anonymous()('POST', '/api/v1/oauth/token', {
    username: `user@${DOMAIN}`,
    password: 'Wrong#2026',
  });
  assert.equal((wrong.body as Reply).code, 'wrong_credentials', 'strangers learn nothing');
  assert.equal((await password('reseller')).status, 200, 'people of other corporations are free');
  const entered = await password('corporate');
  assert.deepEqual([entered.status, entered.verified, entered.second_factor], [200, false, 'otp']);
  assert.equal(await alive(entered.access_token), false);
  assert.ok(!(await actions(corporate.id)).includes('emergency sign-in'));
  const { id: challenge, session_id } = await s.one<{ id: string; session_id: string }>(
    'SELECT id, session_id FROM otp_challenge WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    corporate.id,
  );
  const { codeOf } = await import('../../src/modules/identity/second-factor.ts');
  const { secretKey } = await import('../../src/platform/process/seal.ts');
  const code = codeOf(secretKey(s.api.config), challenge);
  assert.equal((await s.api.anonymous(entered.access_token)('POST', '/api/v1/otp/verify', { code })).status, 200);
  assert.equal(await alive(entered.access_token), true);
  assert.ok((await actions(corporate.id)).includes('emergency sign-in'));
  const jobs = await s.owner.query("SELECT data FROM jobs.job WHERE name = 'mail-emergency-sign-in'");
  assert.deepEqual(
    jobs.rows.map(({ data }) => data.session_id),
    [session_id],
  );
  const worker = s.api.database.db('worker');
  await mailEmergency({ database: worker, config: s.api.config, log: s.api.log }, session_id);
  const folder = join(s.api.config.DATA_DIR, 'mail');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  assert.ok(mails.some((mail) => mail.includes(`To: corporate@${DOMAIN}`) && mail.includes('Emergency sign-in')));
  assert.equal((await enter('user-1')).status, 200, 'the provider itself works');
  await s.change(id, { enforced: false });
  assert.equal((await password('user')).status, 200);
});

test('begin tells only whether a domain has a provider, and leads to the right host', async () => {
  const at = (email: string) => new Browser(s.api).begin({ email });
  assert.deepEqual((await at(`nobody@elsewhere.test`)).url, null);
  const [known, unknown] = [await at(`user@${DOMAIN}`), await at(`no.such.person@${DOMAIN}`)];
  const shape = ({ url }: Reply) => new URL(url!).origin + new URL(url!).pathname;
  assert.equal(shape(known), shape(unknown));
  const host = { host: 'localhost:1' };
  const { body } = await s.api.anonymous()('POST', '/api/v1/sso/begin', { key }, host);
  assert.ok((body as Reply).url, 'another host is led to ours');
  await s.change(id, { enabled: false });
  assert.equal((await at(`user@${DOMAIN}`)).url, null);
  assert.equal((await new Browser(s.api).begin({ key })).status, 404);
  await s.change(id, { enabled: true });
});
