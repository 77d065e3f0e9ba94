import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpSender } from '#modules/http-deliveries';
import { routingCallKind } from '../../src/modules/inbox/hand-on.ts';
import { callRetention } from '../../src/modules/inbox/routing-calls.ts';
import { removeOld } from '../../src/platform/jobs/retention.ts';
import { listenOn } from '../own-port.ts';
import { inboxStage } from './bring.ts';

const stage = await inboxStage({ after }, { PRIVATE_TARGETS: '127.0.0.0/8' });
const { bring, call, one, all } = stage;
const corporate = await stage.api.as('corporate');

/** Requests that the receiver got; `answer` is its reply to the next ones. */
const came: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
let answer: { status: number; type: string; body: string } = { status: 200, type: 'text/plain', body: 'Thank you.' };
/** Responses of the slow address that are not sent yet. */
const kept: ServerResponse[] = [];
const server = createServer((request, response) => {
  if (request.url === '/slow') {
    kept.push(response);
    return;
  }
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    came.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
  });
});
const url = `http://127.0.0.1:${await listenOn(server, { after })}/in?source=sms`;

let phones = 0;
const newPhone = () => `63920${String(++phones).padStart(7, '0')}`;

test('a message is forwarded as a form, JSON or query, and the answer is sent once', async () => {
  for (const [keyword, fields] of [
    ['FORM', { method: 'POST', body_format: 'form', username: 'acme', password: 'p:w' }],
    ['JSON', { method: 'POST', body_format: 'json' }],
    ['QUERY', { method: 'GET' }],
  ] as const) {
    await stage.routing({ keyword, action: 'url', url, reply_with_answer: true, ...fields });
    const phone = newPhone();
    const [row] = await bring({ from: phone, text: `${keyword} größer & kleiner?` });
    assert.deepEqual([row!.handled, row!.reply_message], ['url', null]);
    assert.ok(row!.read_at, 'nobody has to read it');
    answer =
      keyword === 'JSON'
        ? { status: 200, type: 'application/json', body: '{"reply":"Thank you."}' }
        : { status: 200, type: 'text/plain; charset=utf-8', body: 'Thank you.\n' };
    await call();
    const { method, url: path, headers, body } = came.at(-1)!;
    const told =
      keyword === 'JSON'
        ? (JSON.parse(body) as Record<string, unknown>)
        : Object.fromEntries(keyword === 'FORM' ? new URLSearchParams(body) : new URL(path, url).searchParams);
    assert.deepEqual(
      [method, told['from'], told['to'], told['text'], told['keyword'], told['id']],
      [fields.method, phone, '3939', `${keyword} größer & kleiner?`, keyword, String(row!.id)],
    );
    assert.match(path, /^\/in\?source=sms/);
    assert.equal(headers['connection'], 'close');
    assert.equal(
      headers['authorization'],
      keyword === 'FORM' ? `Basic ${Buffer.from('acme:p:w').toString('base64')}` : undefined,
    );
    const { reply_message, messages } = await one<{ reply_message: string; messages: number }>(
      'SELECT reply_message, (SELECT count(*) FROM message WHERE msisdn = oa) AS messages FROM inbox_message WHERE id = $1',
      [row!.id],
    );
    assert.deepEqual([reply_message, messages], ['Thank you.', 1]);
  }
});

test('a failed call is retried with backoff, and a replay sends no second answer', async () => {
  const id = await stage.routing({ keyword: 'FAIL', action: 'url', url, reply_with_answer: true });
  answer = { status: 503, type: 'text/plain', body: 'busy' };
  const phone = newPhone();
  await bring({ from: phone, text: 'fail' });
  for (let i = 0; i < 3; i++) await call();
  const waiting = await one<{ state: string; tries: number; wait: number }>(
    'SELECT state, tries, extract(epoch FROM next_at - now())::float8 AS wait FROM routing_call WHERE routing_id = $1',
    [id],
  );
  assert.deepEqual([waiting.state, waiting.tries], ['waiting', 3]);
  assert.ok(waiting.wait > 60 && waiting.wait <= 120, String(waiting.wait));
  for (let i = 0; i < 6; i++) await call();
  assert.equal(
    (await one<{ state: string }>('SELECT state FROM routing_call WHERE routing_id = $1', [id])).state,
    'failed',
  );
  answer = { status: 200, type: 'text/plain', body: 'At last.' };
  for (let i = 0; i < 2; i++) {
    const { body } = await corporate('GET', `/api/v1/routings/${id}/calls`);
    const [shown] = (
      body as { data: { id: number; state: string; attempts: { fault: string | null; status: number }[] }[] }
    ).data;
    assert.deepEqual(shown!.attempts.at(-1), { ...shown!.attempts.at(-1)!, fault: 'http_status', status: 503 });
    assert.equal(shown!.attempts.length, 9 + i);
    assert.equal((await corporate('POST', `/api/v1/routing-calls/${shown!.id}/replay`)).status, 202);
    await call();
  }
  assert.equal(
    (await one<{ state: string }>('SELECT state FROM routing_call WHERE routing_id = $1', [id])).state,
    'done',
  );
  assert.equal((await all('SELECT FROM message WHERE msisdn = $1', [phone])).length, 1);
});

test('a call to a forbidden address fails without a retry', async () => {
  const id = await stage.routing({ keyword: 'PORT', action: 'url', url });
  await all("UPDATE routing SET url = 'http://8.8.8.8:25/' WHERE id = $1", [id]);
  await bring({ from: newPhone(), text: 'port' });
  await call();
  const row = await one("SELECT state, attempts -> 0 ->> 'fault' AS fault FROM routing_call WHERE routing_id = $1", [
    id,
  ]);
  assert.deepEqual(row, { state: 'failed', fault: 'port_not_allowed' });
});

test('an address that does not answer delays no calls to another address', async () => {
  const slow = await stage.routing({ keyword: 'SLOW', action: 'url', url: new URL('/slow', url).href });
  const quick = await stage.routing({ keyword: 'QUICK', action: 'url', url });
  answer = { status: 200, type: 'text/plain', body: 'ok' };
  await bring(...Array.from({ length: 60 }, () => ({ from: newPhone(), text: 'slow' })));
  const before = came.length;
  const caller = new HttpSender(stage.worker, [routingCallKind(stage.worker)], 24);
  caller.start();
  const done = (id: number) =>
    one<{ count: number }>("SELECT count(*) AS count FROM routing_call WHERE routing_id = $1 AND state = 'done'", [id]);
  for (const end = Date.now() + 60_000; kept.length === 0; await sleep(10)) assert.ok(Date.now() < end);
  await bring(...Array.from({ length: 40 }, () => ({ from: newPhone(), text: 'quick' })));
  for (const end = Date.now() + 60_000; (await done(quick)).count < 40; await sleep(20))
    assert.ok(Date.now() < end, 'the quick address waits for the slow one');
  assert.equal((await done(slow)).count, 0);
  // A call that has timed out meanwhile is no longer open.
  const open = kept.filter(({ destroyed }) => !destroyed).length;
  assert.ok(open <= 3, `the slow address has its share: ${open}`);
  for (const end = Date.now() + 60_000; (await done(slow)).count < 60; await sleep(20)) {
    for (const response of kept.splice(0)) response.writeHead(200, { 'content-type': 'text/plain' }).end('late');
    assert.ok(Date.now() < end);
  }
  await caller.stop();
  assert.equal(came.length - before, 40, 'each is handed on once');
  assert.equal(
    (
      await all(
        `SELECT FROM routing_call, jsonb_to_recordset(attempts) AS a(fault text) WHERE routing_id = $1 AND a.fault IS NULL`,
        [slow],
      )
    ).length,
    60,
  );
});

test('a finished call is deleted after 30 days; waiting calls and messages stay', async () => {
  const id = await stage.routing({ keyword: 'OLD', action: 'url', url });
  await bring(...['old', 'old', 'old'].map((text) => ({ from: newPhone(), text })));
  await call();
  await all(
    `UPDATE routing_call SET created_at = now() - interval '31 days' WHERE id IN (SELECT id FROM routing_call WHERE routing_id = $1 ORDER BY id LIMIT 2)`,
    [id],
  );
  await all(
    "UPDATE routing_call SET state = 'waiting' WHERE id = (SELECT min(id) FROM routing_call WHERE routing_id = $1)",
    [id],
  );
  await removeOld(stage.worker, [callRetention], new AbortController().signal);
  const left = await all<{ state: string }>('SELECT state FROM routing_call WHERE routing_id = $1 ORDER BY id', [id]);
  assert.deepEqual(left, [{ state: 'waiting' }, { state: 'done' }]);
  assert.equal((await all('SELECT FROM inbox_message WHERE routing_id = $1', [id])).length, 3);
});
