import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { tryMapping } from '@heliograph/contract/links/http-calls';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { tryHttpMapping } from '#modules/delivery';
import { AnswerReader } from '../../src/modules/delivery/http-links/read-answer.ts';
import { documentOf, readCallback } from '../../src/modules/delivery/http-links/read-callback.ts';
import { until } from '../delivery/stage.ts';
import { httpStage } from './http-stage.ts';
import { ownHttpCarrier, ownMapping } from './own-http-carrier.ts';

const ADDRESSES = { receipts: 'https://us.example/r', replies: 'https://us.example/i' };
const BOMB = gzipSync(Buffer.alloc(50_000_000));

/** Answers without an end, too large, too slow or of somebody else, by the last digit of the number. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  1: (response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  2: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  3: (response) => response.writeHead(200, { 'x-long': 'h'.repeat(100_000) }).end('OK 3'),
  4: (response) => {
    const drip = setInterval(() => response.write(' '), 100);
    response.on('close', () => clearInterval(drip));
  },
  5: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>'),
  6: (response) => response.end('OK'),
  7: (response) => response.end(),
};

test('hostile answers neither resend a message nor hold up the others', async (t) => {
  const s = await httpStage(t);
  const ended = new Set<string>();
  const carrier = await ownHttpCarrier(t, ({ query, response }) => {
    const to = query.get('to')!;
    response.on('close', () => ended.add(to.slice(-1)));
    const answer = ANSWERS[to.slice(-1)];
    if (answer) answer(response);
    else response.end(`OK ${to}`);
  });
  await s.addHttpLink('get', carrier.port, { http: ownMapping(carrier.port), settings: { response_seconds: 2 } });
  await s.sender();
  const wanted = ['8', '9', ...Object.keys(ANSWERS)].map((digit) => ({ msisdn: `63918000000${digit}` }));
  const campaign = await s.campaign(wanted);
  await until('the honest answers are on record', async () => (await s.counters(campaign.id))['submitted'] === 2);
  await until('the answer without an end is cut off', () => ended.has('1'));
  await sleep(3_000);
  assert.equal(carrier.asked.length, wanted.length, 'none leaves again');
  assert.deepEqual(await s.states(), { submitted: wanted.length });
  const more = await s.campaign([8, 18, 28].map((end) => ({ msisdn: `6391700000${end}0` })));
  await until('the link still works', async () => (await s.counters(more.id))['submitted'] === 3);
});

test('documents that are nested or named to do harm are read without harm', () => {
  const { mapping } = HTTP_PRESETS.infobip;
  const reader = new AnswerReader(mapping);
  const deep = `{"messages":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}`;
  assert.equal(reader.read(200, deep, ['639170000001'])[0]!.means, 'unknown');
  const byExpression = new AnswerReader({ ...mapping, number: '', id: '/(id)/' });
  assert.equal(byExpression.read(200, deep, ['639170000001'])[0]!.means, 'unknown');
  const polluting = '{"__proto__":{"state":"DELIVRD"},"constructor":{"prototype":{"id":"1"}},"id":"1"}';
  const places = { ...mapping, receipts: ['id=id', 'state=state'] };
  assert.deepEqual(readCallback(places, 'receipts', documentOf('', 'application/json', polluting), 0), []);
  assert.equal(({} as { state?: string }).state, undefined);
});

test('an acceptance without the ID that the mapping names is no acceptance', () => {
  const read = (form: keyof typeof HTTP_PRESETS, status: number, body: string) =>
    new AnswerReader(HTTP_PRESETS[form].mapping).read(status, body, ['639170000001'])[0]!.means;
  assert.equal(read('twilio', 200, '<html>Maintenance</html>'), 'unknown');
  assert.equal(read('twilio', 201, '{"sid":"SM1"}'), 'accepted');
  assert.equal(read('get', 200, 'OK'), 'unknown');
  assert.equal(read('vonage', 200, '{"messages":[{"status":"0"}]}'), 'unknown');
  assert.equal(read('kannel', 200, '<html>Sign in</html>'), 'unknown');
  assert.equal(read('kannel', 200, 'Sent.'), 'accepted');
});

test('a sender ID or text adds no header, field or path of its own', () => {
  const evil = 'A\r\nX-Evil: 1';
  const ask = (http: object, text = evil) => {
    const body = tryMapping.body!.parse({
      http: { ...HTTP_PRESETS.get.mapping, user: 'acme', ...http },
      text,
      to: '639170000001',
      sender: evil,
    });
    return tryHttpMapping(body, ADDRESSES, 0).requests[0]!;
  };
  const { headers } = ask({ headers: ['X-From: {from}', 'X-Text: {text}'] });
  for (const { value } of headers) assert.doesNotMatch(value, /[\r\n]/);
  assert.ok(headers.every(({ name }) => name !== 'x-evil'));
  const query = new URL(ask({}, 'a&key=stolen#').url).searchParams;
  assert.deepEqual([query.get('text'), query.getAll('key')], ['a&key=stolen#', ['PASSWORD']]);
  const json = ask({ method: 'POST', encoding: 'json', body: '{"text":"{text}"}' }, '","admin":true,"x":"');
  assert.deepEqual(JSON.parse(json.body), { text: '","admin":true,"x":"' });
  assert.throws(() => ask({ url: 'https://sms.example.com/send/{text}' }, '..'), /path/);
  assert.equal(new URL(ask({ url: 'https://sms.example.com/send/{text}' }, '../x').url).pathname, '/send/..%2Fx');
});
