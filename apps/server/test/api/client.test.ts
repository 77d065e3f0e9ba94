import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { ApiError, ConnectionError, Heliograph } from '../../../../packages/client/src/index.ts';
import { acme, api, count, failed, harm, key, message, one, stage } from './client-stage.ts';

test('a message is sent once, even if requests and answers are lost', async () => {
  const { client, seen } = await harm('refuse', 'lose', 'busy');
  const before = await count();
  const sent = await client.send(message(1));
  assert.equal(await count(), before + 1);
  assert.equal((await client.get(sent.id)).id, sent.id);
  const tries = seen.slice(0, 4);
  assert.equal(tries.length, 4);
  assert.equal(new Set(tries.map((each) => each.key)).size, 1);
  assert.match(tries[0]!.key ?? '', /^[\da-f-]{36}$/);
  assert.ok(tries[3]!.at - tries[2]!.at >= 1_000, 'Retry-After is kept');
  const again = await client.send(message(1));
  assert.notEqual(again.id, sent.id);
});

test('each way that a call can fail has its own error', async () => {
  const { client, url } = await harm('stall');
  const refused = await client
    .send({ ...message(1), to: 'nobody' }, { timeoutMs: 2_000, retries: 5 })
    .catch((error) => error);
  assert.ok(refused instanceof ApiError);
  assert.deepEqual([refused.status, refused.code, Object.keys(refused.errors)], [422, 'validation_failed', ['to']]);
  assert.ok(refused.requestId);
  const late = await harm('stall');
  await assert.rejects(
    late.client.balance({ timeoutMs: 50, retries: 0 }),
    (error) => error instanceof ConnectionError && error.timeout,
  );
  const ended = new AbortController();
  const call = (await harm('stall')).client.balance({ signal: ended.signal });
  setTimeout(() => ended.abort(new Error('enough')), 50);
  await assert.rejects(call, /enough/);
  const wrong = new Heliograph({ url, key: 'hk_live_none' });
  await assert.rejects(wrong.balance(), { name: 'ApiError', status: 401, code: 'unauthenticated' });
  const nowhere = new Heliograph({ url: 'http://127.0.0.1:1', key, retries: 0 });
  await assert.rejects(nowhere.balance(), { name: 'ConnectionError', timeout: false });
  assert.throws(() => new Heliograph({ url: 'sms.example.com', key }), /https:/);
});

test('every call of the client does what it says', async () => {
  const client = new Heliograph({ url: `${api.url}/`, key });
  const estimate = await client.estimate({ from: acme.sender, to: [stage.number(1)], text: 'Hello' });
  assert.equal(estimate.messages, 1);
  const batch = await client.sendBatch({
    from: acme.sender,
    text: 'Hi',
    recipients: [2, 3, 4].map((n) => ({ to: stage.number(n) })),
  });
  assert.equal((await client.getBatch(batch.id)).accepted, 3);
  const found: string[] = [];
  for await (const { to } of client.find({ batch_id: batch.id }, { limit: 2 })) found.push(to);
  assert.deepEqual(found, [2, 3, 4].map(stage.number));
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await client.send({ ...message(5), send_at });
  for (let time = 0; time < 2; time++) assert.equal((await client.cancel(id)).state, 'cancelled');
  await assert.rejects(client.cancel(found.length > 0 ? (await client.send(message(6))).id : id), {
    code: 'message_has_left',
  });
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await client.cancelBatch(batch.id)).states, { cancelled: 3 }, 'called off, and as it is');
  await assert.rejects(client.cancelBatch('999999'), { code: 'not_found' });
  assert.match((await client.balance()).available, /^-?\d+\.\d{3}$/);
  for await (const { from } of client.inbound({ limit: 200 })) assert.match(from, /\d/);
});

test('following the feed misses no event and repeats none', async () => {
  const client = new Heliograph({ url: api.url, key });
  const { user_id, id } = await one<{ user_id: number; id: number }>(
    'SELECT user_id, message_id AS id FROM program_message ORDER BY message_id LIMIT 1',
  );
  const happen = (error_code: string) => failed({ user_id, id }, error_code);
  await happen('before');
  const ended = new AbortController();
  const codes: unknown[] = [];
  let cursor: string | null = null;
  const events = client.events({ cursor: 'now', follow: true, everyMs: 20, limit: 2, signal: ended.signal });
  const following = (async () => {
    for await (const page of events.pages()) {
      for (const event of page.data) if (event.type === 'message.failed') codes.push(event.data.error_code);
      cursor = page.next_cursor;
      if (codes.length >= 3) ended.abort();
    }
  })();
  while (codes.length === 0) await happen('first');
  for (const code of ['second', 'third']) await happen(code);
  await assert.rejects(following, { name: 'AbortError' });
  assert.ok(!codes.includes('before'), String(codes));
  await happen('last');
  const rest: unknown[] = [];
  for await (const event of client.events({ cursor: cursor!, types: ['message.failed'], follow: true, everyMs: 20 })) {
    if (event.type === 'message.failed') rest.push(event.data.error_code);
    if (rest.at(-1) === 'last') break;
  }
  const all = [...codes, ...rest].filter((code) => code !== 'first');
  assert.deepEqual(all, ['second', 'third', 'last']);
});

test('the document is valid OpenAPI 3.1, and a client generated from it works', async () => {
  const document = (await api.anonymous()('GET', '/v1/openapi.json')).body as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const checked = await new Validator().validate(structuredClone(document) as never);
  assert.deepEqual([checked.valid, checked.errors], [true, undefined]);
  const made = await new OpenAPIClientAxios({
    definition: structuredClone(document) as never,
    // Paths of the document are relative to its own address, unless PUBLIC_URL is set.
    withServer: { url: api.url },
    axiosConfigDefaults: { headers: { Authorization: `Bearer ${key}` } },
  }).getClient();
  const { data: sent, status } = await made['sendMessage']!(undefined, message(8));
  assert.equal(status, 202);
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(names.length, 50);
  assert.equal((await made['getMessage']!(sent.id)).data.to, stage.number(8));
  assert.equal((await made['listEvents']!({ limit: 1 })).data.data.length, 1);
  const refused = await made['getBatch']!('999999').catch((error) => error.response);
  assert.deepEqual([refused.status, refused.data.code], [404, 'not_found']);
});
