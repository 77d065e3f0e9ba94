import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '#platform/database/db';
import { simulateRoute } from '../../src/modules/carrier-routes/simulate-route.ts';
import { routedStage } from './routed-stage.ts';

test('a simulation counts the messages that a changed route would have moved', async (t) => {
  const r = await routedStage(t);
  const s = r.stage;
  const [a, b] = [await s.addLink({ name: 'A', port: 1 }), await s.addLink({ name: 'B', port: 1 })];
  const id = await r.route([[a, 1]], { prefix: '63917' });
  await r.campaign(1_500, '63917');
  await r.campaign(300, '63918');
  await s.owner.query(`
    INSERT INTO carrier_quality_now (link_id, network_id, sender_kind, messages, rate, usual_rate, unreported, refused, since, judged_at)
    SELECT l, n.network_id, 'alphanumeric', 1000, CASE l WHEN ${a} THEN 8000 ELSE 9600 END, 9000, 0, 0, now(), now()
    FROM unnest(ARRAY[${a}, ${b}]::bigint[]) l, (SELECT 0 AS network_id UNION ALL SELECT id FROM network) n`);
  await s.owner.query('UPDATE carrier_quality_version SET version = gen_random_uuid()');
  const ctx = { db: createDatabase(s.owner), caller: { scope_level: 0, corporation_id: null } };
  const conditions = { corporation_id: null, reseller_id: null, sender_id: null, class: null, network_id: null };
  const route = { ...conditions, prefix: '63917', quality_floor: null, avoid_declined: false, enabled: true };
  const links = [
    { link_id: a, position: 1, weight: 1 },
    { link_id: b, position: 2, weight: 1 },
  ];
  const run = (strategy: 'position' | 'best_quality', prefix = '63917', of: number | null = id) =>
    simulateRoute(
      ctx as never,
      { params: {}, query: {}, body: { id: of, route: { ...route, prefix, strategy, links } } } as never,
    );
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
  const { data: none } = await run('best_quality', '7', null);
  assert.deepEqual([none.messages, none.moved, none.rate_after], [0, 0, null]);
});
