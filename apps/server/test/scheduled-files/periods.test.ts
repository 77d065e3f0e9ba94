import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodEnd, periodStart } from '../../src/modules/scheduled-files/periods.ts';

/** Follows `count` periods from the one of a moment, and returns their starts. */
function starts(every: 'hour' | 'day', from: string, zone: string, count: number): string[] {
  const all = [periodStart(every, from, zone)];
  while (all.length < count) all.push(periodEnd(every, all.at(-1)!, zone));
  return all;
}

test('a day has 23 or 25 hours where a clock is changed', () => {
  assert.deepEqual(starts('day', '2026-03-28T12:00:00Z', 'Europe/Berlin', 4), [
    '2026-03-27T23:00:00Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00Z',
    '2026-03-30T22:00:00Z',
  ]);
  assert.deepEqual(starts('day', '2026-10-25T12:00:00Z', 'Europe/Berlin', 2), [
    '2026-10-24T22:00:00Z',
    '2026-10-25T23:00:00Z',
  ]);
});

test('an hour that occurs twice is two periods, and none is left out', () => {
  assert.deepEqual(starts('hour', '2026-10-25T00:10:00Z', 'Europe/Berlin', 4), [
    '2026-10-25T00:00:00Z',
    '2026-10-25T01:00:00Z',
    '2026-10-25T02:00:00Z',
    '2026-10-25T03:00:00Z',
  ]);
});

test('hours follow the clock where it moves by half an hour', () => {
  // Lord Howe: 02:00 is put back to 01:30.
  assert.deepEqual(starts('hour', '2026-04-04T13:30:00Z', 'Australia/Lord_Howe', 4), [
    '2026-04-04T13:00:00Z',
    '2026-04-04T14:00:00Z',
    '2026-04-04T15:00:00Z',
    '2026-04-04T15:30:00Z',
  ]);
  assert.deepEqual(starts('hour', '2026-06-01T00:10:00Z', 'Asia/Kolkata', 2), [
    '2026-05-31T23:30:00Z',
    '2026-06-01T00:30:00Z',
  ]);
});

test('periods have no gap where the time zone of the owner changes', () => {
  const manila = starts('day', '2026-06-01T12:00:00Z', 'Asia/Manila', 2);
  assert.equal(periodEnd('day', manila[1]!, 'America/New_York'), '2026-06-02T04:00:00Z');
});
