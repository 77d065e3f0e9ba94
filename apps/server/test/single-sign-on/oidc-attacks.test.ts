import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JWTPayload } from 'jose';
import { type HostileProvider, startHostileProvider } from './hostile-provider.ts';
import { Browser, type Reply, signOnStage } from './stage.ts';

const s = await signOnStage({ after });
const hostile = await startHostileProvider({ after });
const { id, key } = await s.provider({ issuer: hostile.issuer, domains: ['heliograph.test'] });

interface Wrongs {
  claims?: JWTPayload;
  token?: Parameters<HostileProvider['sign']>[1];
  /** Parameters of the address to which the provider sends the browser back. */
  answer?: Record<string, string>;
}

/** Goes through a sign-in with a provider that does something wrong. */
async function enter(
  { claims = {}, token = {}, answer = {} }: Wrongs = {},
  browser = new Browser(s.api),
): Promise<Reply> {
  const at = await browser.beginAt({ email: 'user@heliograph.test' });
  const nonce = at.searchParams.get('nonce')!;
  const id_token = await hostile.sign(hostile.claims(nonce, claims), token);
  hostile.tokens({ access_token: 'access', token_type: 'bearer', id_token });
  return browser.finish(key, { code: 'a-code', state: at.searchParams.get('state')!, ...answer });
}

const sessions = async () =>
  (await s.one<{ count: number }>("SELECT count(*)::int AS count FROM session WHERE way = 'oidc'")).count;

test('the right answer signs in, and each wrong one is refused without a session', async () => {
  assert.equal((await enter()).status, 200);
  const before = await sessions();
  const now = Math.floor(Date.now() / 1000);
  const wrongs: [string, Wrongs][] = [
    ['issuer of the token', { claims: { iss: 'https://evil.test' } }],
    ['issuer of the answer (mix-up)', { answer: { iss: 'https://evil.test' } }],
    ['audience', { claims: { aud: 'another-client' } }],
    ['several audiences for another party', { claims: { aud: ['console', 'other'], azp: 'other' } }],
    ['nonce of another sign-in', { claims: { nonce: 'another' } }],
    ['expired', { claims: { iat: now - 900, exp: now - 600 } }],
    ['no subject', { claims: { sub: undefined as unknown as string } }],
    ['no signature', { token: { alg: 'none' } }],
    ['signature with the public key as a secret', { token: { alg: 'HS256' } }],
    ['key of somebody else', { token: { stranger: true } }],
    ['email that was not verified', { claims: { sub: 'unverified', email_verified: false } }],
    ['email of which nothing is known', { claims: { sub: 'unknown', email_verified: undefined } }],
    ['domain that was not proved', { claims: { sub: 'elsewhere', email: 'user@elsewhere.test' } }],
    ['domain that ends like a proved one', { claims: { sub: 'suffix', email: 'user@evil-heliograph.test' } }],
    ['no email', { claims: { sub: 'nobody', email: undefined } }],
  ];
  for (const [what, wrong] of wrongs) {
    const { status, code } = await enter(wrong);
    assert.notEqual(status, 200, what);
    assert.match(code!, /^sign_on_(failed|email_unverified|email_domain)$/, what);
  }
  assert.equal(await sessions(), before);
  const { last_fault } = await s.get(id);
  assert.equal(last_fault, 'sign_on_email_domain', 'administrators see the reason');
});

test('an answer counts once, and only in the browser that asked for it', async () => {
  const [victim, thief] = [new Browser(s.api), new Browser(s.api)];
  const at = await victim.beginAt({ email: 'user@heliograph.test' });
  const state = at.searchParams.get('state')!;
  const id_token = await hostile.sign(hostile.claims(at.searchParams.get('nonce')!));
  hostile.tokens({ access_token: 'access', token_type: 'bearer', id_token });
  const asked = hostile.asked.length;
  assert.equal((await thief.finish(key, { code: 'a-code', state })).code, 'sign_on_failed', 'another browser');
  assert.equal((await victim.finish(key, { code: 'a-code' })).code, 'sign_on_failed', 'no state');
  assert.equal((await victim.finish(key, { code: 'a-code', state: `${state}x` })).code, 'sign_on_failed');
  assert.equal(hostile.asked.length, asked, 'no code was sent to the provider');
  thief.steal(victim);
  const both = await Promise.all([
    victim.finish(key, { code: 'a-code', state }),
    thief.finish(key, { code: 'a-code', state }),
  ]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422], 'the same answer twice at the same time');
  assert.equal((await victim.finish(key, { code: 'a-code', state })).code, 'sign_on_failed', 'replayed');
});

test('the answer of one provider is worth nothing at another', async () => {
  const other = await startHostileProvider({ after });
  const second = await s.provider({ issuer: other.issuer, domains: [] });
  const browser = new Browser(s.api);
  const at = await browser.beginAt({ email: 'user@heliograph.test' });
  const id_token = await hostile.sign(hostile.claims(at.searchParams.get('nonce')!));
  hostile.tokens({ access_token: 'access', token_type: 'bearer', id_token });
  const state = at.searchParams.get('state')!;
  const asked = other.asked.length;
  assert.equal((await browser.finish(second.key, { code: 'a-code', state })).code, 'sign_on_failed');
  assert.equal(other.asked.length, asked, 'the code of the first did not reach the second');
});

test('every sign-in has its own PKCE verifier, state and nonce', async () => {
  const seen = new Set<string>();
  for (let time = 0; time < 3; time++) {
    const browser = new Browser(s.api);
    const at = await browser.beginAt({ email: 'user@heliograph.test' });
    assert.equal(at.searchParams.get('code_challenge_method'), 'S256');
    assert.equal(at.searchParams.get('response_type'), 'code');
    for (const name of ['code_challenge', 'state', 'nonce']) seen.add(at.searchParams.get(name)!);
    await browser.finish(key, { code: 'a-code', state: at.searchParams.get('state')! });
    const verifier = hostile.asked.at(-1)!.get('code_verifier')!;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    assert.equal(Buffer.from(digest).toString('base64url'), at.searchParams.get('code_challenge'));
  }
  assert.equal(seen.size, 9);
});

test('a provider without PKCE, or with another issuer, is not used', async () => {
  for (const description of [{ code_challenge_methods_supported: ['plain'] }, { issuer: 'https://evil.test' }]) {
    const weak = await startHostileProvider({ after });
    weak.description = description;
    const made = await s.provider({ issuer: weak.issuer });
    assert.equal((await new Browser(s.api).begin({ key: made.key })).code, 'sign_on_unreachable');
    const { body } = await s.corporate('POST', `/api/v1/identity-providers/${made.id}/test`);
    assert.equal((body as { data: { ok: boolean } }).data.ok, false);
  }
});

test('the screen that opens afterwards is always one of our own', async () => {
  const outside = [
    'https://evil.test',
    '//evil.test',
    '/\\evil.test',
    '/a\\b',
    'javascript:alert(1)',
    '/\t/evil.test',
    '',
  ];
  for (const from of outside) {
    const { status } = await new Browser(s.api).begin({ email: 'user@heliograph.test', from });
    assert.equal(status, 422, from);
  }
  const browser = new Browser(s.api);
  const at = await browser.beginAt({ email: 'user@heliograph.test', from: '/campaigns?page=2' });
  const id_token = await hostile.sign(hostile.claims(at.searchParams.get('nonce')!));
  hostile.tokens({ access_token: 'access', token_type: 'bearer', id_token });
  const { from } = await browser.finish(key, { code: 'a-code', state: at.searchParams.get('state')! });
  assert.equal(from, '/campaigns?page=2');
});

test('addresses inside private networks, and those without TLS, are not called', async () => {
  const create = (issuer: string) =>
    s.corporate('POST', '/api/v1/identity-providers', { name: issuer.slice(0, 60), issuer, client_id: 'console' });
  for (const issuer of [
    'http://login.example.com',
    'ftp://login.example.com',
    'https://a@login.example.com',
    'https://x.test/?a',
  ])
    assert.equal((await create(issuer)).status, 422, issuer);
  const made = await create('https://10.0.0.1');
  const { id: inside } = (made.body as { data: { id: number } }).data;
  const { body } = await s.corporate('POST', `/api/v1/identity-providers/${inside}/test`);
  const { ok, fault } = (body as { data: { ok: boolean; fault: string } }).data;
  assert.equal(ok, false);
  assert.match(fault, /address_not_allowed/);
});

test('only the logout token that the provider made now ends sessions, once', async () => {
  const enterNow = async (claims: JWTPayload) => (await enter({ claims })).access_token!;
  const sid = crypto.randomUUID();
  const [gone, kept] = [await enterNow({ sid }), await enterNow({ sid: 'another' })];
  const alive = async (token: string) => (await s.api.anonymous(token)('GET', '/api/v1/profiles')).status === 200;
  const event = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const right = () => {
    const { iss, aud, iat, exp } = hostile.claims('');
    return { iss, aud, iat, exp, jti: crypto.randomUUID(), sid, events: event } as JWTPayload;
  };
  const send = async (token: string, at = key) =>
    (
      await fetch(`${s.api.url}/api/v1/sso/${at}/logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      })
    ).status;
  const now = Math.floor(Date.now() / 1000);
  const wrongs: [string, JWTPayload, Parameters<HostileProvider['sign']>[1]?][] = [
    ['nonce: an ID token', { ...right(), nonce: 'n' }],
    ['no event', { ...right(), events: undefined }],
    ['no session and no subject', { ...right(), sid: undefined }],
    ['no jti', { ...right(), jti: undefined as unknown as string }],
    ['audience', { ...right(), aud: 'other' }],
    ['issuer', { ...right(), iss: 'https://evil.test' }],
    ['expired', { ...right(), iat: now - 1_000, exp: now - 900 }],
    ['old', { ...right(), iat: now - 1_000, exp: now + 900 }],
    ['without a signature', right(), { alg: 'none' }],
    ['public key as a secret', right(), { alg: 'HS256' }],
    ['key of somebody else', right(), { stranger: true }],
  ];
  for (const [what, claims, options] of wrongs)
    assert.equal(await send(await hostile.sign(claims, options)), 400, what);
  assert.equal(await send(await hostile.sign(right()), crypto.randomUUID()), 404);
  assert.deepEqual([await alive(gone), await alive(kept)], [true, true]);
  const token = await hostile.sign(right(), { type: 'logout+jwt' });
  assert.equal(await send(token), 200);
  assert.deepEqual([await alive(gone), await alive(kept)], [false, true], 'exactly the session of its sid');
  assert.equal(await send(token), 400, 'the same token again');
  const { iss, aud, iat, exp } = hostile.claims('');
  const all = { iss, aud, iat, exp, jti: crypto.randomUUID(), sub: 'subject-1', events: event } as JWTPayload;
  assert.equal(await send(await hostile.sign(all)), 200);
  assert.equal(await alive(kept), false, 'all sessions of the subject');
});
