import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { House } from '../faults/house.ts';
import { Killing } from '../faults/kills.ts';
import { fewKills, manyKills } from './http-places.ts';

const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);
/** Set for a night: all kills of the links over SMPP. */
const isLong = process.env.FAULT_HTTP_KILLS === 'all';

test(`kills over HTTP send no message twice (${SEED_VARIABLE}=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const plan = isLong ? manyKills(random) : fewKills(random);
  const killing = new Killing(await House.open(t, random, undefined, 'infobip'));
  await killing.run(plan).catch((error: Error) => {
    throw new Error(`kill ${killing.done.length + 1}, ${SEED_VARIABLE}=${seed}: ${error.message}`, { cause: error });
  });
  assert.equal(killing.done.length, plan.delivery.length + plan.console.length);
});
