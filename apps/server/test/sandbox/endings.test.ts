import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { numberTo, sandboxStage } from './stage.ts';

const stage = await sandboxStage({ after });
const { send, reaches, events, one } = stage;
await stage.sender();

const partsOf = async (id: string) =>
  (await one<{ n: number }>('SELECT count(*)::int AS n FROM sandbox_part WHERE message_id = $1', [id])).n;

test('a test key works without a link for tests, and costs nothing', async () => {
  const before = await one('SELECT credit_balance, reserved FROM billing_account ORDER BY id LIMIT 1');
  const message = await reaches(await send(numberTo('4711')), 'delivered');
  assert.deepEqual([message['test'], message['price']], [true, '0.000']);
  assert.deepEqual(await one('SELECT credit_balance, reserved FROM billing_account ORDER BY id LIMIT 1'), before);
  const links = (await (await stage.api.as('admin'))('GET', '/api/v1/links')).body as { data: { name: string }[] };
  assert.ok(!links.data.some(({ name }) => name.startsWith('Virtual')), 'it is no link of the operator');
});

test('messages of live keys never go to the virtual carrier', async () => {
  const answer = await stage.live('POST', '/v1/messages', {
    from: stage.acme.sender,
    to: numberTo('0001'),
    text: 'Hi',
  });
  assert.equal((answer.body as { code: string }).code, 'no_route');
});

for (const [digits, state, error] of [
  ['0001', 'delivered', null],
  ['0003', 'failed_other', 'undeliverable:gsm-1'],
  ['0004', 'failed_other', 'rejected:gsm-13'],
  ['0006', 'failed_submit', 'ESME_RINVDSTADR'],
  ['0008', 'delivered', null],
  ['0009', 'delivered', null],
  ['0010', 'delivered', null],
  ['0011', 'delivered', null],
  ['0014', 'delivered', null],
] as const)
  test(`a number that ends in ${digits} ends as ${state}`, async () => {
    const id = await send(numberTo(digits));
    const message = await reaches(id, state, 30_000);
    assert.equal(message['error_code'], error, JSON.stringify(message));
    assert.equal(await partsOf(id), digits === '0006' ? 0 : 1);
    const told = (await events('message.delivered,message.failed,message.expired')).filter(
      ({ data }) => data['id'] === id,
    );
    assert.equal(told.length, 1, JSON.stringify(told));
  });

test('every part of a long message is on the handset, and has its receipt', async () => {
  const id = await send(numberTo('0001', 2), { text: 'long '.repeat(60) });
  await reaches(id, 'delivered');
  assert.equal(await partsOf(id), 2);
});

test('a number without a receipt stays submitted', async () => {
  const id = await send(numberTo('0007'));
  await reaches(id, 'submitted');
  await sleep(3_000);
  await reaches(id, 'submitted');
});

test('a receipt at the end of the validity says expired', async () => {
  const id = await send(numberTo('0005'));
  await reaches(id, 'submitted');
  await stage.api.database.pool('owner').query('UPDATE sandbox_due SET due_at = now() WHERE message_id = $1', [id]);
  await reaches(id, 'expired');
});

test('a later receipt becomes an event of its own', async () => {
  const id = await send(numberTo('0011', 2));
  await until(
    'it was corrected',
    async () => (await events('message.corrected')).some(({ data }) => data['id'] === id),
    30_000,
  );
});

test('a handset answers YES as a message from a phone that only test keys see', async () => {
  const to = numberTo('0012');
  await send(to);
  const from = (body: unknown) =>
    (body as { data: { from: string; text: string }[] }).data.filter((each) => each.from === to);
  await until('it has answered', async () => from((await stage.tests('GET', '/v1/inbound')).body).length === 1, 20_000);
  assert.equal(from((await stage.tests('GET', '/v1/inbound')).body)[0]!.text, 'YES');
  assert.equal(from((await stage.live('GET', '/v1/inbound?limit=200')).body).length, 0);
  const told = (await events('message.received')).filter(({ data }) => data['from'] === to);
  assert.deepEqual(
    told.map(({ data }) => data['text']),
    ['YES'],
  );
});

test('STOP of a handset opts nobody out', async () => {
  const to = numberTo('0013');
  await send(to);
  await until(
    'it has answered',
    async () => (await events('message.received')).some(({ data }) => data['from'] === to && data['text'] === 'STOP'),
    20_000,
  );
  await reaches(await send(to), 'delivered');
  const { n } = await one<{ n: number }>('SELECT count(*)::int AS n FROM opt_out WHERE number = $1', [to]);
  assert.equal(n, 0);
});
