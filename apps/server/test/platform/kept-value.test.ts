import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeptValue } from '../../src/platform/structures/kept-value.ts';

/** Returns a value that counts its readings; each takes `ms`. */
function counted(goodForMs: number, ms = 0) {
  const state = { readings: 0, fails: false };
  const kept = new KeptValue(async () => {
    const reading = ++state.readings;
    await sleep(ms);
    if (state.fails) throw new Error('no database');
    return reading;
  }, goodForMs);
  return { state, kept };
}

test('parallel callers wait for one reading, and later ones for none', async () => {
  const { state, kept } = counted(60_000, 5);
  assert.deepEqual(await Promise.all([kept.get(), kept.get()]), [1, 1]);
  assert.equal(kept.get(), 1);
  assert.equal(state.readings, 1);
});

test('a value in use is read again ahead of its end, and nobody waits', async () => {
  const { kept } = counted(500);
  await kept.get();
  const seen = new Set<unknown>();
  for (const end = performance.now() + 1_500; performance.now() < end; await sleep(10)) seen.add(kept.get());
  assert.ok(seen.size >= 2);
  assert.ok([...seen].every((value) => typeof value === 'number'));
});

test('a value is not used after its time, however its reading ended', async () => {
  const { state, kept } = counted(50);
  assert.equal(await kept.get(), 1);
  await sleep(60);
  assert.equal(await kept.get(), 2);
  state.fails = true;
  await sleep(40);
  kept.get();
  await sleep(20);
  await assert.rejects(async () => kept.get(), /no database/);
  state.fails = false;
  assert.equal(typeof (await kept.get()), 'number');
});
