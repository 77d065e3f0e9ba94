import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilServed } from '../patience.ts';
import { DemoCluster } from './cluster-with-demo.ts';
import { pgbouncer, runPooler } from './pooler.ts';

const skip = !pgbouncer && !process.env['CI'] ? 'PgBouncer is not installed' : false;

test('a PgBouncer pointed to the promoted standby serves again, without restarts', {
  skip,
}, async (t) => {
  const house = await DemoCluster.open(t);
  const { cluster } = house;
  const pooler = await runPooler(t, cluster.urlOf(cluster.primary));
  await house.start(t, { POOLER_URL: pooler.url });
  await house.servesAll();
  await cluster.kill();
  await cluster.promote();
  const { told } = house.program;
  await untilServed('the program is told to send again', () => house.program.told > told);
  const refused = await house.signIn();
  assert.deepEqual([refused.status, refused.answer['code']], [503, 'unavailable']);
  assert.ok(refused.again > 0);
  await pooler.point(cluster.urlOf(cluster.primary));
  await house.servesAll();
  const { rows } = await cluster.primary.asAdmin((client) =>
    client.query(
      "SELECT count(*)::integer AS sessions FROM pg_stat_activity WHERE application_name = 'heliograph api'",
    ),
  );
  assert.ok(rows[0].sessions > 0, 'they go by the pooler to the new primary');
  await house.program.stop();
  t.diagnostic(await house.program.assertTruth(house.owner));
});
