import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Client } from '../test-api.ts';
import { callbackStage, until } from './receiver.ts';

const s = await callbackStage({ after });

interface Delivery {
  id: number;
  kind: string;
  target: string;
  webhook_id: string | null;
  oa: string | null;
  body: string | null;
  state: string;
  attempts: { status: number }[];
}
const log = async (client: Client, query = '') => {
  const { status, body } = await client('GET', `/api/v1/http-deliveries?${query}`);
  assert.equal(status, 200);
  return body as { data: Delivery[]; next_cursor: string | null; has_more: boolean };
};

const endpoint = await s.endpoint('/log', { types: ['balance.low'] });
await s.tell({}, {}, {});
await until('all arrived', async () => (await log(s.corporate, 'state=done')).data.length === 3);
const { body: made } = await s.corporate('POST', '/api/v1/routings', {
  corporation_id: s.acme,
  number: (
    await s.one<{ sender_id: string }>(
      "INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, '3939') RETURNING sender_id",
      [s.acme],
    )
  ).sender_id,
  keyword: 'LOG',
  action: 'url',
  url: 'https://example.com/',
});
const routing = (made as { data: { id: number } }).data.id;
await s.all(
  `WITH i AS (
     INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at)
     VALUES ($1, 1, 990001, '639171112233', '3939', 'log me', 1, 1, 'url', now()) RETURNING id
   )
   INSERT INTO http_delivery (kind, corporation_id, routing_id, inbox_message_id, state)
   SELECT 'routing_call', $1, $2, id, 'failed' FROM i`,
  [s.acme, routing],
);

test('the log shows callbacks and calls of routings together, page by page', async () => {
  const { data } = await log(s.corporate);
  assert.deepEqual(
    data.map(({ kind, target, state, oa }) => [kind, target, state, oa]),
    [
      ['routing_call', '3939 · LOG', 'failed', '639171112233'],
      ...[1, 2, 3].map(() => ['callback', `${s.receiver.url}/log`, 'done', null]),
    ],
  );
  assert.deepEqual([data[0]!.body, data[1]!.attempts[0]!.status], ['log me', 200]);
  const ids: number[] = [];
  for (let cursor = ''; ; ) {
    const page = await log(s.corporate, `limit=3${cursor && `&cursor=${cursor}`}`);
    ids.push(...page.data.map(({ id }) => id));
    if (!page.has_more) break;
    cursor = page.next_cursor!;
  }
  assert.deepEqual(
    ids,
    data.map(({ id }) => id),
  );
});

test('each filter narrows the log to its kind, state, target, event or number', async () => {
  const [callback] = (await log(s.corporate, 'kind=callback')).data;
  for (const [query, count] of [
    ['kind=callback', 3],
    ['kind=routing_call', 1],
    ['state=failed', 1],
    ['type=balance.low', 3],
    ['type=message.failed', 0],
    [`callback_endpoint_id=${endpoint}`, 3],
    ['callback_endpoint_id=0', 0],
    [`routing_id=${routing}`, 1],
    [`search=${callback!.webhook_id}`, 1],
    ['search=nothing', 0],
  ] as const)
    assert.equal((await log(s.corporate, query)).data.length, count, query);
});

test('the log shows only the kinds that the caller may see, and no foreign ones', async () => {
  assert.equal((await log(await s.api.as('superadmin'))).data.length, 4);
  // A department admin has no right to routings, and the endpoint belongs to the whole corporation.
  assert.equal((await log(await s.api.as('department'))).data.length, 0);
  assert.equal((await log(await s.api.as('user'))).data.length, 0);
  await s.all(
    'UPDATE callback_endpoint SET department_id = (SELECT department_id FROM user_account WHERE email = $2) WHERE id = $1',
    [endpoint, 'department@heliograph.test'],
  );
  assert.deepEqual(
    (await log(await s.api.as('department'))).data.map(({ kind }) => kind),
    ['callback', 'callback', 'callback'],
  );
});
