import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Intake } from '#modules/intake';
import { systemClock } from '#platform/clock';
import { readConnectedConfig } from '#platform/config/config';
import { startFanOut } from '#platform/fan-out/tell';
import { createLogger } from '#platform/log';
import { TEST_KEY } from '../test-key.ts';
import { makeIntakeStage, submission } from './stage.ts';

const RATE = 40;
const PROCESSES = 3;

test('the throughput of a corporation applies to all processes together', async () => {
  const stage = await makeIntakeStage({ after });
  const program = await stage.tenant('Wide', { apiThroughput: RATE });
  const free = await stage.tenant('Free');
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const config = readConnectedConfig({ DATABASE_URL: stage.database.url, SECRET_KEY: TEST_KEY, LOG_LEVEL: 'silent' });
  // Each process has its own session to listen for notifications, and its own intake.
  const intakes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      const fanOut = await startFanOut(config, 'intake', log);
      const intake = new Intake(stage.database.pool('intake'), { clock: systemClock, log });
      intake.share(fanOut);
      after(async () => {
        await intake.close();
        await fanOut.stop();
      });
      return intake;
    }),
  );
  const accepted: number[] = [];
  let on = true;
  const began = performance.now();
  const hammers = intakes.map(async (intake) => {
    while (on) {
      await intake.allow(program, 1).then(
        () => accepted.push(performance.now() - began),
        () => undefined,
      );
      await sleep(2);
    }
  });
  await sleep(4_000);
  on = false;
  await Promise.all(hammers);
  const seconds = (performance.now() - began) / 1_000;
  // Each process begins with the allowance of one second, and the others learn of its use a moment later.
  const most = RATE * (seconds + PROCESSES);
  assert.ok(accepted.length <= most, `${accepted.length} in ${seconds} s, at most ${most}`);
  const later = accepted.filter((at) => at >= 1_500).length / (seconds - 1.5);
  assert.ok(later <= RATE * 1.4, `${later} a second over ${PROCESSES} processes that may ${RATE}`);
  assert.ok(accepted.length >= RATE, 'what may be is let in');
  for (const intake of intakes) assert.equal(await intake.allow(free, 1_000), null);
  await Promise.all(intakes.map((intake) => intake.accept(free, submission())));
});

test('a lowered throughput applies to the first burst after the change', async () => {
  const stage = await makeIntakeStage({ after });
  const program = await stage.tenant('Lowered', { apiThroughput: 1_000 });
  const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const intake = new Intake(stage.database.pool('intake'), { clock: systemClock, log });
  after(() => intake.close());
  await intake.allow(program, 1);
  await stage.owner.query('UPDATE corporation SET api_throughput = 5 WHERE id = $1', [program.corporation_id]);
  // Limits are cached for one second.
  await sleep(1_100);
  const burst = await Promise.allSettled(Array.from({ length: 50 }, () => intake.allow(program, 1)));
  const taken = burst.filter(({ status }) => status === 'fulfilled').length;
  assert.ok(taken >= 5 && taken <= 10, `${taken} of the burst were let in`);
});
