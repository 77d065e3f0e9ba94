import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { priceLookup } from '#modules/billing';
import { createPool } from '../../src/platform/database/db.ts';
import { PRICE } from '../campaigns/stage.ts';
import { makeTenant } from '../contacts/tenant.ts';
import { type Body, makeMoneyStage, rateOf } from './stage.ts';

const stage = await makeMoneyStage({ after });
const { admin, owner, tenant, zones, plan_id, clock, home } = stage;
const account = tenant.billing_account_id;

const rate = rateOf(stage);
const cardNow = () => owner.selectFrom('rate').selectAll().orderBy('id').execute();
const priceOf = async (msisdn: string, at?: string) =>
  (await priceLookup(home.pool('sender'), account, at ? { at: new Date(at) } : {})).priceOf(msisdn);

beforeEach(async () => {
  clock.set(null);
  await owner.deleteFrom('task').execute();
  await owner.deleteFrom('rate').execute();
});

test('the longest enabled prefix of the zone decides, otherwise the default charge', async () => {
  await admin('POST', 'rates', rate({ prefix: '63', charge: '0.3' }));
  const made = await admin('POST', 'rates', rate());
  assert.equal(made.status, 201);
  await admin('POST', 'rates', rate({ rate_zone_id: zones.api, charge: '0.9' }));
  const now = '2026-06-01T00:00:00Z';
  assert.deepEqual(
    await Promise.all(['639170000001', '639180000001', '15550001'].map((number) => priceOf(number, now))),
    [250, 300, PRICE],
  );
  const api = await priceLookup(home.pool('sender'), account, { zone: 'api', at: new Date(now) });
  assert.equal(api.priceOf('639170000001'), 900);
  await admin('PATCH', `rates/${made.body.data.id}`, { enabled: false });
  assert.equal(await priceOf('639170000001', now), 300);
  await admin('PATCH', `rate-zones/${zones.web}`, { enabled: false });
  assert.equal(await priceOf('639170000001', now), PRICE);
  await admin('PATCH', `rate-zones/${zones.web}`, { enabled: true });
});

test('a rate applies on its days in the account’s time zone, also when clocks change', async () => {
  await owner
    .updateTable('corporation')
    .set({ timezone: 'America/New_York' })
    .where('id', '=', tenant.corporation_id)
    .execute();
  await admin('POST', 'rates', rate({ charge: '0.100', ends_on: '2026-03-07' }));
  await admin('POST', 'rates', rate({ charge: '0.200', starts_on: '2026-03-08', ends_on: '2026-03-08' }));
  await admin('POST', 'rates', rate({ charge: '0.300', starts_on: '2026-03-09', ends_on: '2026-10-31' }));
  await admin('POST', 'rates', rate({ charge: '0.400', starts_on: '2026-11-01', ends_on: '2026-11-01' }));
  const number = '639170000001';
  for (const [at, expected] of [
    ['2026-01-01T04:59:59Z', PRICE], // the day before, 23:59:59
    ['2026-01-01T05:00:00Z', 100],
    ['2026-03-08T04:59:59Z', 100],
    ['2026-03-08T05:00:00Z', 200], // this day has 23 hours
    ['2026-03-09T03:59:59Z', 200],
    ['2026-03-09T04:00:00Z', 300],
    ['2026-11-01T04:00:00Z', 400], // and this one 25
    ['2026-11-02T04:59:59Z', 400],
    ['2026-11-02T05:00:00Z', PRICE],
  ] as const)
    assert.equal(await priceOf(number, at), expected, at);
  await owner
    .updateTable('corporation')
    .set({ timezone: 'Asia/Manila' })
    .where('id', '=', tenant.corporation_id)
    .execute();
});

test('bad rates are refused on their field and change nothing', async () => {
  await admin('POST', 'rates', rate({ ends_on: '2026-06-30' }));
  const before = await cardNow();
  const foreign = await makeTenant(owner);
  const theirs = await owner
    .insertInto('price_plan')
    .values({ name: 'Theirs', type: 'prepaid_package', default_charge: 1, corporation_id: foreign.corporation_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const [field, body] of [
    ['charge', { charge: '-0.1' }],
    ['charge', { charge: 'NaN' }],
    ['charge', { charge: '1e9' }],
    ['charge', { charge: '0.1234' }],
    ['charge', { charge: '1000' }],
    ['charge', { charge: 0.25 }],
    ['prefix', { prefix: '63a' }],
    ['prefix', { prefix: '' }],
    ['prefix', { prefix: '1234567890123456' }],
    ['starts_on', { starts_on: '2026-02-30' }],
    ['ends_on', { starts_on: '2026-07-02', ends_on: '2026-07-01' }],
    ['starts_on', { starts_on: '2026-06-30' }],
    ['starts_on', { starts_on: '2025-12-01' }],
    ['starts_on', { starts_on: '2025-12-01', ends_on: '2026-01-01' }],
    ['rate_zone_id', { rate_zone_id: 999_999 }],
    ['price_plan_id', { price_plan_id: 999_999 }],
  ] as const) {
    const refused = await admin('POST', 'rates', rate(body));
    assert.equal(refused.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(refused.body.errors ?? {}), [field], JSON.stringify(body));
  }
  assert.equal((await admin('POST', 'rates', rate())).body.code, 'rate_already_exists');
  // A foreign plan is refused like a missing one. The plan that bills the caller is visible, but they cannot change it.
  const call = (body: object) => stage.call<Body>('boss', 'POST', '/api/v1/rates', body);
  assert.deepEqual(Object.keys((await call(rate({ price_plan_id: theirs.id }))).body.errors ?? {}), ['price_plan_id']);
  assert.equal((await call(rate({ prefix: '1' }))).status, 403);
  assert.deepEqual(await cardNow(), before);
});

test('a plan or a zone in use is not deleted', async () => {
  const sentence = 'Can not delete this because there are dependencies';
  const zone = (await admin('POST', 'rate-zones', { name: 'Partners' })).body.data.id;
  const plan = (await admin('POST', 'price-plans', { name: 'Small', type: 'prepaid_package', default_charge: '1' }))
    .body.data.id;
  const made = (await admin('POST', 'rates', rate({ price_plan_id: plan, rate_zone_id: zone }))).body.data.id;
  for (const path of [
    `rate-zones/${zone}`,
    `price-plans/${plan}`,
    `price-plans/${plan_id}`,
    `rate-zones/${zones.web}`,
  ]) {
    const refused = await admin('DELETE', path);
    assert.deepEqual([refused.status, refused.body.message], [409, sentence], path);
  }
  assert.deepEqual(Object.keys((await admin('PATCH', `rate-zones/${zones.api}`, { name: 'X' })).body.errors ?? {}), [
    'name',
  ]);
  assert.equal((await admin('POST', 'rate-zones', { name: 'PARTNERS' })).body.code, 'rate_zone_already_exists');
  assert.equal((await admin('DELETE', `rates/${made}`)).status, 200);
  assert.equal((await admin('DELETE', `rate-zones/${zone}`)).status, 200);
  assert.equal((await admin('DELETE', `price-plans/${plan}`)).status, 200);
});

test('a changed rate applies in every process, but not to earlier quotes', async () => {
  const made = await admin('POST', 'rates', rate({ starts_on: '2020-01-01' }));
  const other = createPool({ DATABASE_URL: home.url }, 'sender');
  after(() => other.end());
  const number = '639170000001';
  assert.equal((await priceLookup(other, account)).priceOf(number), 250);
  const quote = await stage.quote({ custom_numbers: `${number},639180000001`, content: 'Hello' });
  assert.equal(quote.cost, '0.600');

  await admin('PATCH', `rates/${made.body.data.id}`, { charge: '0.999' });
  await admin('PATCH', `price-plans/${plan_id}`, { default_charge: '7.777' });
  const { priceOf: newPriceOf } = await priceLookup(other, account);
  assert.deepEqual([newPriceOf(number), newPriceOf('639180000001')], [999, 7_777]);
  assert.equal((await stage.quote({ custom_numbers: number })).cost, '0.999');

  const { body } = await stage.call<Body>('boss', 'POST', '/api/v1/campaigns', { quote_id: quote.id, name: 'Kept' });
  await admin('DELETE', `rates/${made.body.data.id}`);
  await stage.prepare(body.data.id);
  const messages = await owner
    .selectFrom('message')
    .select(['id', 'unit_price'])
    .where('campaign_id', '=', body.data.id)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    messages.map(({ unit_price }) => unit_price),
    [250, PRICE],
  );

  type Why = {
    pricing: { prefix: string | null; charge: string; rate_id: number | null; rate_zone_name: string };
    transfers: { kind: string }[];
    parts_open: number;
  };
  const why = async (id: number) => (await admin<Why>('GET', `messages/${id}/charge`)).body;
  const [first, second] = [await why(messages[0]!.id), await why(messages[1]!.id)];
  assert.deepEqual(
    [first.pricing.prefix, first.pricing.charge, first.pricing.rate_id, first.pricing.rate_zone_name, first.parts_open],
    ['63917', '0.250', made.body.data.id, 'WEB', 1],
    'long after the rate is gone',
  );
  assert.deepEqual([second.pricing.prefix, second.pricing.charge], [null, '0.350']);
  assert.deepEqual(
    first.transfers.map(({ kind }) => kind),
    ['reservation'],
  );
  await admin('PATCH', `price-plans/${plan_id}`, { default_charge: '0.350' });
});

test('rate details show the rates in force today, and the price of a number', async () => {
  clock.set('2026-06-01T00:00:00Z');
  for (const body of [
    rate({ prefix: '1' }),
    rate({ prefix: '2', enabled: false }),
    rate({ prefix: '3', starts_on: '2026-07-01' }),
    rate({ prefix: '4', ends_on: '2026-05-31' }),
    rate({ prefix: '5' }),
    rate({ prefix: '6', rate_zone_id: zones.api }),
  ])
    await admin('POST', 'rates', body);
  type Page = {
    data: { prefix: string; rate_zone_name: string }[];
    next_cursor: string | null;
    default_charge: string;
  };
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: { body: Page } = await stage.call<Page>(
      'boss',
      'GET',
      `/api/v1/rate-details?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...body.data.map((row) => `${row.rate_zone_name} ${row.prefix}`));
    assert.equal(body.default_charge, '0.350');
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, ['WEB 1', 'WEB 5', 'API 6']);
  type Price = { prefix: string | null; charge: string; number: string; rate_zone_name: string };
  const ask = async (number: string, more = '') =>
    (
      await stage.call<Price & Body>(
        'boss',
        'GET',
        `/api/v1/rate-details/price?number=${encodeURIComponent(number)}${more}`,
      )
    ).body;
  assert.deepEqual(await ask('+1 (555) 000-1'), {
    ...(await ask('15550001')),
    number: '15550001',
    prefix: '1',
    charge: '0.250',
    rate_zone_name: 'WEB',
  });
  assert.deepEqual([(await ask('6777777')).prefix, (await ask('6777777')).charge], [null, '0.350']);
  assert.equal((await ask('6777777', `&rate_zone_id=${zones.api}`)).prefix, '6');
  assert.deepEqual(Object.keys((await ask('hello')).errors ?? {}), ['number']);
});

test('the list of rates is filtered by the start of a prefix and by a day', async () => {
  for (const body of [
    rate({ prefix: '639', ends_on: '2026-05-31' }),
    rate({ prefix: '63917' }),
    rate({ prefix: '1639', starts_on: '2026-06-01' }),
  ])
    assert.equal((await admin('POST', 'rates', body)).status, 201);
  const found = async (query: string) => {
    const { body } = await stage.call<{ data: { prefix: string }[] }>('admin', 'GET', `/api/v1/rates?${query}`);
    return body.data.map(({ prefix }) => prefix).sort();
  };
  assert.deepEqual(await found('prefix=639'), ['639', '63917']);
  assert.deepEqual(await found('in_force_on=2026-05-31'), ['639', '63917']);
  assert.deepEqual(await found('in_force_on=2026-06-01'), ['1639', '63917']);
  assert.deepEqual(await found('in_force_on=2025-12-31'), []);
});
