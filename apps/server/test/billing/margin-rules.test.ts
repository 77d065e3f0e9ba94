import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  HIGHEST_PRICE,
  type Margin,
  percentHundredths,
  percentText,
  priceByRule,
} from '@heliograph/contract/billing/margin-rule';
import fc from 'fast-check';
import { pay } from '#modules/billing';
import { followCosts } from '../../src/modules/billing/follow-costs.ts';
import { callerOf } from '../campaigns/stage.ts';
import { type Body, makeMoneyStage } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, zones, callers, clock, home } = stage;
const follow = () => followCosts({ database: home.db('worker'), clock });

const one = async <T>(work: { executeTakeFirstOrThrow(): Promise<T> }) => work.executeTakeFirstOrThrow();
const beacon = await one(owner.insertInto('corporation').values({ name: 'Beacon', is_reseller: true }).returning('id'));
const plan = (name: string, default_charge: number, corporation_id: number | null = null) =>
  one(
    owner
      .insertInto('price_plan')
      .values({ name, type: 'prepaid_package', default_charge, corporation_id })
      .returning('id'),
  );
const wholesale = await plan('Wholesale', 100);
const retail = await plan('Retail', 900, beacon.id);
const rates = [
  { rate_zone_id: zones.web, prefix: '63', charge: 200, starts_on: '2020-01-01' },
  { rate_zone_id: zones.web, prefix: '63917', charge: 333, starts_on: '2020-01-01' },
  { rate_zone_id: zones.api, prefix: '63', charge: 150, starts_on: '2020-01-01', ends_on: '2090-01-31' },
  { rate_zone_id: zones.api, prefix: '63', charge: 400, starts_on: '2090-02-01' },
];
await owner
  .insertInto('rate')
  .values(rates.map((rate) => ({ ...rate, price_plan_id: wholesale.id })))
  .execute();
await owner
  .insertInto('billing_account')
  .values({ corporation_id: beacon.id, name: 'Own', key: 'B-1', price_plan_id: wholesale.id })
  .execute();
await owner
  .updateTable('corporation')
  .set({ reseller_id: beacon.id })
  .where('id', '=', tenant.corporation_id)
  .execute();
const { id: own } = await one(owner.selectFrom('billing_account').select('id').where('corporation_id', '=', beacon.id));
await owner
  .transaction()
  .execute((db) => pay(db, { key: 'own', billing_account_id: own, corporation_id: beacon.id, amount: 50_000 }));
const boss = callers.get('boss')!;
callers.set(
  'beacon',
  callerOf(tenant, 'reseller', {
    scope_level: 2,
    corporation_id: beacon.id,
    corporations: [beacon.id, tenant.corporation_id],
    billing_account_id: null,
    department_id: null,
  }),
);

const path = `/api/v1/price-plans/${retail.id}/margin-rule`;
const rule = { percent: '10', fixed: '0.005', floor: '0.200', step: '0.010', below_cost: false, link_id: null };
const put = (who: string, body: object) => stage.call<Body>(who, 'PUT', path, body);
const card = async () => {
  const all = await owner.selectFrom('rate').selectAll().where('price_plan_id', '=', retail.id).orderBy('id').execute();
  const { default_charge } = await one(
    owner.selectFrom('price_plan').select('default_charge').where('id', '=', retail.id),
  );
  const prices = all.map(({ rate_zone_id, prefix, starts_on, charge, ends_on }) =>
    [rate_zone_id === zones.web ? 'WEB' : 'API', prefix, starts_on, charge, ends_on].join(' '),
  );
  return [...prices.sort(), default_charge];
};
const FIRST = [
  'API 63 2020-01-01 200 2090-01-31',
  'API 63 2090-02-01 450 ',
  'WEB 63 2020-01-01 230 ',
  'WEB 63917 2020-01-01 380 ',
  200,
];

test('a price is never below cost or floor, and the lowest multiple above the sum', () => {
  const margins: fc.Arbitrary<Margin> = fc.record({
    percent: fc.integer({ min: -10_000, max: 100_000 }),
    fixed: fc.integer({ min: 0, max: 999_999 }),
    floor: fc.integer({ min: 0, max: 999_999 }),
    step: fc.constantFrom(1, 5, 10, 50, 100, 1000),
    below_cost: fc.boolean(),
  });
  fc.assert(
    fc.property(margins, fc.integer({ min: 0, max: 999_999 }), (margin, cost) => {
      const price = priceByRule(margin, cost);
      assert(Number.isSafeInteger(price) && price >= margin.floor && price <= HIGHEST_PRICE);
      assert(margin.below_cost || price >= cost);
      // The same in big integers: a multiple of the step that is less than one step above the exact sum.
      const exact = BigInt(cost) * BigInt(10_000 + margin.percent) + BigInt(margin.fixed) * 10_000n;
      const unit = BigInt(margin.step) * 10_000n;
      const rounded = Number(((exact + unit - 1n) / unit) * BigInt(margin.step));
      const least = Math.max(rounded, margin.floor, margin.below_cost ? 0 : cost);
      assert.equal(price, Math.min(least, HIGHEST_PRICE));
    }),
    { numRuns: 20_000 },
  );
  fc.assert(fc.property(fc.integer({ min: -10_000, max: 100_000 }), (n) => percentHundredths(percentText(n)) === n));
});

test('a preview shows cost, present and new price, and changes nothing', async () => {
  const before = await card();
  const { status, body } = await stage.call<Body>('beacon', 'POST', `${path}/preview`, rule);
  assert.equal(status, 200, JSON.stringify(body));
  const {
    rates: count,
    new: added,
    ended,
    dearer,
    cheaper,
    data,
    default: other,
  } = body.data as Record<string, unknown>;
  assert.deepEqual([count, added, ended, dearer, cheaper], [4, 4, 0, 0, 1]);
  assert.deepEqual(other, { cost: '0.100', price: '0.200', present: '0.900' });
  assert.deepEqual(
    (data as { prefix: string; cost: string; price: string }[]).map(({ prefix, cost, price }) => [prefix, cost, price]),
    [
      ['63', '0.200', '0.230'],
      ['63917', '0.333', '0.380'],
      ['63', '0.150', '0.200'],
      ['63', '0.400', '0.450'],
    ],
  );
  assert.deepEqual(await card(), before);
});

test('a rule makes the whole card, and nobody changes it until the rule is removed', async () => {
  const saved = await put('beacon', rule);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(await card(), FIRST);
  const byHand = {
    price_plan_id: retail.id,
    rate_zone_id: zones.web,
    prefix: '1',
    charge: '1',
    starts_on: '2026-01-01',
  };
  assert.equal((await stage.call<Body>('beacon', 'POST', '/api/v1/rates', byHand)).body.code, 'plan_follows_cost');
  const changed = await stage.call<Body>('beacon', 'PATCH', `/api/v1/price-plans/${retail.id}`, {
    default_charge: '5',
  });
  assert.equal(changed.body.code, 'plan_follows_cost');
  await assert.rejects(stage.card('zone,prefix,charge\nWEB,1,1\n', retail.id), /plan_follows_cost/);
  assert.equal((await stage.call<Body>('beacon', 'DELETE', path)).status, 200);
  assert.deepEqual(await card(), FIRST);
  assert.equal((await stage.call<Body>('beacon', 'POST', '/api/v1/rates', byHand)).status, 201);
  await put('beacon', rule);
  assert.deepEqual(await card(), FIRST);
});

test('a new cost makes one new version, and only then', async () => {
  const version = async () =>
    (await one(owner.selectFrom('price_plan').select('version').where('id', '=', retail.id))).version;
  const before = await version();
  await follow();
  assert.equal(await version(), before);
  const { id } = await one(
    owner.selectFrom('rate').select('id').where('price_plan_id', '=', wholesale.id).where('prefix', '=', '63917'),
  );
  assert.equal((await admin('PATCH', `rates/${id}`, { charge: '0.500' })).status, 200);
  // Two workers at the same time make one card.
  await Promise.all([follow(), follow()]);
  assert.deepEqual((await card())[3], 'WEB 63917 2020-01-01 560 ');
  const made = await version();
  await follow();
  assert.deepEqual([made > before, await version()], [true, made]);
  const { body } = await stage.call<Body>('beacon', 'GET', path);
  const [last] = body.data['cards'] as { version: number; dearer: number; cheaper: number }[];
  assert.deepEqual([last?.version, last?.dearer, last?.cheaper], [made, 1, 0]);
});

test('prices stay and say why while the cost is not known', async () => {
  const before = await card();
  await owner.updateTable('billing_account').set({ enabled: false }).where('corporation_id', '=', beacon.id).execute();
  await follow();
  const problem = async () => (await stage.call<Body>('beacon', 'GET', path)).body.data['problem'];
  assert.deepEqual([await problem(), await card()], ['no_cost', before]);
  await owner.updateTable('billing_account').set({ enabled: true }).where('corporation_id', '=', beacon.id).execute();
  await follow();
  assert.equal(await problem(), null);
});

test('only the seller sees its rule, also behind a charge', async () => {
  callers.set('boss', { ...boss, corporations: [tenant.corporation_id] });
  await owner
    .updateTable('billing_account')
    .set({ price_plan_id: retail.id })
    .where('id', '=', tenant.billing_account_id)
    .execute();
  assert.equal((await stage.call<Body>('boss', 'GET', path)).status, 403);
  assert.equal((await put('boss', rule)).status, 403);
  assert.equal((await put('nobody', rule)).status, 401);
  const platformPlan = `/api/v1/price-plans/${wholesale.id}/margin-rule`;
  assert.equal((await stage.call<Body>('beacon', 'GET', platformPlan)).status, 403);
  const campaign = await stage.quote({ custom_numbers: '639171234567', content: 'Hello' }, 'boss');
  const { body } = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', {
    quote_id: campaign.id,
    name: 'Resold',
  });
  await stage.prepare(body.data.id);
  const { id } = await one(owner.selectFrom('message').select('id').where('campaign_id', '=', body.data.id));
  const why = async (who: string) => {
    const reply = await stage.call<{ pricing: Record<string, unknown> }>(who, 'GET', `/api/v1/messages/${id}/charge`);
    return [reply.body.pricing['charge'], reply.body.pricing['margin']];
  };
  const cost = { rule: { ...rule, percent: '10.00' }, cost: '0.500', cost_name: 'Wholesale' };
  assert.deepEqual(await why('beacon'), ['0.560', cost]);
  assert.deepEqual(await why('boss'), ['0.560', null]);
});

test('bad rules are refused with the field', async () => {
  const fields = async (more: object) => Object.keys((await put('beacon', { ...rule, ...more })).body.errors ?? {});
  for (const [field, value] of [
    ['percent', '5%'],
    ['percent', '1000.01'],
    ['percent', '-100.01'],
    ['fixed', '-1'],
    ['floor', '1000'],
    ['step', '0.003'],
    ['link_id', 999_999],
  ] as const)
    assert.deepEqual(await fields({ [field]: value }), [field], `${field} ${value}`);
  assert.equal(
    (await put('beacon', { ...rule, percent: '-100', below_cost: true, floor: '0', fixed: '0' })).status,
    200,
  );
  assert.equal((await card()).at(-1), 0);
});

test('a plan of the platform follows the carrier card of a link in its currency', async () => {
  const { id: link_id } = await one(owner.selectFrom('link').select('id').orderBy('id'));
  const path = `/api/v1/price-plans/${wholesale.id}/margin-rule`;
  const body = { ...rule, floor: '0', fixed: '0', step: '0.001', percent: '50', link_id };
  const preview = () => stage.call<Body>('admin', 'POST', `${path}/preview`, body);
  assert.equal((await preview()).body.code, 'margin_no_cost');
  const hourAgo = new Date(clock.now().getTime() - 3_600_000).toISOString();
  const draft = await one(
    owner
      .insertInto('carrier_card')
      .values({ link_id, name: 'May', currency: 'USD', starts_on: '2020-01-01' })
      .returning('id'),
  );
  await owner
    .insertInto('carrier_rate')
    .values([
      { carrier_card_id: draft.id, prefix: '63', amount: 2_000 },
      // The highest cost of the classes counts.
      { carrier_card_id: draft.id, prefix: '63', class: 'otp', amount: 2_345 },
      { carrier_card_id: draft.id, prefix: '63917', amount: 1_000 },
    ])
    .execute();
  const applied = { version: 1, applied_at: hourAgo, timezone: 'Asia/Manila', from_at: hourAgo };
  await owner.updateTable('carrier_card').set(applied).where('id', '=', draft.id).execute();
  assert.equal((await preview()).body.code, 'margin_currency');
  const rate = { from_currency: 'USD', to_currency: 'PHP', day: '2020-01-01', digits: 5_725, scale: 2 };
  await owner.insertInto('exchange_rate').values(rate).execute();
  const { data } = (await preview()).body.data as unknown as {
    data: { zone: string; prefix: string; cost: string; price: string }[];
  };
  assert.deepEqual(
    data.filter(({ zone }) => zone === 'API').map(({ prefix, cost, price }) => [prefix, cost, price]),
    // 0.002345 × 57.25 = 0.13425 and 0.001 × 57.25 = 0.05725, both rounded up.
    [
      ['63', '0.135', '0.203'],
      ['63917', '0.058', '0.087'],
    ],
  );
  assert.equal((await stage.call<Body>('beacon', 'POST', `${path}/preview`, body)).status, 403);
  assert.equal((await stage.call<Body>('admin', 'PUT', path, body)).status, 200);
  await follow();
  const charges = await owner
    .selectFrom('rate')
    .select('charge')
    .where('price_plan_id', '=', wholesale.id)
    .orderBy('charge')
    .execute();
  assert.deepEqual(new Set(charges.map(({ charge }) => charge)), new Set([87, 203]));
});
