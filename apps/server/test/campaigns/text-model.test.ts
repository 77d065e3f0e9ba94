import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { newTextKey } from '#platform/text/text-keys';
import { usableForm } from '../../src/modules/campaigns/suggest-text.ts';
import { makeCast } from './cast.ts';

/** Receiver that speaks the interface of chat completions, and answers what a test wants. */
let answer: { status: number; body: string } = { status: 200, body: '' };
let heard: { authorization: string | undefined; body: { model: string; messages: { content: string }[] } } | undefined;
const model = createServer(async (request, reply) => {
  let body = '';
  for await (const piece of request) body += piece;
  heard = { authorization: request.headers.authorization, body: JSON.parse(body) };
  assert.equal(request.url, '/v1/chat/completions');
  reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
});
await new Promise<void>((done) => model.listen(0, '127.0.0.1', done));
after(() => model.close());
const says = (content: string) => ({ status: 200, body: JSON.stringify({ choices: [{ message: { content } }] }) });

const { stage } = await makeCast({ after });
const { call, tenant, owner } = stage;
const ask = (text: string) =>
  call<{ code: string; data: { text: string | null } }>('boss', 'POST', '/api/v1/campaigns/text-suggestions', {
    sender_id: tenant.sender_id,
    text,
    wish: 'shorter',
  });
const config = stage.config as { TEXT_MODEL_URL?: string; TEXT_MODEL_NAME?: string; TEXT_MODEL_KEY?: string };

test('without a model nobody is asked, and the composer says so', async () => {
  assert.deepEqual((await ask('Hello')).status, 404);
  const options = await call<{ data: { text_model: boolean } }>(
    'boss',
    'GET',
    `/api/v1/campaigns/options?sender_id=${tenant.sender_id}`,
  );
  assert.equal(options.body.data.text_model, false);
});

test('a suggestion of the model is answered, and nothing but the text goes to it', async () => {
  config.TEXT_MODEL_URL = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  config.TEXT_MODEL_NAME = 'small';
  config.TEXT_MODEL_KEY = 'key of the model';
  answer = says('Hi {name}, pay 50 by Friday: https://a.example/x');
  const { status, body } = await ask('Hello {name}, please pay 50 on or before Friday: https://a.example/x');
  assert.deepEqual([status, body.data?.text], [200, 'Hi {name}, pay 50 by Friday: https://a.example/x']);
  assert.equal(heard?.authorization, 'Bearer key of the model');
  assert.equal(heard?.body.model, 'small');
  assert.equal(
    heard?.body.messages.at(-1)?.content,
    'Hello {name}, please pay 50 on or before Friday: https://a.example/x',
  );
});

test('an answer that is none, or too long, is said in a sentence', async () => {
  for (const [of, sentence] of [
    [{ status: 500, body: 'no' }, 'unavailable'],
    [{ status: 200, body: 'no' }, 'unavailable'],
    [{ status: 200, body: `"${'x'.repeat(70_000)}"` }, 'unavailable'],
    [{ status: 200, body: '{"choices":[]}' }, 'unavailable'],
  ] as const) {
    answer = of;
    assert.equal((await ask('Hello')).body.code, sentence);
  }
});

test('a form that lost a placeholder, number or address is not used', () => {
  const text = 'Hi {name}, pay 50 at https://a.example/x';
  assert.equal(usableForm(text, '"Pay 50, {name}: https://a.example/x"'), 'Pay 50, {name}: https://a.example/x');
  for (const wrong of [
    '',
    'Hi, pay 50 at https://a.example/x',
    'Hi {name}, pay 60 at https://a.example/x',
    'Hi {name} 50',
  ])
    assert.equal(usableForm(text, wrong), null, wrong);
  assert.equal(usableForm('Hello', 'x'.repeat(1_531)), null);
});

test('texts under keys of a corporation never go to the model', async () => {
  answer = says('Hello');
  const { corporation_id } = tenant;
  const key_sealed = newTextKey(stage.config, corporation_id, 1);
  await owner.insertInto('text_key').values({ corporation_id, number: 1, state: 'current', key_sealed }).execute();
  assert.equal((await ask('Hello')).status, 404);
});
