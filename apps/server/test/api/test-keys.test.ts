import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const { acme, one } = stage;
const live = stage.by((await stage.makeKey()).key);
const tests = stage.by((await stage.makeKey({ mode: 'test' })).key);

interface Listed {
  data: { id: string; data?: { id: string } }[];
}
const send_at = new Date(Date.now() + 3_600_000).toISOString();
const message = { from: acme.sender, to: stage.number(1), text: 'Hello', client_ref: 'same', send_at };
const batch = { from: acme.sender, text: 'Hi', recipients: [{ to: stage.number(2) }], send_at };
const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;
const idsOf = ({ body }: { body: unknown }) => (body as Listed).data.map(({ id }) => id);

test('a test key finds and cancels only messages of test keys', async () => {
  const [mine, theirs] = [
    idOf(await tests('POST', '/v1/messages', message)),
    idOf(await live('POST', '/v1/messages', message)),
  ];
  const [myBatch, theirBatch] = [
    idOf(await tests('POST', '/v1/batches', batch)),
    idOf(await live('POST', '/v1/batches', batch)),
  ];
  assert.deepEqual(idsOf(await tests('GET', '/v1/messages?client_ref=same')), [mine]);
  assert.deepEqual(idsOf(await tests('GET', `/v1/messages?batch_id=${theirBatch}`)), []);
  assert.equal(idsOf(await tests('GET', `/v1/messages?batch_id=${myBatch}`)).length, 1);
  const foreign = [`/v1/messages/${theirs}`, `/v1/batches/${theirBatch}`];
  for (const path of foreign) {
    assert.equal(codeOf(await tests('GET', path)), '404 not_found', path);
    assert.equal(codeOf(await tests('DELETE', path)), '404 not_found', path);
  }
  for (const path of [`/v1/messages/${mine}`, `/v1/batches/${myBatch}`]) {
    assert.equal((await live('GET', path)).status, 200, path);
    assert.equal((await tests('DELETE', path)).status, 200, path);
  }
  // The messages of the live key were not cancelled above.
  for (const path of foreign) assert.equal((await live('DELETE', path)).status, 200, path);
  const feed = ((await tests('GET', '/v1/events?types=message.failed')).body as Listed).data;
  assert.ok(feed.length >= 2 && feed.some(({ data }) => data?.id === mine), JSON.stringify(feed));
  assert.ok(!feed.some(({ data }) => data?.id === theirs));
  const all = ((await live('GET', '/v1/events?types=message.failed')).body as Listed).data;
  assert.ok(all.some(({ data }) => data?.id === theirs) && all.some(({ data }) => data?.id === mine));
});

test('a test key reads only inbound messages of test links', async () => {
  const write = (for_tests: boolean) =>
    one<{ id: string }>(
      `WITH i AS (INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at)
         SELECT $1, l.id, $2, '639170000009', '2929', 'YES', 1, 1, 'inbox', now() FROM link l WHERE l.for_tests = $3 LIMIT 1 RETURNING id),
       e AS (INSERT INTO event (corporation_id, type, data) SELECT $1, 'message.received', jsonb_build_object('inbox_message_id', id) FROM i)
       SELECT id::text FROM i`,
      [acme.corporation_id, for_tests ? 900_001 : 900_002, for_tests],
    );
  const [ofTests, ofLife] = [await write(true), await write(false)];
  const read = async (client: typeof live) => [
    idsOf(await client('GET', '/v1/inbound?limit=200')),
    ((await client('GET', '/v1/events?types=message.received&limit=1000')).body as Listed).data.map(
      ({ data }) => data?.id,
    ),
  ];
  for (const ids of await read(tests))
    assert.ok(ids.includes(ofTests.id) && !ids.includes(ofLife.id), JSON.stringify(ids));
  for (const ids of await read(live))
    assert.ok(ids.includes(ofTests.id) && ids.includes(ofLife.id), JSON.stringify(ids));
});

test('a test key sees no credit, and no events about campaigns or money', async () => {
  const money = ({ body }: { body: unknown }) => {
    const { credit, reserved, credit_limit, available } = body as Record<string, string>;
    return [credit, reserved, credit_limit, available];
  };
  assert.deepEqual(money(await tests('GET', '/v1/balance')), Array(4).fill('0.000'));
  assert.notDeepEqual(money(await live('GET', '/v1/balance')), Array(4).fill('0.000'));
  await stage.api.database.pool('owner').query(
    `INSERT INTO event (corporation_id, type, data) VALUES
       ($1, 'balance.low', '{"billing_account_id": 1, "limit": "low_balance", "balance": 5}'),
       ($1, 'campaign.finished', '{"campaign_id": 1, "state": "completed"}')`,
    [acme.corporation_id],
  );
  const types = '/v1/events?types=balance.low,campaign.finished&limit=1000';
  assert.deepEqual(idsOf(await tests('GET', types)), []);
  assert.ok(idsOf(await live('GET', types)).length >= 2);
});
