import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { pay, reconcile } from '#modules/billing';
import { connectionSettings } from '#platform/database/db';
import type { Entry } from '../../src/modules/delivery/outcomes/entry.ts';
import { recordBatch } from '../../src/modules/delivery/outcomes/record-batch.ts';
import { CHUNK_COLUMNS, type ChunkColumns, chunkContext, type Message } from '../../src/modules/delivery/segment.ts';
import { expireChunks } from '../../src/modules/delivery/sweeps/expire-chunks.ts';
import { callerOf } from '../campaigns/stage.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { owner, tenant, zones, home, callers } = stage;
const LONG = `${'A'.repeat(200)}`; // two parts

const reseller = await owner
  .insertInto('corporation')
  .values({ name: 'Beacon Telecom', is_reseller: true })
  .returning('id')
  .executeTakeFirstOrThrow();
const wholesale = await owner
  .insertInto('price_plan')
  .values({ name: 'Wholesale', type: 'prepaid_package', default_charge: 100 })
  .returning('id')
  .executeTakeFirstOrThrow();
await owner
  .insertInto('rate')
  .values({
    price_plan_id: wholesale.id,
    rate_zone_id: zones.web,
    prefix: '63918',
    charge: 150,
    starts_on: '2020-01-01',
  })
  .execute();
const theirs = await owner
  .insertInto('billing_account')
  .values({ corporation_id: reseller.id, name: 'Beacon', key: 'B-1', price_plan_id: wholesale.id })
  .returning('id')
  .executeTakeFirstOrThrow();
await owner
  .updateTable('corporation')
  .set({ reseller_id: reseller.id })
  .where('id', '=', tenant.corporation_id)
  .execute();
await owner.updateTable('billing_account').set({ credit_balance: 0 }).execute();
await owner.transaction().execute(async (db) => {
  await pay(db, {
    key: 'own',
    billing_account_id: tenant.billing_account_id,
    corporation_id: tenant.corporation_id,
    amount: 100_000,
  });
  await pay(db, { key: 'theirs', billing_account_id: theirs.id, corporation_id: reseller.id, amount: 50_000 });
});

const books = async () => {
  const rows = await owner.selectFrom('billing_account').select(['id', 'credit_balance', 'reserved']).execute();
  const of = (id: number) => {
    const { credit_balance, reserved } = rows.find((row) => row.id === id)!;
    return [credit_balance, reserved];
  };
  return { own: of(tenant.billing_account_id), reseller: of(theirs.id) };
};
const sound = async () => assert.deepEqual(await reconcile(owner), []);
const start = async (quote: { id: number }) =>
  stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Resold' });

async function running(numbers: string[], content = 'Hello'): Promise<number> {
  const { body } = await start(await stage.quote({ custom_numbers: numbers.join(), content }));
  await sound();
  await stage.prepare(body.data.id);
  await sound();
  return body.data.id;
}

type Row = ChunkColumns & { id: number; parts: number; unit_price: number; msisdn: string; link_id: number };

/** Marks the messages of a campaign as handed over, and returns them as the sender reads them. */
async function handedOver(campaignId: number): Promise<Row[]> {
  await owner
    .updateTable('chunk')
    .set((eb) => ({ cursor: eb.ref('size'), state: 'done' }))
    .where('campaign_id', '=', campaignId)
    .execute();
  const { rows } = await home.pool('owner').query<Row>(
    `SELECT m.id, m.parts, m.unit_price, m.msisdn, k.link_id, ${CHUNK_COLUMNS}
     FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN campaign c ON c.id = k.campaign_id
     WHERE m.campaign_id = $1 ORDER BY m.msisdn`,
    [campaignId],
  );
  return rows;
}

const messageOf = (row: Row): Message =>
  ({
    id: row.id,
    chunk: chunkContext(row),
    msisdn: row.msisdn,
    text: null,
    parts: row.parts,
    unit_price: row.unit_price,
    reference: 0,
    answered_at: 0,
    ended: false,
  }) as Message;

const answer = (message: Message, part: number, accepted: boolean): Entry => ({
  kind: 'submission',
  segment: { message, part, tries: 0 },
  link_id: 1,
  command_status: accepted ? 0 : 8,
  carrier_id: accepted ? `${message.id}-${part}` : null,
  at: Date.now(),
  end: accepted ? undefined : { state: 'failed_submit', error: '8' },
  from_retry: false,
});

async function record(entries: Entry[], cause: string): Promise<void> {
  const client = new pg.Client({ ...connectionSettings({ DATABASE_URL: home.url }, 'sender'), pipeline: true });
  await client.connect();
  try {
    await recordBatch(client, entries, cause);
  } finally {
    await client.end();
  }
}

test('each part is charged to the customer and the reseller, each at its own price', async () => {
  const id = await running(['639170000001', '639180000001'], LONG);
  assert.deepEqual(await books(), { own: [100_000 - 1_400, 1_400], reseller: [50_000 - 500, 500] });
  const [first, second] = (await handedOver(id)).map(messageOf);
  await record([answer(first!, 1, true), answer(second!, 1, true)], 'one');
  await sound();
  assert.deepEqual(await books(), { own: [98_600, 700], reseller: [49_500, 250] });
  await record([answer(first!, 2, true), answer(second!, 2, false)], 'two');
  await sound();
  assert.deepEqual(await books(), { own: [98_600 + 350, 0], reseller: [49_500 + 150, 0] });
  type Why = {
    parts_charged: number;
    parts_released: number;
    parts_open: number;
    charge: string;
    transfers: { kind: string; amount: string }[];
  };
  const why = (await stage.admin<Why>('GET', `messages/${second!.id}/charge`)).body;
  assert.deepEqual([why.parts_charged, why.parts_released, why.parts_open, why.charge], [1, 1, 0, '0.350']);
  assert.deepEqual(
    why.transfers.map(({ kind, amount }) => [kind, amount]),
    [
      ['reservation', '-1.400'],
      ['charge', '-0.700'],
      ['charge', '-0.350'],
      ['release', '0.350'],
    ],
    'the reservation, and what was posted with its two answers',
  );
});

test('messages that are stopped or expire unsent are released on both accounts', async () => {
  const before = await books();
  const stopped = await running(['639170000011', '639180000012', '639180000013']);
  assert.equal((await stage.call('boss', 'POST', `/api/v1/campaigns/${stopped}/stop`, {})).status, 200);
  assert.deepEqual(await books(), before);
  await sound();
  const expired = await running(['639170000011', '639180000012'], LONG);
  await owner.updateTable('campaign').set({ expires_at: '2020-01-01T00:00:00Z' }).where('id', '=', expired).execute();
  await expireChunks(home.pool('sender'));
  assert.deepEqual(await books(), before);
  await sound();
});

test('each account is charged at acceptance or at delivery, by its own setting', async () => {
  await owner.updateTable('billing_account').set({ charge_on_delivery: true }).where('id', '=', theirs.id).execute();
  const before = await books();
  const id = await running(['639170000021', '639180000022']);
  const [first, second] = (await handedOver(id)).map(messageOf);
  await record([answer(first!, 1, true), answer(second!, 1, true)], 'accepted');
  assert.deepEqual(await books(), { own: [before.own[0]! - 700, 0], reseller: [before.reseller[0]! - 250, 250] });
  await sound();
  const receipt = (message: Message, state: string): Entry => ({
    kind: 'receipt',
    link_id: 1,
    carrier_id: `${message.id}-1`,
    state,
    error: '',
    frame: { buffer: Buffer.from('x'), start: 0, end: 1 } as never,
    at: Date.now(),
    segment: { message, part: 1, tries: 0 },
    settle: () => undefined,
  });
  await record([receipt(first!, 'delivered'), receipt(second!, 'undeliverable')], 'delivered');
  assert.deepEqual(await books(), { own: [before.own[0]! - 700, 0], reseller: [before.reseller[0]! - 100, 0] });
  await sound();
  await owner.updateTable('billing_account').set({ charge_on_delivery: false }).where('id', '=', theirs.id).execute();
});

test('campaigns are refused, and nothing is reserved, if the reseller cannot pay', async () => {
  const before = await books();
  for (const state of [{ suspended: true }, { suspended: false, credit_balance: 99 }]) {
    await owner.updateTable('billing_account').set(state).where('id', '=', theirs.id).execute();
    const refused = await start(await stage.quote({ custom_numbers: '639170000031' }));
    assert.deepEqual([refused.status, refused.body.code], [409, 'reseller_account_unavailable']);
    assert.deepEqual((await books()).own, before.own);
    const test = { sender_id: tenant.sender_id, content: 'Hi', number: '639170000031' };
    const tried = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns/tests', test);
    assert.equal(tried.body.code, 'reseller_account_unavailable', JSON.stringify(tried.body));
  }
  await owner
    .updateTable('billing_account')
    .set({ credit_balance: before.reseller[0]! })
    .where('id', '=', theirs.id)
    .execute();
  // The customer's people see neither the reseller's account, nor its movements, nor its plan.
  const changes = await stage.call<{ data: { billing_account_id: number }[] }>(
    'boss',
    'GET',
    '/api/v1/credit-changes?limit=200',
  );
  assert.ok(changes.body.data.every(({ billing_account_id }) => billing_account_id === tenant.billing_account_id));
  assert.equal((await stage.call('boss', 'GET', `/api/v1/price-plans/${wholesale.id}`)).status, 404);
  callers.set(
    'beacon',
    callerOf(tenant, 'reseller', {
      scope_level: 2,
      corporation_id: reseller.id,
      corporations: [reseller.id, tenant.corporation_id],
      billing_account_id: theirs.id,
      department_id: null,
    }),
  );
  const theirChanges = await stage.call<{ data: { billing_account_id: number; amount: string; kind: string }[] }>(
    'beacon',
    'GET',
    `/api/v1/credit-changes?billing_account_id=${theirs.id}&kind=charge`,
  );
  assert.ok(theirChanges.body.data.length > 0);
});

test('a test send is reserved on both accounts and explained', async () => {
  const before = await books();
  const test = { sender_id: tenant.sender_id, content: 'Hi', number: '639180000041' };
  const { status, body } = await stage.call<{ data: { message_id: number } }>(
    'boss',
    'POST',
    '/api/v1/campaigns/tests',
    test,
  );
  assert.ok(status < 300, JSON.stringify(body));
  assert.deepEqual(await books(), {
    own: [before.own[0]! - 350, 350],
    reseller: [before.reseller[0]! - 150, 150],
  });
  await sound();
  type Why = { pricing: { prefix: string | null; price_plan_name: string }; transfers: { kind: string }[] };
  const why = (await stage.call<Why>('boss', 'GET', `/api/v1/messages/${body.data.message_id}/charge`)).body;
  assert.deepEqual([why.pricing.prefix, why.transfers.length], [null, 1]);
});
