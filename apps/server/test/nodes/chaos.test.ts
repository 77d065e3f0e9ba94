import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { patiently, untilServed } from '../patience.ts';
import { startNats, withoutNats } from '../platform/nats-server.ts';
import { Fleet } from './fleet.ts';
import { Program } from './program.ts';
import { Storm } from './storm.ts';

/** Total of messages, faults, and promotions of the standby; `npm run soak -- nodes` runs a million and a hundred. */
const MESSAGES = Number(process.env.FAULT_NODES_MESSAGES) || 12_000;
const FAULTS = Number(process.env.FAULT_NODES_FAULTS) || 11;
const PROMOTIONS = Number(process.env.FAULT_NODES_PROMOTIONS) || 1;
/** Maximum time between faults. */
const BREATH_MS = Number(process.env.FAULT_NODES_BREATH_MS) || 500;
const RATE = Number(process.env.FAULT_NODES_RATE) || 300;
const CARRIERS = 4;
/** Number of workers, and number of APIs. */
const OTHERS = Number(process.env.FAULT_NODES_OTHERS) || 1;
/** Messages that a customer's program submits meanwhile over both SMPP servers, and their number a second. */
const SUBMITS = Number(process.env.FAULT_NODES_SUBMITS) || 700;
const SUBMITS_A_SECOND = 50;

/** Time to wait for receipts. If a server claimed some and died, other servers deliver them after two minutes. */
const RECEIPTS_MS = 300_000;
const MOST_OF_RATE = 1.05;

test('each message goes once while nodes die, freeze and are cut off', async (t) => {
  const seed = seedOf('FAULT_SEED');
  t.diagnostic(`FAULT_SEED=${seed}`);
  const random = seededRandom(seed);
  const nats = withoutNats ? undefined : await startNats(t);
  const fleet = await Fleet.open(t, { random, carriers: CARRIERS, rate: RATE, nats });
  const storm = new Storm(fleet, { nats, others: OTHERS });
  await storm.launch();
  await fleet.queue(MESSAGES / CARRIERS);
  const program = await Program.start(fleet, SUBMITS, SUBMITS_A_SECOND);
  t.after(() => program.stop());
  const watch = storm.watchProgress();
  const begun = performance.now();
  await storm.rage(FAULTS, PROMOTIONS, BREATH_MS);
  await storm.calm();
  await program.finished();
  await untilServed('everything is handed over', async () => (await fleet.waiting()) === 0, 1_800_000);
  await untilServed('campaigns are complete', async () => {
    const { count } = await fleet.stage.one<{ count: number }>(
      `SELECT count(*) AS count FROM campaign WHERE state <> 'completed'`,
    );
    return count === 0;
  });
  const seconds = (performance.now() - begun) / 1_000;
  // Time for receipts of the last messages.
  await sleep(1_000);
  await untilServed('the program has its receipts', async () => (await program.awaited()) === 0, RECEIPTS_MS);
  const backwards = await watch.stop();
  const contradictions = await patiently(() => fleet.truth.contradictions());
  const uncertain = await fleet.truth.uncertain();
  const busiest = fleet.busiest();
  t.diagnostic(JSON.stringify({ messages: MESSAGES, seconds, uncertain, ...busiest, program: program.figures }));
  t.diagnostic(`faults: ${storm.done.join(', ')}`);
  assert.deepEqual(contradictions, []);
  assert.deepEqual(await program.contradictions(), []);
  assert.deepEqual(backwards, [], 'progress never goes backwards');
  assert.ok(program.figures['accepted']! > 0, 'what the program submits is taken');
  assert.ok(busiest.written <= MOST_OF_RATE, `${busiest.written} of the rate left in a second`);
  assert.ok(busiest.arrived_in_3 <= MOST_OF_RATE, `${busiest.arrived_in_3} of the rate arrived in 3 s`);
});
