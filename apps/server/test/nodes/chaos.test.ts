import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { startNats, withoutNats } from '../platform/nats-server.ts';
import { Fleet } from './fleet.ts';
import { Storm } from './storm.ts';

/** Messages in all, faults, and promotions of the standby; `npm run soak -- nodes` has a million and a hundred. */
const MESSAGES = Number(process.env.FAULT_NODES_MESSAGES) || 12_000;
const FAULTS = Number(process.env.FAULT_NODES_FAULTS) || 9;
const PROMOTIONS = Number(process.env.FAULT_NODES_PROMOTIONS) || 1;
const RATE = Number(process.env.FAULT_NODES_RATE) || 300;
const CARRIERS = 4;
/** Workers, and APIs as many. */
const OTHERS = Number(process.env.FAULT_NODES_OTHERS) || 1;

/** In a second, what a busy machine lets arrive together belongs to two; in three that hardly tells. */
const MOST_OF_RATE = 1.05;
const TELLING_SECONDS = 3;

test('while nodes die, freeze and are cut off each message goes once, and no carrier gets more than its rate', async (t) => {
  const seed = seedOf('FAULT_SEED');
  t.diagnostic(`FAULT_SEED=${seed}`);
  const random = seededRandom(seed);
  const nats = withoutNats ? undefined : await startNats(t);
  const fleet = await Fleet.open(t, { random, carriers: CARRIERS, rate: RATE, nats });
  const storm = new Storm(fleet, { nats, others: OTHERS });
  await storm.launch();
  await fleet.queue(MESSAGES / CARRIERS);
  const watch = storm.watchProgress();
  const begun = performance.now();
  await storm.rage(FAULTS, PROMOTIONS);
  await storm.calm();
  await fleet.until('everything is handed over', async () => (await fleet.waiting()) === 0, 1_800_000);
  await fleet.until('campaigns are complete', async () => {
    const { count } = await fleet.stage.one<{ count: number }>(
      `SELECT count(*) AS count FROM campaign WHERE state <> 'completed'`,
    );
    return count === 0;
  });
  const seconds = (performance.now() - begun) / 1_000;
  // Receipts of the last messages.
  await sleep(1_000);
  const backwards = await watch.stop();
  const contradictions = await fleet.patiently(() => fleet.truth.contradictions());
  const uncertain = await fleet.truth.uncertain();
  const [second, more] = [fleet.busiest(1), fleet.busiest(TELLING_SECONDS)];
  t.diagnostic(
    JSON.stringify({
      messages: MESSAGES,
      seconds,
      faults: storm.done,
      uncertain,
      busiest_second: second,
      busiest: more,
    }),
  );
  assert.deepEqual(contradictions, []);
  assert.deepEqual(backwards, [], 'progress never goes backwards');
  assert.ok(more <= MOST_OF_RATE, `${more} of the rate in ${TELLING_SECONDS} s`);
});
