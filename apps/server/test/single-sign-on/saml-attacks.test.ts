import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeSamlPeer, type Posted, type SamlPerson, type Wrongs } from './saml-peer.ts';
import { bring, newBrowser, post } from './saml-stage.ts';
import { signOnStage } from './stage.ts';

const s = await signOnStage({ after });
const [peer, stranger] = [await makeSamlPeer(), await makeSamlPeer('stranger')];
const registration = {
  protocol: 'saml',
  entity_id: peer.issuer,
  sso_url: peer.sso_url,
  certificates: peer.certificate,
};
const { id, key } = await s.provider({
  ...registration,
  domains: ['heliograph.test'],
  client_id: null,
  client_secret: null,
});
const ME: SamlPerson = { id: 'user-1', email: 'user@heliograph.test' };
const VICTIM = 'corporate@heliograph.test';

/** Begins a sign-in and lets the provider answer it. */
async function answered(wrongs: Wrongs = {}, person = ME, by = peer) {
  const browser = newBrowser(s);
  const at = await browser.beginAt({ email: ME.email });
  return { browser, posted: await by.respond(at, person, wrongs) };
}

const read = ({ SAMLResponse }: Posted) => Buffer.from(SAMLResponse, 'base64').toString();
const write = (xml: string, { RelayState }: Posted): Posted => ({
  SAMLResponse: Buffer.from(xml).toString('base64'),
  RelayState,
});
const sessions = async () =>
  (await s.one<{ count: number }>("SELECT count(*)::int AS count FROM session WHERE way = 'saml'")).count;

/** Parts of a response from which forgeries are made. */
function partsOf(xml: string) {
  const [signed] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)!;
  const [signature] = /<Signature[\s\S]*<\/Signature>/.exec(signed)!;
  const bare = signed.replace(signature, '');
  const [, name] = / ID="([^"]+)"/.exec(signed)!;
  const evil = bare.replaceAll(name!, '_evil').replaceAll(ME.email, VICTIM).replaceAll('user-1', 'corporate-1');
  return { signed, signature, bare, evil, name: name! };
}

test('a response signs in once, and a forged one never', async () => {
  const right = await answered();
  const xml = read(right.posted);
  const { signed, signature, bare, evil, name } = partsOf(xml);
  assert.equal((await bring(s, key, right.posted, right.browser)).status, 200);
  assert.equal((await bring(s, key, right.posted, right.browser)).code, 'sign_on_failed', 'the same response again');
  const before = await sessions();
  const swap = (by: string) => xml.replace(signed, () => by);
  const inside = (outer: string, inner: string) =>
    outer.replace('</saml:Assertion>', () => `${inner}</saml:Assertion>`);
  const withObject = (content: string) =>
    signature.replace('</Signature>', () => `<Object>${content}</Object></Signature>`);
  const afterIssuer = (assertion: string, part: string) =>
    assertion.replace('</saml:Issuer>', () => `</saml:Issuer>${part}`);
  const forgeries: [string, string][] = [
    ['changed content', xml.replaceAll(ME.email, VICTIM)],
    ['no signature', swap(bare)],
    ['a forged assertion before the signed one', swap(evil + signed)],
    ['a forged assertion after the signed one', swap(signed + evil)],
    ['a forged assertion with the same id', swap(evil.replaceAll('_evil', name) + signed)],
    ['a forged assertion around the signed one', swap(inside(evil, signed))],
    ['the signature in a forged assertion, the signed one beside it', swap(afterIssuer(evil, signature) + bare)],
    ['the signed one in the signature of a forged one', swap(afterIssuer(evil, withObject(bare)))],
    ['the signed one in extensions', swap(`<samlp:Extensions>${signed}</samlp:Extensions>${evil}`)],
    ['a forged one in the signature of the signed one', swap(signed.replace(signature, () => withObject(evil)))],
    ['a response in a response', xml.replace(signed, () => evil + xml.replace(/<\?xml[^>]*\?>/, ''))],
    [
      'an external entity',
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${swap(signed.replace(ME.email, '&x;'))}`,
    ],
    ['entities of entities', `<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>${xml}`],
    ['no XML', 'not a response'],
    ['empty', ''],
  ];
  for (const [what, forged] of forgeries) {
    assert.notEqual(forged, xml, what);
    const fresh = newBrowser(s);
    await fresh.beginAt({ email: ME.email });
    const reply = await bring(s, key, write(forged, right.posted), right.browser);
    assert.notEqual(reply.status, 200, what);
  }
  assert.equal(await sessions(), before);
});

test('forgeries of a response that still waits are refused', async () => {
  // Each one has a request of its own, so that only the forgery can be the reason.
  const forge: [string, (xml: string) => string][] = [
    ['changed content', (xml) => xml.replaceAll(ME.email, VICTIM)],
    ['no signature', (xml) => xml.replace(partsOf(xml).signed, () => partsOf(xml).bare)],
    ['before', (xml) => xml.replace(partsOf(xml).signed, () => partsOf(xml).evil + partsOf(xml).signed)],
    ['after', (xml) => xml.replace(partsOf(xml).signed, () => partsOf(xml).signed + partsOf(xml).evil)],
    [
      'around',
      (xml) =>
        xml.replace(partsOf(xml).signed, () =>
          partsOf(xml).evil.replace('</saml:Assertion>', () => `${partsOf(xml).signed}</saml:Assertion>`),
        ),
    ],
    [
      'signature moved',
      (xml) =>
        xml.replace(
          partsOf(xml).signed,
          () =>
            partsOf(xml).evil.replace('</saml:Issuer>', () => `</saml:Issuer>${partsOf(xml).signature}`) +
            partsOf(xml).bare,
        ),
    ],
    ['a doctype', (xml) => `<!DOCTYPE r>${xml}`],
  ];
  for (const [what, change] of forge) {
    const { browser, posted } = await answered();
    const { state } = await post(s, key, write(change(read(posted)), posted));
    assert.equal(state, 'refused', what);
    assert.equal((await bring(s, key, posted, browser)).status, 200, `${what}: the untouched one is still good`);
  }
});

test('responses for others, of others, or out of time are refused', async () => {
  const wrongs: [string, Wrongs, SamlPerson?, typeof peer?][] = [
    ['audience', { audience: 'https://other.example.com' }],
    ['recipient', { recipient: 'https://other.example.com/acs' }],
    ['issuer', { issuer: 'https://evil.example.com' }],
    ['expired', { lifetimeInSeconds: -120 }],
    ['request of somebody else', { inResponseTo: `_${'0'.repeat(76)}` }],
    ['no request', { inResponseTo: '' }],
    ['only the response is signed', { signResponse: true, signAssertion: false }],
    ['nothing is signed', { signAssertion: false }],
    ['weak signature', { signatureAlgorithm: 'rsa-sha1', digestAlgorithm: 'sha1' }],
    ['key of somebody else', {}, ME, stranger],
    ['another provider’s key and our issuer', { issuer: peer.issuer }, ME, stranger],
  ];
  for (const [what, wrong, person, by] of wrongs) {
    const { posted } = await answered(wrong, person, by);
    assert.equal((await post(s, key, posted))['state'], 'refused', what);
  }
  assert.ok((await s.get(id)).last_fault, 'administrators see the reason');
  const { browser, posted } = await answered({}, { id: 'x', email: 'user@elsewhere.test' });
  assert.equal((await bring(s, key, posted, browser)).code, 'sign_on_email_domain');
});

test('a comment in a signed address does not cut it', async () => {
  const { browser, posted } = await answered({}, { id: 'sly', email: `${VICTIM}.evil.test` });
  const cut = read(posted).replaceAll(`${VICTIM}.evil.test`, `${VICTIM}<!---->.evil.test`);
  const reply = await bring(s, key, write(cut, posted), browser);
  assert.notEqual(reply.status, 200);
  const linked = await s.one<{ count: number }>(
    "SELECT count(*)::int AS count FROM external_identity WHERE subject = 'sly'",
  );
  assert.equal(linked.count, 0);
});

test('a response counts only in the browser that asked for it, and for its own request', async () => {
  const { browser, posted } = await answered();
  const carried = await post(s, key, posted);
  const thief = newBrowser(s);
  await thief.beginAt({ email: ME.email });
  assert.equal((await thief.finish(key, carried)).code, 'sign_on_failed', 'another browser');
  const other = await answered();
  assert.equal((await post(s, key, { ...other.posted, RelayState: posted.RelayState }))['state'], 'refused');
  const mine = await post(s, key, other.posted);
  const mixed = { state: mine['state']!, response: carried['response']! };
  assert.equal((await other.browser.finish(key, mixed)).code, 'sign_on_failed', 'the response of another request');
  assert.equal((await browser.finish(key, { ...carried, response: `${carried['response']}A` })).code, 'sign_on_failed');
  assert.equal((await post(s, key, {}))['state'], 'refused');
  const elsewhere = await fetch(`${s.api.url}/api/v1/sso/${crypto.randomUUID()}/acs`, { method: 'POST' });
  assert.equal(elsewhere.status, 404);
});
