import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { makeSamlPeer, publicKeyOf } from './saml-peer.ts';
import { bring, newBrowser } from './saml-stage.ts';
import { signOnStage } from './stage.ts';

const s = await signOnStage({ after });
const peer = await makeSamlPeer();
const marketing = (
  await s.one<{ id: number }>('SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1', s.acme)
).id;
const userRole = await s.roleId('corporate_user');
const { id, key } = await s.provider({
  protocol: 'saml',
  entity_id: peer.issuer,
  sso_url: peer.sso_url,
  certificates: peer.certificate,
  client_id: null,
  client_secret: null,
  domains: ['heliograph.test'],
  creates_users: true,
  role_rules: [{ group: 'sms', role_id: userRole, department_id: marketing }],
});
const OURS = `http://127.0.0.1:8080/api/v1/sso/${key}`;

test('a person comes in by SAML and gets an account with the role of their group', async () => {
  const browser = newBrowser(s);
  const at = await browser.beginAt({ email: 'anna@heliograph.test', from: '/campaigns' });
  assert.equal(at.href.startsWith(`${peer.sso_url}&SAMLRequest=`), true, 'the query of the address stays');
  const posted = await peer.respond(at, {
    id: 'anna-1',
    email: 'anna@heliograph.test',
    name: 'Anna Cruz',
    groups: ['other', 'sms'],
  });
  const reply = await bring(s, key, posted, browser);
  assert.deepEqual([reply.status, reply.verified, reply.from], [200, true, '/campaigns']);
  const made = await s.one<{ name: string; role_id: number; way: string; session: string }>(
    `SELECT u.name, u.role_id, s.way, p.name AS session FROM user_account u JOIN session s ON s.user_id = u.id
     JOIN provider_session p ON p.session_id = s.id WHERE u.email = 'anna@heliograph.test'`,
  );
  assert.deepEqual(made, { name: 'Anna Cruz', role_id: userRole, way: 'saml', session: '_session-anna-1' });
});

test('encrypted assertions, and responses that are signed too, are read', async () => {
  const { own_certificate } = await s.one<{ own_certificate: string }>(
    'SELECT own_certificate FROM identity_provider WHERE id = $1',
    id,
  );
  const encryption = { encryptionCert: own_certificate, encryptionPublicKey: publicKeyOf(own_certificate) };
  for (const [what, wrongs] of [
    ['encrypted', encryption],
    ['both signed', { signResponse: true }],
    ['encrypted and both signed', { ...encryption, signResponse: true }],
  ] as const) {
    const browser = newBrowser(s);
    const at = await browser.beginAt({ email: 'a@heliograph.test' });
    const posted = await peer.respond(at, { id: 'anna-1', email: 'anna@heliograph.test', groups: ['sms'] }, wrongs);
    assert.equal((await bring(s, key, posted, browser)).status, 200, what);
  }
});

test('our metadata names us, and a signed request is what it promises', async () => {
  const metadata = async () => {
    const { body, headers } = await s.api.anonymous()('GET', `/api/v1/sso/${key}/metadata`);
    assert.match(headers.get('content-type')!, /samlmetadata/);
    return String(body);
  };
  const xml = await metadata();
  assert.ok(xml.includes(`entityID="${OURS}/metadata"`) && xml.includes(`Location="${OURS}/acs"`));
  assert.ok(xml.includes('WantAssertionsSigned="true"') && xml.includes('use="encryption"'));
  assert.ok(!xml.includes('PRIVATE') && !xml.includes('use="signing"'));
  const begin = async () => (await newBrowser(s).beginAt({ email: 'a@heliograph.test' })).searchParams;
  assert.equal((await begin()).has('Signature'), false);
  await s.change(id, { signs_requests: true });
  assert.ok((await metadata()).includes('use="signing"'));
  const signed = await begin();
  assert.match(signed.get('SigAlg')!, /rsa-sha256$/);
  const request = inflateRawSync(Buffer.from(signed.get('SAMLRequest')!, 'base64')).toString();
  assert.ok(request.includes(`${OURS}/acs`) && request.includes(signed.get('RelayState')!));
});

test('the metadata of a provider is read, and bad metadata is refused', async () => {
  const read = (metadata: string) => s.corporate('POST', '/api/v1/identity-providers/metadata', { metadata });
  const good = await read(await peer.metadata());
  assert.equal(good.status, 200, JSON.stringify(good.body));
  const { data } = good.body as { data: { entity_id: string; sso_url: string; certificates: string } };
  assert.equal(data.entity_id, peer.issuer);
  assert.match(data.sso_url, /^https:\/\/idp\.example\.com\/sso/);
  assert.equal(data.certificates.replace(/\s/g, ''), peer.certificate.replace(/\s/g, ''));
  for (const bad of [
    'not xml',
    '<a/>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><EntityDescriptor entityID="a"/><EntityDescriptor entityID="b"/></EntitiesDescriptor>`,
  ])
    assert.equal((await read(bad)).status, 422, bad);
});

test('a provider of SAML needs its name, its address and usable certificates', async () => {
  const whole = { entity_id: peer.issuer, sso_url: peer.sso_url, certificates: peer.certificate };
  for (const [fields, field] of [
    [{ ...whole, entity_id: null }, 'entity_id'],
    [{ ...whole, sso_url: null }, 'sso_url'],
    [{ ...whole, certificates: null }, 'certificates'],
    [{ ...whole, certificates: 'no certificate' }, 'certificates'],
    [{ ...whole, sso_url: 'http://idp.example.com' }, 'sso_url'],
  ] as const) {
    const { status, body } = await s.corporate('POST', '/api/v1/identity-providers', {
      name: field,
      protocol: 'saml',
      ...fields,
    });
    assert.equal(status, 422, field);
    assert.deepEqual(Object.keys((body as { errors: object }).errors), [field]);
  }
  const { body } = await s.corporate('POST', `/api/v1/identity-providers/${id}/test`);
  assert.deepEqual((body as { data: { ok: boolean; keys: number } }).data.keys, 1);
});
