import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { isSealed } from '#platform/text/sealed-text';
import { House } from '../faults/house.ts';
import { Killing } from '../faults/kills.ts';
import { fewKills, manyKills } from './http-places.ts';

const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);
/** Set for a night: all kills of the links over SMPP. */
const isLong = process.env.FAULT_HTTP_KILLS === 'all';

test(`kills over HTTP send no encrypted message twice (${SEED_VARIABLE}=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const plan = isLong ? manyKills(random) : fewKills(random);
  const house = await House.open(t, random, undefined, 'infobip');
  const killing = new Killing(house);
  await killing.run(plan).catch((error: Error) => {
    throw new Error(`kill ${killing.done.length + 1}, ${SEED_VARIABLE}=${seed}: ${error.message}`, { cause: error });
  });
  assert.equal(killing.done.length, plan.delivery.length + plan.console.length);
  const { rows } = await house.stage.owner.query(
    'SELECT common_text AS text FROM chunk UNION ALL SELECT text FROM message WHERE text IS NOT NULL',
  );
  assert.ok(rows.some(({ text }) => text !== null && isSealed(text)));
  assert.ok(house.log.accepted.every(({ text }) => !isSealed(text)));
});
