import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findHosts } from '../../src/modules/moderation/find-links.ts';
import { WebRules } from '../../src/modules/moderation/web-rules.ts';

const hosts = (text: string) => findHosts(text).map(({ host }) => host);
const rule = (
  ascii: string,
  more: { subdomains?: boolean; verdict?: string; corporation_id?: number | null } = {},
) => ({
  ascii,
  subdomains: true,
  verdict: 'allowed',
  corporation_id: 1 as number | null,
  sender_id_name: null,
  ...more,
});
const rules = new WebRules(
  'enforced',
  new Map([[9, 'off']]),
  [
    rule('bigbank.com'),
    rule('exact.com.ph', { subdomains: false }),
    rule('elsewhere.net', { corporation_id: 2 }),
    rule('everybody.org', { corporation_id: null }),
    rule('bad.everybody.org', { corporation_id: null, verdict: 'refused' }),
    { ...rule('promo.shop'), sender_id_name: 'PROMO' },
  ],
  ['go.example.com'],
);
const check = rules.of(1, 'BANK')!;
const reason = (text: string) => check.find(text)?.reason ?? null;

test('links of a text are found as phones find them', () => {
  const expected: Record<string, string[]> = {
    'See https://BigBank.com/a?next=evil.com, now': ['bigbank.com'],
    'bigbank.com.': ['bigbank.com'],
    'BIGBANK.COM!': ['bigbank.com'],
    '(www.bigbank.com)': ['www.bigbank.com'],
    'http://bigbank.com@evil.com/a': ['evil.com'],
    'http://bigbank.com:80@evil.com:8080/a': ['evil.com'],
    'http://bigbank.com\\@evil.com': ['bigbank.com', 'evil.com'],
    'http://0x7f.1/ http://3232235777/x http://[::1]:80/ 192.0.2.7': ['127.0.0.1', '192.168.1.1', '[::1]', '192.0.2.7'],
    'http://%65vil.com./': ['evil.com'],
    'ｅｖｉｌ．ｃｏｍ evil。com': ['evil.com'],
    'e\u200bvil.c\u2060om ht\u200btp://ev\u00adil.net': ['evil.net', 'evil.com'],
    'bіgbank.com': ['xn--bgbank-pvf.com'],
    '请访问bigbank.com查看。谢谢': ['bigbank.com'],
    'bigbank.com/evil.net then other.net:8080/x': ['bigbank.com', 'other.net'],
    'wait...evil.com': ['evil.com'],
    'Mail juan.cruz@evil.com or P1,000.50 on 1.5.24 at 9 a.m. e.g. U.S. file.txt': [],
    'mail@evil.com/login': ['evil.com'],
    'Nothing here. 你好。世界': [],
  };
  for (const [text, found] of Object.entries(expected)) assert.deepEqual(hosts(text), found, text);
});

test('only allowed domains pass, and each other one has its reason', () => {
  const expected: Record<string, string | null> = {
    'bigbank.com and https://pay.bigbank.com/x': null,
    'exact.com.ph': null,
    'www.exact.com.ph': 'not_allowed',
    'bigbank.com.evil.net': 'not_allowed',
    'notbigbank.com.ph': 'not_allowed',
    'elsewhere.net': 'not_allowed',
    'everybody.org': null,
    'x.bad.everybody.org': 'refused',
    'go.example.com/s/abcdefghij': null,
    'bit.ly/x': 'shortener',
    'http://192.0.2.7/': 'address',
    'b1gbank.com': 'look_alike',
    'bigbank.net': 'look_alike',
    'bigbnak.com': 'look_alike',
    'big-bank.com': 'look_alike',
    'bіgbаnk.com': 'look_alike',
    'promo.shop': 'not_allowed',
  };
  for (const [text, why] of Object.entries(expected)) assert.equal(reason(text), why, text);
  assert.equal(rules.of(1, 'PROMO')!.find('promo.shop'), null);
  assert.equal(rules.of(9, 'BANK'), null);
});

/** Ways to write a host that leads to the same place. */
const written = (host: string) =>
  fc.oneof(
    fc.constantFrom('', 'http://', 'HTTPS://', 'https://user:pw@', 'http://bigbank.com@').map((lead) => lead + host),
    fc
      .constantFrom(':443', '/', '/path.html?a=b', '#x', '.', '...', ',', ')', ' ')
      .map((end) => `https://${host}${end}`),
    fc
      .array(fc.boolean(), { minLength: 40, maxLength: 40 })
      .map((upper) => [...host].map((each, at) => (upper[at] ? each.toUpperCase() : each)).join('')),
    fc.nat(host.length).map((at) => `http://${host.slice(0, at)}\u200b${host.slice(at)}/`),
    fc
      .nat(host.length - 1)
      .map((at) => `http://${host.slice(0, at)}%${host.charCodeAt(at).toString(16)}${host.slice(at + 1)}/`),
    fc.constant(
      host.replaceAll(/[a-z.]/g, (each) => (each === '.' ? '．' : String.fromCharCode(each.charCodeAt(0) + 0xfee0))),
    ),
  );
const label = fc.stringMatching(/^[a-z][a-z0-9]{2,11}$/);
const around = fc.constantFrom('', 'Dear Ana, visit ', '请访问 ', '(', '“');

test('a forbidden domain never passes and an allowed one always does, however written', () => {
  const forbidden = fc
    .tuple(label, fc.constantFrom('com', 'net', 'com.ph', 'xyz', 'co.uk'))
    .map((all) => all.join('.'));
  const texts = (host: fc.Arbitrary<string>) =>
    fc.tuple(around, host.chain(written), around).map(([before, link, behind]) => `${before}${link} ${behind}`);
  fc.assert(
    fc.property(texts(forbidden.filter((host) => !['bigbank.com', 'exact.com.ph'].includes(host))), (text) => {
      assert.notEqual(reason(text), null, text);
    }),
    { numRuns: 1_000 },
  );
  const allowed = fc.oneof(
    fc.constant('bigbank.com'),
    label.map((sub) => `${sub}.bigbank.com`),
  );
  fc.assert(
    fc.property(texts(allowed), (text) => assert.equal(reason(text), null, text)),
    { numRuns: 1_000 },
  );
});

test('a long hostile text is searched in linear time', () => {
  const begin = performance.now();
  for (const text of ['a.', 'http://', 'a@', '..', '。a', 'x'].map((piece) => piece.repeat(20_000))) findHosts(text);
  assert.ok(performance.now() - begin < 5_000);
});
