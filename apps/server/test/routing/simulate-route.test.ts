import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '#platform/database/db';
import { simulateRoute } from '../../src/modules/carrier-routes/simulate-route.ts';
import { addCard } from '../carrier-costs/applied-card.ts';
import { routedStage } from './routed-stage.ts';

test('a simulation counts the messages that a changed route would have moved', async (t) => {
  const r = await routedStage(t);
  const s = r.stage;
  const [a, b] = [await s.addLink({ name: 'A', port: 1 }), await s.addLink({ name: 'B', port: 1 })];
  const id = await r.route([[a, 1]], { prefix: '63917' });
  await r.campaign(1_500, '63917');
  await r.campaign(300, '63918');
  await addCard(s.owner, a, { 63917: 2_000 });
  await addCard(s.owner, b, { 63917: 1_500 });
  await s.owner.query(`
    INSERT INTO carrier_quality_now (link_id, network_id, sender_kind, messages, rate, usual_rate, unreported, refused, since, judged_at)
    SELECT l, n.network_id, 'alphanumeric', 1000, CASE l WHEN ${a} THEN 8000 ELSE 9600 END, 9000, 0, 0, now(), now()
    FROM unnest(ARRAY[${a}, ${b}]::bigint[]) l, (SELECT 0 AS network_id UNION ALL SELECT id FROM network) n`);
  await s.owner.query('UPDATE carrier_quality_version SET version = gen_random_uuid()');
  const ctx = {
    db: createDatabase(s.owner),
    caller: { scope_level: 0, corporation_id: null, permissions: new Set(['carrier-cards-show']) },
  };
  const conditions = { corporation_id: null, reseller_id: null, sender_id: null, class: null, network_id: null };
  const route = { ...conditions, prefix: '63917', quality_floor: null, avoid_declined: false, enabled: true };
  const links = [
    { link_id: a, position: 1, weight: 1 },
    { link_id: b, position: 2, weight: 1 },
  ];
  type Strategy = 'position' | 'best_quality' | 'least_cost';
  const run = (strategy: Strategy, prefix = '63917', of: number | null = id, hours: object = {}) => {
    const [first, second] = links;
    const draft = { ...route, prefix, strategy, links: [{ ...first, ...hours }, second] };
    return simulateRoute(ctx as never, { params: {}, query: {}, body: { id: of, route: draft } } as never);
  };
  const { data: same } = await run('position');
  assert.deepEqual([same.messages, same.moved, same.rate_before, same.rate_after], [1_500, 0, 0.8, 0.8]);
  const { data: best } = await run('best_quality');
  assert.deepEqual([best.messages, best.moved, best.rate_before, best.rate_after], [1_500, 1_500, 0.8, 0.96]);
  assert.deepEqual(best.links, [
    { link_id: a, link_name: 'A', before: 1_500, after: 0 },
    { link_id: b, link_name: 'B', before: 0, after: 1_500 },
  ]);
  const { data: fresh } = await run('best_quality', '63918', null);
  assert.equal(fresh.messages, 300, 'a new route takes what had none');
  assert.deepEqual([fresh.costs, fresh.unpriced], [[], { before: 300, after: 300 }]);
  const { data: cheap } = await run('least_cost');
  assert.equal(cheap.moved, 1_500);
  assert.deepEqual(cheap.costs, [{ currency: 'EUR', before: '3.000', after: '2.250' }]);
  assert.deepEqual(cheap.unpriced, { before: 0, after: 0 });
  const blind = { ...ctx, caller: { ...ctx.caller, permissions: new Set() } };
  const body = { id, route: { ...route, strategy: 'least_cost', links } };
  const { data: hidden } = await simulateRoute(blind as never, { params: {}, query: {}, body } as never);
  assert.equal(hidden.costs, null, 'costs are only for who may see cards');
  const { clock } = await s.one<{ clock: Record<'later' | 'end', string> }>(`SELECT json_build_object(
    'later', to_char(platform_now() + interval '2 hours', 'HH24:MI'),
    'end', to_char(platform_now() + interval '3 hours', 'HH24:MI')) AS clock`);
  const { data: closed } = await run('position', '63917', id, { from_time: clock.later, until_time: clock.end });
  assert.equal(closed.moved, 1_500, 'a link is not used outside its hours of then');
  const { data: none } = await run('best_quality', '7', null);
  assert.deepEqual([none.messages, none.moved, none.rate_after], [0, 0, null]);
});
