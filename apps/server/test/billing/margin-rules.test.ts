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
import { createLogger } from '#platform/log';
import { mailFollowedCost } from '../../src/modules/billing/follow-costs.ts';
import { startSmtpSink } from '../organizations/smtp-sink.ts';
import { makeSellerStage, one } from './seller-stage.ts';
import type { Body } from './stage.ts';

const stage = await makeSellerStage({ after });
const { admin, owner, zones, follow, beacon, wholesale, retail, path, rule, put, cardNow } = stage;

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
  const before = await cardNow();
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
  assert.deepEqual(await cardNow(), before);
});

test('a rule makes the whole card, and nobody changes it until the rule is removed', async () => {
  const saved = await put('beacon', rule);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  assert.deepEqual(await cardNow(), FIRST);
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
  assert.deepEqual(await cardNow(), FIRST);
  assert.equal((await stage.call<Body>('beacon', 'POST', '/api/v1/rates', byHand)).status, 201);
  await put('beacon', rule);
  assert.deepEqual(await cardNow(), FIRST);
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
  assert.deepEqual((await cardNow())[3], 'WEB 63917 2020-01-01 560 ');
  const made = await version();
  await follow();
  assert.deepEqual([made > before, await version()], [true, made]);
  const { body } = await stage.call<Body>('beacon', 'GET', path);
  const [last] = body.data['cards'] as { version: number; dearer: number; cheaper: number }[];
  assert.deepEqual([last?.version, last?.dearer, last?.cheaper], [made, 1, 0]);
});

test('a seller gets a mail in their language when prices follow a cost', async () => {
  const { role_id } = await one(owner.selectFrom('user_account').select('role_id').limit(1));
  const { id: user_id } = await one(
    owner
      .insertInto('user_account')
      .values({
        ...{ name: 'Seller', email: 'seller@heliograph.test', password_hash: '', role_id, scope_level: 2 },
        ...{ corporation_id: beacon.id, preferred_language: 'cn' },
      })
      .returning('id'),
  );
  const { id: margin_rule_card_id, version } = await one(
    owner.selectFrom('margin_rule_card').select(['id', 'version']).orderBy('id', 'desc').limit(1),
  );
  const sink = await startSmtpSink({ after });
  const config = { ...stage.config, MAIL_URL: `smtp://127.0.0.1:${sink.port}` };
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const mail = () =>
    mailFollowedCost({ database: stage.home.db('worker'), config, log }, { margin_rule_card_id, user_id });
  await mail();
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    ['seller@heliograph.test'],
  );
  const [head = '', ...body] = sink.mails[0]!.source.split(/\r?\n\r?\n/);
  const raw = body.join('\n');
  const text = /base64/i.test(head)
    ? Buffer.from(raw.replace(/\s/g, ''), 'base64').toString()
    : decodeURIComponent(raw.replace(/%/g, '%25').replace(/=([0-9A-F]{2})/g, '%$1'));
  assert.match(text, new RegExp(`Retail 已有新的价目表（版本 ${version}）`));
  await owner.insertInto('user_preference').values({ user_id, mail_kinds: [] }).execute();
  await mail();
  assert.equal(sink.mails.length, 1, 'not wanted');
});

test('prices stay and say why while the cost is not known', async () => {
  const before = await cardNow();
  await owner.updateTable('billing_account').set({ enabled: false }).where('corporation_id', '=', beacon.id).execute();
  await follow();
  const problem = async () => (await stage.call<Body>('beacon', 'GET', path)).body.data['problem'];
  assert.deepEqual([await problem(), await cardNow()], ['no_cost', before]);
  await owner.updateTable('billing_account').set({ enabled: true }).where('corporation_id', '=', beacon.id).execute();
  await follow();
  assert.equal(await problem(), null);
  // An account in another currency cannot follow this cost.
  const { id } = await one(
    owner.insertInto('corporation').values({ name: 'Abroad', currency: 'USD', reseller_id: beacon.id }).returning('id'),
  );
  await owner
    .insertInto('billing_account')
    .values({ corporation_id: id, name: 'Abroad', key: 'B-2', price_plan_id: retail.id })
    .execute();
  await follow();
  assert.deepEqual([await problem(), await cardNow()], ['currency', before]);
  await owner.deleteFrom('billing_account').where('corporation_id', '=', id).execute();
  await follow();
  assert.equal(await problem(), null);
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
  assert.equal((await cardNow()).at(-1), 0);
});
