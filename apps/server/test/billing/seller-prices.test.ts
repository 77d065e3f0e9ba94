import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { filePath } from '#platform/files/files';
import { createLogger } from '#platform/log';
import { runTrial } from '../../src/modules/billing/price-trials.ts';
import { trial } from '../../src/modules/billing/try-prices.ts';
import { makeSellerStage, one, type Rule } from './seller-stage.ts';
import type { Body } from './stage.ts';

const stage = await makeSellerStage({ after });
const { owner, tenant, callers, clock, home, follow, wholesale, retail, path, rule, put } = stage;

test('only the seller sees its rule, also behind a charge', async () => {
  await put('beacon', rule);
  callers.set('boss', { ...callers.get('boss')!, corporations: [tenant.corporation_id] });
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
  const cost = { rule: { ...rule, percent: '10.00' }, cost: '0.333', cost_name: 'Wholesale' };
  assert.deepEqual(await why('beacon'), ['0.380', cost]);
  assert.deepEqual(await why('boss'), ['0.380', null]);
});

test('a trial shows what past traffic was charged, cost, and would have brought', async () => {
  // One message of one part was charged 0.380 and cost 0.333; the next rule would have charged 0.500.
  await owner
    .updateTable('chunk')
    .set({ cursor: 1, created_at: new Date(Date.now() - 3 * 86_400_000).toISOString() })
    .execute();
  const { id, corporation_id } = await one(owner.selectFrom('message').select(['id', 'corporation_id']));
  await owner
    .insertInto('submission')
    .values({
      message_id: id,
      part: 1,
      corporation_id,
      link_id: 1,
      command_status: 0,
      carrier_id: 'x',
      answered_at: new Date().toISOString(),
    })
    .execute();
  const wanted = { price_plan_id: retail.id, card_upload_id: null };
  const tried = async (rule: Rule | null) => {
    const { lines, currency } = await trial(home.db('worker'), { ...wanted, rule }, new Date(), async () => undefined);
    return [currency, ...lines.map(({ network: _, ...sums }) => sums)];
  };
  const next = { ...rule, percent: '50', fixed: '0', step: '0.001' as const };
  assert.deepEqual(await tried(next), ['PHP', { parts: 1, charged: 380, tried: 500, cost: 333 }]);
  assert.deepEqual(await tried(null), ['PHP', { parts: 1, charged: 380, tried: 380, cost: 333 }]);
  const ask = (who: string, body: object) =>
    stage.call<Body>(who, 'POST', `/api/v1/price-plans/${retail.id}/trial`, body);
  const { status, body } = await ask('beacon', { rule: next });
  assert.equal(status, 202);
  const worker = {
    database: home.db('worker'),
    config: stage.config,
    clock,
    log: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
  };
  const seller = { ...callers.get('beacon')!, user_id: tenant.user_id };
  await runTrial(worker, async () => seller, body.data.id, new AbortController().signal);
  const shown = await stage.call<{ data: Record<string, unknown> }>(
    'beacon',
    'GET',
    `/api/v1/price-plans/${retail.id}/trial`,
  );
  const { prices, charged, tried: would, cost, margin, margin_tried } = shown.body.data;
  assert.deepEqual(
    [prices, charged, would, cost, margin, margin_tried],
    ['rule', '0.380', '0.500', '0.333', '0.047', '0.167'],
  );
  const { file_path } = await one(owner.selectFrom('task').select('file_path').where('id', '=', body.data.id));
  assert.match(readFileSync(filePath(stage.config, file_path!), 'utf8'), /,1,0.380,0.500,0.333,0.047,0.167,PHP/);
  assert.deepEqual(Object.keys((await ask('beacon', { card_upload_id: 999_999 })).body.errors ?? {}), [
    'card_upload_id',
  ]);
  assert.equal((await ask('boss', {})).status, 403);
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
