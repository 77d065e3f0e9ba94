import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { discounted } from '@heliograph/contract/billing/promotion';
import { priceLookup, priceLookups } from '#modules/billing';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, clock, home, plan_id } = stage;
const { timezone } = await owner
  .selectFrom('corporation')
  .select('timezone')
  .where('id', '=', tenant.corporation_id)
  .executeTakeFirstOrThrow();
// The platform sells this plan; its days are those of its own time zone.
assert.equal(timezone, 'Asia/Manila');

const body = (more: object) => ({
  name: 'Autumn',
  price_plan_id: plan_id,
  percent: null,
  price: null,
  starts_on: '2030-11-10',
  ends_on: '2030-11-20',
  ...more,
});
const make = async (more: object) => {
  const { status, body: reply } = await admin('POST', 'promotions', body(more));
  assert.equal(status, 201, JSON.stringify(reply));
  return reply.data;
};
const priceAt = async (at: string, number: string) => {
  const { priceOf, pricing } = await priceLookup(home.db('worker'), tenant.billing_account_id, { at: new Date(at) });
  // The same price is found again from what a quote records.
  const again = await priceLookup(home.db('worker'), tenant.billing_account_id, { recorded: pricing });
  assert.equal(again.priceOf(number), priceOf(number));
  return priceOf(number);
};
const INSIDE = '2030-11-15T00:00:00Z';

await owner.updateTable('price_plan').set({ default_charge: 333 }).where('id', '=', plan_id).execute();
clock.set('2030-11-01T00:00:00Z');

test('a promotion counts on its days in the zone of the seller, and ends by itself', async () => {
  const { id, state } = await make({ percent: '10' });
  assert.equal(state, 'planned');
  // 0.333 less 10 % is 0.2997, rounded up to thousandths.
  const prices = [];
  for (const at of ['2030-11-09T15:59:59Z', '2030-11-09T16:00:00Z', '2030-11-20T15:59:59Z', '2030-11-20T16:00:00Z'])
    prices.push(await priceAt(at, '639171234567'));
  assert.deepEqual(prices, [333, 300, 300, 333]);
  const many = await priceLookups(home.db('intake'), [tenant.billing_account_id], {
    zone: 'api',
    at: new Date(INSIDE),
  });
  const found = many.get(tenant.billing_account_id);
  assert.ok(found && 'priceOf' in found);
  assert.equal(found.priceOf('639171234567'), 300);
  await owner.updateTable('promotion').set({ ended_at: '2030-11-01T00:00:00Z' }).where('id', '=', id).execute();
});

test('of overlapping promotions only the lowest price counts, and none raises a price', async () => {
  const made = [
    await make({ percent: '50', prefixes: ['63917'] }),
    await make({ price: '0.200', prefixes: ['639'] }),
    await make({ price: '0.400' }),
  ];
  assert.equal(await priceAt(INSIDE, '639171234567'), 167);
  assert.equal(await priceAt(INSIDE, '639181234567'), 200);
  assert.equal(await priceAt(INSIDE, '4917012345678'), 333);
  assert.deepEqual(
    [discounted({ percent: 10_000, price: null }, 333), discounted({ percent: null, price: 0 }, 333)],
    [0, 0],
  );
  for (const { id } of made) {
    clock.set('2030-11-12T00:00:00Z');
    const ended = await admin('POST', `promotions/${id}/end`);
    assert.deepEqual([ended.status, ended.body.data['state']], [200, 'over']);
  }
  assert.equal(await priceAt(INSIDE, '639171234567'), 333);
  clock.set('2030-11-01T00:00:00Z');
});

test('a promotion for chosen corporations applies to no other', async () => {
  const other = await owner
    .insertInto('corporation')
    .values({ name: 'Other' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await make({ percent: '10', corporation_ids: [other.id] });
  assert.equal(await priceAt(INSIDE, '639171234567'), 333);
  await owner.updateTable('promotion').set({ ended_at: '2030-11-01T00:00:00Z' }).where('id', '=', id).execute();
});

test('quote, price of a number and charge name the promotion, and a quote keeps it', async () => {
  clock.set(null);
  const today = Temporal.Now.plainDateISO('Asia/Manila').toString();
  const { id } = await make({ name: 'Today', price: '0.111', starts_on: today, ends_on: today });
  const asked = await admin<{ charge: string; promotion: string }>(
    'GET',
    `rate-details/price?billing_account_id=${tenant.billing_account_id}&number=639171234567`,
  );
  assert.deepEqual([asked.body.charge, asked.body.promotion], ['0.111', 'Today']);
  const quote = await stage.quote({ custom_numbers: '639171234567', content: 'Hello' }, 'boss');
  assert.deepEqual([quote.cost, quote.promotions], ['0.111', [{ name: 'Today', ends_on: today }]]);
  assert.equal((await admin('POST', `promotions/${id}/end`)).status, 200);
  const started = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Promoted' });
  assert.equal(started.status, 201, JSON.stringify(started.body));
  await stage.prepare(started.body.data.id);
  const message = await owner
    .selectFrom('message')
    .select(['id', 'unit_price'])
    .where('campaign_id', '=', started.body.data.id)
    .executeTakeFirstOrThrow();
  assert.equal(message.unit_price, 111);
  const why = await stage.call<{ pricing: Record<string, unknown> }>(
    'boss',
    'GET',
    `/api/v1/messages/${message.id}/charge`,
  );
  const { charge, promotion } = why.body.pricing;
  assert.deepEqual([charge, promotion], ['0.333', { name: 'Today', percent: null, price: '0.111', charge: '0.111' }]);
  assert.equal((await stage.quote({ custom_numbers: '639171234567', content: 'Hello' }, 'boss')).cost, '0.333');
});

test('bad promotions are refused with the field, and only owners of the plan make them', async () => {
  clock.set('2030-11-01T00:00:00Z');
  const fields = async (more: object) => Object.keys((await admin('POST', 'promotions', body(more))).body.errors ?? {});
  assert.deepEqual(await fields({}), ['percent']);
  assert.deepEqual(await fields({ percent: '10', price: '1' }), ['percent']);
  for (const percent of ['0', '100.01', '-5', 'x']) assert.deepEqual(await fields({ percent }), ['percent'], percent);
  assert.deepEqual(await fields({ percent: '10', ends_on: '2030-11-09' }), ['ends_on']);
  assert.deepEqual(await fields({ percent: '10', starts_on: '2030-10-01', ends_on: '2030-10-31' }), ['ends_on']);
  assert.deepEqual(await fields({ percent: '10', network_ids: [999_999] }), ['network_ids']);
  assert.deepEqual(await fields({ percent: '10', corporation_ids: [999_999] }), ['corporation_ids']);
  assert.deepEqual(await fields({ percent: '10', price_plan_id: 999_999 }), ['price_plan_id']);
  assert.equal((await stage.call<Body>('boss', 'POST', '/api/v1/promotions', body({ percent: '10' }))).status, 403);
  const seen = await stage.call<{ data: unknown[] }>('boss', 'GET', '/api/v1/promotions');
  assert.deepEqual([seen.status, seen.body.data], [200, []]);
});
