import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { addEvents, EVENTS } from '#modules/events';
import { tell } from '#platform/fan-out/tell';
import { Heliograph } from '../../../../packages/client/src/index.ts';
import { buildApi } from '../../src/processes/api.ts';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after });
const { api, acme } = stage;
const owner = api.database.pool('owner');
const { key } = await stage.makeKey();
const ask = stage.by(key);

let number = 0;
/** Writes events that are told apart by their balance, and wakes the readers as the worker does. */
async function happen(count: number, changes: object = {}, db = owner): Promise<string[]> {
  const named = Array.from({ length: count }, () => String(++number));
  const events = named.map((balance) => ({
    corporation_id: acme.corporation_id,
    department_id: null,
    user_id: null,
    type: 'balance.low' as const,
    message_id: null,
    data: { billing_account_id: 1, limit: 'low_balance', balance: Number(balance) * 1_000 },
    ...changes,
  }));
  await addEvents(db as never, events);
  await tell(owner, EVENTS);
  return named;
}

interface Got {
  data: { type: string; data: { balance: string } };
  cursor: string;
}
/** Opens a stream with an independent client, and keeps what it gets. */
function listen(t: { after(work: () => void): void }, query = '', own = key, url = api.url) {
  const got: Got[] = [];
  const failed: number[] = [];
  const source = new EventSource(`${url}/v1/events/stream${query}`, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${own}` } }),
  });
  for (const type of ['balance.low', 'message.failed'])
    source.addEventListener(type, ({ data, lastEventId }) => {
      got.push({ data: JSON.parse(data), cursor: lastEventId });
    });
  source.addEventListener('error', ({ code }) => failed.push(code ?? 0));
  t.after(() => source.close());
  const opened = new Promise((resolve) => source.addEventListener('open', resolve, { once: true }));
  return {
    source,
    opened,
    got,
    failed,
    balances: () => got.map(({ data }) => String(Number(data.data.balance))),
    async has(count: number) {
      for (let i = 0; i < 200 && got.length < count; i++) await sleep(50);
      assert.equal(got.length, count);
    },
  };
}

test('events reach an open stream each once, in order, as the list has them', async (t) => {
  const before = await happen(3);
  const stream = listen(t);
  await stream.has(3);
  const later = await happen(1_200);
  await stream.has(1_203);
  assert.deepEqual(stream.balances(), [...before, ...later]);
  const { body } = await ask('GET', '/v1/events?limit=3&types=balance.low');
  assert.deepEqual(
    stream.got.slice(0, 3).map(({ data }) => data),
    (body as { data: unknown[] }).data,
  );
});

test('a stream goes on after the last event of the one before, also within a page', async (t) => {
  const [, , third, fourth] = await happen(4);
  const first = listen(t, '?cursor=now');
  const all = listen(t);
  await first.opened;
  const isThird = ({ data }: Got) => String(Number(data.data.balance)) === third;
  for (let i = 0; i < 200 && !all.got.some(isThird); i++) await sleep(50);
  const from = all.got.find(isThird)!.cursor;
  const next = listen(t, `?cursor=${from}`);
  await next.has(1);
  assert.deepEqual(next.balances(), [fourth]);
  assert.equal(first.got.length, 0);
});

test('an event that commits late is sent, once', async (t) => {
  const stream = listen(t, '?cursor=now');
  await stream.opened;
  const slow = await owner.connect();
  await slow.query('BEGIN');
  const [late] = await happen(1, {}, slow as never);
  const [soon] = await happen(1);
  await stream.has(1);
  await slow.query('COMMIT');
  slow.release();
  await happen(1);
  await stream.has(3);
  assert.deepEqual(stream.balances().toSorted(), [late, soon, String(number)].toSorted());
});

test('replay begins at a time, whatever was written around it', async (t) => {
  await happen(5);
  await owner.query(
    "UPDATE event SET created_at = now() - interval '3 days' WHERE created_at > now() - interval '1 day'",
  );
  await sleep(20);
  const since = new Date().toISOString();
  await sleep(20);
  const named = await happen(3);
  const stream = listen(t, `?since=${since}`);
  await stream.has(3);
  assert.deepEqual(stream.balances(), named);
  const { body } = await ask('GET', `/v1/events?limit=2&since=${since}`);
  const { data, next_cursor } = body as { data: Got['data'][]; next_cursor: string };
  assert.equal(data.length, 2);
  const rest = await ask('GET', `/v1/events?cursor=${next_cursor}`);
  assert.equal((rest.body as { data: unknown[] }).data.length, 1);
  assert.equal((await ask('GET', '/v1/events?since=yesterday')).status, 422);
});

test('shares divide the events without overlap, and keep a message in one', async () => {
  const before = (await ask('GET', '/v1/events?limit=1000&cursor=now')).body as { next_cursor: string };
  const named = await happen(64);
  await happen(6, { type: 'message.failed', message_id: 5 << 10, data: { state: 'failed_other', at: new Date() } });
  const parts = await Promise.all(
    [1, 2, 3].map(async (place) => {
      const { body } = await ask('GET', `/v1/events?limit=1000&share=${place}/3&cursor=${before.next_cursor}`);
      return (body as { data: Got['data'][] }).data;
    }),
  );
  const balances = parts.flat().flatMap(({ data }) => data.balance ?? []);
  assert.deepEqual(
    balances.map(Number).toSorted((a, b) => a - b),
    named.map(Number),
  );
  assert.ok(parts.every((part) => part.length > 10));
  const ofMessage = parts.map((part) => part.filter(({ type }) => type === 'message.failed').length);
  assert.deepEqual(ofMessage.toSorted(), [0, 0, 6]);
  for (const share of ['0/3', '4/3', '1/65', '2']) {
    const { status, body } = await ask('GET', `/v1/events?share=${share}`);
    assert.equal(status, 422);
    assert.match(JSON.stringify(body), /second of four/);
  }
});

test('one connection of a group reads, the next takes over at the stored place', async (t) => {
  await ask('GET', '/v1/events');
  const begin = ((await ask('GET', '/v1/events?cursor=now')).body as { next_cursor: string }).next_cursor;
  const store = (cursor: string) => ask('POST', '/v1/events/groups/ledger', { cursor });
  assert.equal((await store(begin)).status, 200);
  const first = listen(t, '?group=ledger');
  const named = await happen(4);
  await first.has(4);
  const second = listen(t, '?group=ledger');
  await sleep(500);
  assert.equal(second.got.length, 0);
  await store(first.got[1]!.cursor);
  first.source.close();
  await second.has(2);
  assert.deepEqual(second.balances(), named.slice(2));
  const page = await ask('GET', '/v1/events?group=ledger');
  assert.equal((page.body as { data: unknown[] }).data.length, 2);
  const other = listen(t, '?group=another&cursor=now');
  await other.opened;
  await happen(1);
  await other.has(1);
  assert.equal((await store('none')).status, 422);
  assert.equal((await ask('POST', '/v1/events/groups/a%20b', { cursor: begin })).status, 422);
});

test('a stream ends with its key, and a wrong question gets an error', async (t) => {
  const made = await stage.makeKey({ name: 'Short' });
  const stream = listen(t, '?cursor=now', made.key);
  await stream.opened;
  await (await api.as('corporate'))('POST', `/api/v1/api-keys/${made.id}/revoke`);
  // A key that was just read is good for a second.
  await sleep(1_000);
  await happen(1);
  for (let i = 0; i < 200 && !stream.failed.includes(401); i++) await sleep(50);
  assert.ok(stream.failed.includes(401));
  assert.equal(stream.got.length, 0);
  assert.equal((await ask('GET', '/v1/events/stream?cursor=none')).status, 422);
  assert.equal(
    (await stage.by((await stage.makeKey({ scopes: ['balance:read'] })).key)('GET', '/v1/events/stream')).status,
    403,
  );
});

test('a corporation has twenty streams at a process, and one that ends makes room', async () => {
  const ends = Array.from({ length: 20 }, () => new AbortController());
  const open = (signal: AbortSignal) =>
    fetch(`${api.url}/v1/events/stream?cursor=now`, { headers: { authorization: `Bearer ${key}` }, signal });
  const answers = await Promise.all(ends.map(({ signal }) => open(signal)));
  assert.ok(answers.every(({ status }) => status === 200));
  const refused = await ask('GET', '/v1/events/stream');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '10']);
  for (const end of ends) end.abort();
  const end = new AbortController();
  let status = 429;
  for (let i = 0; i < 100 && status === 429; i++) {
    await sleep(50);
    status = (await open(end.signal)).status;
  }
  assert.equal(status, 200);
  end.abort();
});

test('the client misses nothing while the process is replaced', async () => {
  const first = await buildApi({ config: api.config, log: api.log });
  const address = await first.server.listen({ port: 0, host: '127.0.0.1' });
  const client = new Heliograph({ url: address, key });
  const end = new AbortController();
  const got: string[] = [];
  const cursor = ((await ask('GET', '/v1/events?cursor=now')).body as { next_cursor: string }).next_cursor;
  const reading = (async () => {
    for await (const event of client.stream({ cursor, signal: end.signal }))
      got.push(String(Number((event.data as { balance: string }).balance)));
  })().catch((error: Error) => assert.equal(error.name, 'AbortError'));
  const named = await happen(2);
  for (let i = 0; i < 100 && got.length < 2; i++) await sleep(50);
  await first.stop();
  named.push(...(await happen(2)));
  const second = await buildApi({ config: api.config, log: api.log });
  await second.server.listen({ port: Number(new URL(address).port), host: '127.0.0.1' });
  for (let i = 0; i < 400 && got.length < 4; i++) await sleep(50);
  assert.deepEqual(got, named);
  end.abort();
  await reading;
  await second.stop();
});
