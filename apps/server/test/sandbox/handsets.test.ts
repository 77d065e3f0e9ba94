import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { replyRetention, sandboxRetention, useRetention } from '#modules/sandbox';
import { systemClock } from '#platform/clock';
import { removeOld } from '#platform/jobs/retention';
import { codeOf } from '../api/stage.ts';
import { numberTo, sandboxStage } from './stage.ts';

const stage = await sandboxStage({ after });
const { send, reaches, events, tests, live, one } = stage;
await stage.sender();

interface Handset {
  number: string;
  messages: number;
}
interface Said {
  direction: string;
  id: string;
  with: string;
  text: string;
  state: string | null;
}
const dataOf = <Row>({ body }: { body: unknown }) => (body as { data: Row[] }).data;
const move = (seconds: number) => tests('POST', '/v1/sandbox/time', { seconds });

test('a handset shows what it received, and answers as a message from a phone', async () => {
  const to = numberTo('0001');
  const id = await send(to, { text: 'Do you come?' });
  await reaches(id, 'delivered');
  const answer = await tests('POST', '/v1/sandbox/replies', { from: `+${to}`, text: 'Yes, I do' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const handsets = dataOf<Handset>(await tests('GET', '/v1/sandbox/handsets'));
  assert.deepEqual(
    handsets.map(({ number, messages }) => [number, messages]),
    [[to, 1]],
  );
  const said = dataOf<Said>(await tests('GET', `/v1/sandbox/messages?number=${to}`));
  assert.deepEqual(
    said.map(({ direction, with: other, text, state }) => [direction, other, text, state]),
    [
      ['sent', stage.acme.sender, 'Yes, I do', null],
      ['received', stage.acme.sender, 'Do you come?', 'delivered'],
    ],
  );
  const [told] = (await events('message.received')).filter(({ data }) => data['from'] === to);
  assert.deepEqual([told?.data['text'], told?.data['to']], ['Yes, I do', stage.acme.sender]);
  const inbound = dataOf<{ id: string; from: string }>(await tests('GET', '/v1/inbound'));
  assert.equal(inbound.filter(({ from }) => from === to).length, 1);
  const { n } = await one<{ n: number }>('SELECT count(*)::int AS n FROM inbox_message WHERE oa = $1', [to]);
  assert.equal(n, 0, 'the inbox of people does not show it');
});

test('a handset that has received nothing cannot answer', async () => {
  const answer = await tests('POST', '/v1/sandbox/replies', { from: numberTo('9999', 77), text: 'Hello?' });
  assert.equal(codeOf(answer), '404 not_found');
});

test('a live key is refused in the sandbox', async () => {
  for (const [method, path, body] of [
    ['GET', '/v1/sandbox/handsets'],
    ['GET', `/v1/sandbox/messages?number=${numberTo('0001')}`],
    ['POST', '/v1/sandbox/replies', { from: numberTo('0001'), text: 'x' }],
    ['POST', '/v1/sandbox/time', { seconds: 5 }],
  ] as const)
    assert.equal(codeOf(await live(method, path, body)), '403 test_key_required', path);
});

test('another corporation sees no handset, and moves nothing of it', async () => {
  const theirs = stage.by((await stage.makeKey({ mode: 'test', as: 'reseller' })).key);
  assert.deepEqual(dataOf(await theirs('GET', '/v1/sandbox/handsets')), []);
  assert.deepEqual(dataOf(await theirs('GET', `/v1/sandbox/messages?number=${numberTo('0001')}`)), []);
  assert.equal(
    codeOf(await theirs('POST', '/v1/sandbox/replies', { from: numberTo('0001'), text: 'x' })),
    '404 not_found',
  );
  const id = await send(numberTo('0005', 8));
  await reaches(id, 'submitted');
  await theirs('POST', '/v1/sandbox/time', { seconds: 604_800 });
  const { n } = await one<{ n: number }>(
    'SELECT count(*)::int AS n FROM sandbox_due WHERE message_id = $1 AND due_at > now()',
    [id],
  );
  assert.equal(n, 1);
});

test('time that passes sends what is scheduled, and ends the validity', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const [later, expiring] = [await send(numberTo('0001', 3), { send_at }), await send(numberTo('0005', 3))];
  await reaches(expiring, 'submitted');
  const moved = await move(86_400);
  assert.equal((moved.body as { messages: number }).messages, 1, JSON.stringify(moved.body));
  await reaches(expiring, 'expired');
  // It was to leave an hour from now, and its validity is over as well.
  await reaches(later, 'expired');
  const next = await send(numberTo('0001', 4), { send_at });
  await move(3_600);
  await reaches(next, 'delivered');
});

test('time that passes in the sandbox leaves live messages as they are', async () => {
  const owner = stage.api.database.pool('owner');
  await owner.query('UPDATE link SET enabled = true WHERE NOT for_tests');
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const answer = await live('POST', '/v1/messages', {
    from: stage.acme.sender,
    to: numberTo('0001'),
    text: 'Hi',
    send_at,
  });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const read = () =>
    one('SELECT state, not_before, expires_at FROM chunk WHERE id = $1::bigint >> 10', [
      (answer.body as { id: string }).id,
    ]);
  const before = await read();
  await move(604_800);
  assert.deepEqual(await read(), before);
});

test('a verification of a test key ends when time passes', async () => {
  const made = await (await stage.api.as('corporate'))('POST', '/api/v1/verify-services', {
    corporation_id: stage.acme.corporation_id,
    name: 'Sandbox',
    app_name: 'Acme',
    senders: [stage.acme.sender],
  });
  const service = (made.body as { data: { id: number } }).data.id;
  const key = stage.by(
    (await stage.makeKey({ mode: 'test', scopes: ['verifications:write', 'verifications:read', 'messages:send'] })).key,
  );
  const started = await key('POST', '/v1/verifications', { service: String(service), to: numberTo('0001', 6) });
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const { id } = started.body as { id: string };
  await key('POST', '/v1/sandbox/time', { seconds: 3_600 });
  assert.equal(((await key('GET', `/v1/verifications/${id}`)).body as { status: string }).status, 'expired');
});

test('handsets forget what is older than a week, and nothing younger', async () => {
  const to = numberTo('0012', 9);
  const [old, young] = [await send(to), await send(numberTo('0001', 9))];
  await reaches(old, 'delivered');
  await reaches(young, 'delivered');
  const { database } = stage.api;
  await until('it has answered', async () =>
    (await events('message.received')).some(({ data }) => data['from'] === to),
  );
  for (const table of ['sandbox_part', 'sandbox_reply'])
    await database
      .pool('owner')
      .query(`UPDATE ${table} SET received_at = received_at - interval '8 days' WHERE number = $1`, [to]);
  const worker = { database: database.db('worker'), config: stage.api.config, clock: systemClock };
  await removeOld(worker, [sandboxRetention, replyRetention, useRetention], new AbortController().signal);
  assert.deepEqual(dataOf(await tests('GET', `/v1/sandbox/messages?number=${to}`)), []);
  assert.equal(dataOf(await tests('GET', `/v1/sandbox/messages?number=${numberTo('0001', 9)}`)).length, 1);
});

test('test messages of a day are limited, and live ones are not', async () => {
  await stage.api.database
    .pool('owner')
    .query('UPDATE sandbox_use SET messages = 10000 WHERE corporation_id = $1', [stage.acme.corporation_id]);
  const message = { from: stage.acme.sender, to: numberTo('0001'), text: 'Hi' };
  assert.equal(codeOf(await tests('POST', '/v1/messages', message)), '429 sandbox_full');
  assert.equal((await live('POST', '/v1/messages', message)).status, 202);
  await until(
    'it is counted by day',
    async () => (await one<{ n: number }>('SELECT count(*)::int AS n FROM sandbox_use')).n >= 1,
  );
});
