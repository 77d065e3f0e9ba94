import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { KeptValue } from '../../src/platform/structures/kept-value.ts';

/** Returns a value that is good for 100 ms of a clock of its own, and counts its readings. */
function counted() {
  const state = { readings: 0, now: 0, fails: false };
  const read = async () => {
    const reading = ++state.readings;
    await turn();
    if (state.fails) throw new Error('no database');
    return reading;
  };
  return { state, kept: new KeptValue(read, 100, () => state.now) };
}

test('parallel callers wait for one reading, and later ones for none', async () => {
  const { state, kept } = counted();
  assert.deepEqual(await Promise.all([kept.get(), kept.get()]), [1, 1]);
  assert.equal(kept.get(), 1);
  assert.equal(state.readings, 1);
});

test('a value in use is read again ahead of its end, and nobody waits', async () => {
  const { state, kept } = counted();
  await kept.get();
  state.now = 60;
  assert.deepEqual([kept.get(), state.readings], [1, 1]);
  state.now = 61;
  assert.deepEqual([kept.get(), kept.get(), state.readings], [1, 1, 2]);
  await turn();
  await turn();
  state.now = 121;
  assert.deepEqual([kept.get(), state.readings], [2, 2]);
});

test('a value is not used after its time, however its reading ended', async () => {
  const { state, kept } = counted();
  await kept.get();
  state.now = 101;
  assert.equal(await kept.get(), 2);
  state.fails = true;
  state.now = 190;
  assert.equal(kept.get(), 2, 'a reading ahead that fails harms nobody');
  await turn();
  await turn();
  state.now = 202;
  await assert.rejects(async () => kept.get(), /no database/);
  state.fails = false;
  assert.equal(await kept.get(), 5);
});
