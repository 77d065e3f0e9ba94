import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryMapping } from '@heliograph/contract/links/http-calls';
import { ANSWER_MEANINGS, answerRule, HTTP_FORMS, httpMapping } from '@heliograph/contract/links/http-mapping';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { tryHttpMapping } from '#modules/delivery';
import { AnswerReader, retryAfterMs } from '../../src/modules/delivery/http-links/read-answer.ts';

const ADDRESSES = { receipts: 'https://us.example/r', replies: 'https://us.example/i' };
const NOW = Date.UTC(2026, 0, 1);
const read = (form: keyof typeof HTTP_PRESETS, status: number, body: string) =>
  new AnswerReader(HTTP_PRESETS[form].mapping).read(status, body, ['639170000001'])[0]!;
const faultsOf = (change: object) => {
  const { error } = httpMapping.safeParse({ ...HTTP_PRESETS.get.mapping, ...change });
  return error?.issues.map(({ message }) => message) ?? [];
};

test('each form of API is a valid mapping', () => {
  for (const form of HTTP_FORMS.filter((each) => each !== 'own')) {
    assert.deepEqual(httpMapping.safeParse(HTTP_PRESETS[form].mapping).error, undefined, form);
  }
});

test('answers of known APIs mean what their documentation says', () => {
  assert.deepEqual(read('kannel', 202, '0: Accepted for delivery'), { means: 'accepted', id: undefined });
  assert.equal(read('kannel', 503, 'Temporal failure, try again later.').means, 'temporary');
  assert.equal(read('kannel', 403, 'Authorization failed').means, 'account');
  assert.deepEqual(read('twilio', 201, '{"sid":"SM1","status":"queued"}'), { means: 'accepted', id: 'SM1' });
  assert.equal(read('twilio', 400, '{"code":21211}').means, 'refused_number');
  assert.equal(read('twilio', 400, '{"code":1}').means, 'refused');
  const infobip = (status: object) => JSON.stringify({ messages: [{ to: '639170000001', messageId: 'm', status }] });
  assert.deepEqual(read('infobip', 200, infobip({ groupName: 'PENDING' })), { means: 'accepted', id: 'm' });
  assert.equal(
    read('infobip', 200, infobip({ groupName: 'REJECTED', name: 'REJECTED_SENDER' })).means,
    'refused_sender',
  );
  assert.equal(read('infobip', 200, '{"messages":[]}').means, 'unknown', 'a message without an answer is uncertain');
  const vonage = (status: string) => JSON.stringify({ messages: [{ status, 'message-id': 'v' }] });
  assert.deepEqual(read('vonage', 200, vonage('0')), { means: 'accepted', id: 'v' });
  assert.equal(read('vonage', 200, vonage('1')).means, 'throttled');
  assert.equal(read('vonage', 200, vonage('15')).means, 'refused_sender');
  assert.deepEqual(read('get', 200, 'OK abc-1'), { means: 'accepted', id: 'abc-1' });
});

test('an answer that does not prove a refusal never lets a message leave again', () => {
  for (const form of ['kannel', 'twilio', 'infobip', 'vonage', 'get'] as const) {
    for (const status of [408, 500, 502, 504]) assert.equal(read(form, status, 'oops').means, 'unknown', form);
    assert.equal(read(form, 429, '').means, 'throttled');
    assert.equal(read(form, 302, '').means, 'account');
  }
  assert.equal(read('get', 200, '<html>Welcome</html>').means, 'unknown');
});

test('lines of answers are read, and lines that are none are refused', () => {
  assert.deepEqual(answerRule('429 = throttled')?.status, '429');
  assert.equal(answerRule('2xx /^ERR (login)/ . = account')?.at, '/^ERR (login)/');
  for (const line of ['429', '429 = maybe', '42 = accepted', '2xx a..b x = accepted', '2xx a (?=x) = accepted'])
    assert.equal(answerRule(line), undefined, line);
  for (const means of ANSWER_MEANINGS) assert.equal(answerRule(`* = ${means}`)?.means, means);
});

test('a mapping that leads elsewhere or cannot be read is refused', () => {
  assert.deepEqual(faultsOf({ url: 'https://{to}.example/send' }), ['http_url']);
  assert.deepEqual(faultsOf({ url: 'ftp://example.com/' }), ['http_url']);
  assert.deepEqual(faultsOf({ url: 'https://me:secret@example.com/' }), ['http_url']);
  assert.deepEqual(faultsOf({ fields: ['to={too}'] }), ['http_placeholder']);
  assert.deepEqual(faultsOf({ headers: ['X-A: b\r\nX-B: c'] }), ['http_line']);
  assert.deepEqual(faultsOf({ url: 'https://sms.example.com/../{to}' }), ['http_url']);
  for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'Proxy-Authorization'])
    assert.deepEqual(faultsOf({ headers: [`${name}: x`] }), ['http_reserved_header'], name);
  assert.deepEqual(faultsOf({ auth: 'header', auth_name: 'Host' }), ['http_reserved_header']);
  assert.deepEqual(faultsOf({ id: '/(?=a)b/' }), ['http_selector']);
  assert.deepEqual(faultsOf({ encoding: 'json', body: '{"to":' }), ['http_body']);
  assert.deepEqual(faultsOf({ receipts: ['colour=red'] }), ['http_value_line']);
});

test('a try shows each request without the password, and what is read', () => {
  const ask = (form: keyof typeof HTTP_PRESETS, more: object = {}) => {
    const { mapping, long_messages, receipt_words } = HTTP_PRESETS[form];
    const http = { ...mapping, user: 'acme' };
    const body = { http, long_messages, receipt_words, text: 'Grüße €', ...more };
    return tryHttpMapping(tryMapping.body.parse(body), ADDRESSES, NOW);
  };
  const [kannel] = ask('kannel').requests;
  assert.match(kannel!.url, /&to=639170000001&text=Gr%C3%BC%C3%9Fe%20%E2%82%AC&/);
  assert.match(kannel!.url, /username=acme&password=PASSWORD/);
  const parts = ask('kannel', { text: 'x'.repeat(200) }).requests;
  assert.deepEqual(
    parts.map(({ url }) => /udh=([^&]*)/.exec(url)?.[1]),
    ['%05%00%03%01%02%01', '%05%00%03%01%02%02'],
  );
  const [twilio] = ask('twilio').requests;
  assert.ok(twilio!.headers.some(({ value }) => value === 'Basic PASSWORD'));
  assert.match(twilio!.body, /To=%2B639170000001/);
  const [infobip] = ask('infobip').requests;
  assert.deepEqual((JSON.parse(infobip!.body) as { messages: object[] }).messages.length, 1);
  assert.equal(
    ask('infobip', { said: '{"messages":[{"to":"639170000001","messageId":"m","status":{"groupName":"PENDING"}}]}' })
      .answer?.id,
    'm',
  );
  const receipt = ask('vonage', {
    kind: 'receipts',
    said: 'msisdn=639170000001&messageId=v1&status=delivered&err-code=0',
  });
  assert.deepEqual(
    receipt.read?.map(({ id, state }) => [id, state]),
    [['v1', 'delivered → delivered']],
  );
  assert.deepEqual(ask('vonage', { kind: 'replies', said: 'nothing' }).read, []);
});

test('Retry-After is read as seconds or a date, and has an end', () => {
  assert.equal(retryAfterMs('7', NOW), 7_000);
  assert.equal(retryAfterMs(new Date(NOW + 9_000).toUTCString(), NOW), 9_000);
  assert.equal(retryAfterMs('86400', NOW), 300_000);
  assert.equal(retryAfterMs('soon', NOW), 0);
  assert.equal(retryAfterMs(null, NOW), 0);
});
