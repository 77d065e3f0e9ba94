import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { House } from './house.ts';
import { planOf } from './kill-plan.ts';
import { Killing } from './kills.ts';

const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);

test(`60 kills leave each message in one state, none twice (${SEED_VARIABLE}=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const killing = new Killing(await House.open(t, random));
  await killing.run(planOf(random)).catch((error: Error) => {
    throw new Error(`kill ${killing.done.length + 1}, ${SEED_VARIABLE}=${seed}: ${error.message}`, { cause: error });
  });
  t.diagnostic(`${killing.done.length} kills`);
  assert.equal(killing.done.length, 60);
});
