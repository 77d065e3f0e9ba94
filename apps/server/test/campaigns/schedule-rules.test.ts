import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { momentOfWallTime, occurrenceOf, wallTimeOf } from '../../src/modules/campaigns/schedule/wall-time.ts';
import type { ChunkContext } from '../../src/modules/delivery/segment.ts';
import { Throughput } from '../../src/modules/delivery/sending/throughput.ts';
import { endOfWindow } from '../../src/modules/policy/daily-window.ts';
import { ZONES_BY_PREFIX, zonesOf } from '../../src/modules/policy/zones-by-prefix.ts';

const HOUR_MS = 3_600_000;
const ZONES = [
  'Asia/Manila',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
];
const zone = fc.constantFrom(...ZONES);
const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-01-01'), noInvalidDate: true });

const isIn = (time: string, from: string, to: string) =>
  from < to ? from <= time && time < to : time >= from || time < to;

test('a daily window contains all clock times between its start and its end', () => {
  fc.assert(
    fc.property(timeOfDay, timeOfDay, zone, moment, (from, to, zone, at) => {
      const end = endOfWindow({ from, to }, zone, at);
      const shown = wallTimeOf(at, zone).slice(11);
      // When clocks go back, one hour comes twice and both show the same time. The window lasts through both.
      if (isIn(shown, from, to)) assert.ok(end !== null, `${shown} of ${zone} lies in ${from}–${to}`);
      if (end === null) return;
      assert.ok(end > at && end.getTime() - at.getTime() <= 26 * HOUR_MS);
      if (from !== to) assert.equal(endOfWindow({ from, to }, zone, end), null, 'it is over at its end');
    }),
    { numRuns: 5_000, seed: 20_260_101 },
  );
});

test('a window in a night when clocks change begins once and ends once', () => {
  const berlin = (from: string, to: string, at: string) =>
    endOfWindow({ from, to }, 'Europe/Berlin', new Date(at))?.toISOString() ?? null;
  // 02:00 to 03:00 does not exist: a window that ends in it ends when the clocks jump.
  assert.equal(berlin('22:00', '02:30', '2026-03-29T00:59:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(berlin('22:00', '02:30', '2026-03-29T01:00:00Z'), null);
  // 02:00 to 03:00 comes twice: the window ends in the second one.
  assert.equal(berlin('22:00', '02:30', '2026-10-25T00:45:00Z'), '2026-10-25T01:30:00.000Z');
  assert.equal(berlin('22:00', '02:30', '2026-10-25T01:30:00Z'), null);
  assert.equal(berlin('02:30', '05:00', '2026-10-25T00:30:00Z'), '2026-10-25T04:00:00.000Z');
  // Equal times mean the whole day.
  assert.equal(berlin('08:00', '08:00', '2026-03-29T01:00:00Z'), '2026-03-29T06:00:00.000Z');
});

test('a wall time means one moment, and that moment shows the same wall time', () => {
  fc.assert(
    fc.property(zone, moment, (zone, at) => {
      const wall = wallTimeOf(at, zone);
      assert.equal(wallTimeOf(momentOfWallTime(wall, zone, 'start'), zone), wall);
    }),
    { numRuns: 2_000 },
  );
  assert.throws(() => momentOfWallTime('2026-03-29T02:30', 'Europe/Berlin', 'start'));
  assert.throws(() => momentOfWallTime('2026-02-29T09:00', 'Europe/Berlin', 'start'));
});

test('a repetition keeps its time of day, and uses the last day of shorter months', () => {
  const every = (kind: 'daily' | 'weekly' | 'monthly', start: string, n: number) =>
    occurrenceOf({ start, end: null, repeat: { every: kind, until: '2027-12-31' } }, 'Europe/Berlin', n)?.start;
  assert.equal(every('monthly', '2026-01-31T09:00', 2), '2026-02-28T09:00');
  assert.equal(every('monthly', '2026-01-31T09:00', 3), '2026-03-31T09:00');
  assert.equal(every('weekly', '2026-03-22T09:00', 2), '2026-03-29T09:00');
  // A time that the clocks skip moves an hour later; the next day it is the usual time again.
  assert.equal(every('daily', '2026-03-28T02:30', 2), '2026-03-29T03:30');
  assert.equal(every('daily', '2026-03-28T02:30', 3), '2026-03-30T02:30');
  assert.equal(every('daily', '2027-12-31T10:00', 2), undefined);
});

test('every prefix maps to time zones that exist, and the longest prefix decides', () => {
  for (const [prefix, zones] of Object.entries(ZONES_BY_PREFIX)) {
    assert.match(prefix, /^[1-9]\d{0,3}$/);
    for (const name of zones.split(','))
      assert.doesNotThrow(() => new Intl.DateTimeFormat('en', { timeZone: name }), name);
  }
  assert.equal(zonesOf('639171234567'), 'Asia/Manila');
  assert.equal(zonesOf('18765551234'), 'America/Jamaica');
  assert.equal(zonesOf('12125551234'), 'America/New_York,America/Los_Angeles');
  assert.equal(zonesOf('999'), undefined);
});

/**
 * Zones that their prefix leaves out, by region: islands and remote parts, official time that differs from a local
 * custom, and the states that have prefixes of their own.
 */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  AU: /Lord_Howe/,
  BR: /Noronha/,
  CL: /Coyhaique|Punta_Arenas/,
  CN: /Urumqi/,
  ES: /Canary/,
  GL: /Thule|Danmarkshavn/,
  NZ: /Chatham/,
  UA: /Simferopol/,
  US: /./,
};

test('the zones of a prefix include the earliest and the latest clock of its region', () => {
  const regions = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    .split('')
    .flatMap((a) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('').map((b) => a + b));
  const zonesIn = (region: string) =>
    (new Intl.Locale(`und-${region}`).getTimeZones() ?? []).filter((zone) => !LEFT_OUT[region]?.test(zone));
  const clocks = (zones: readonly string[], day: string) =>
    zones.map((zone) => Date.parse(`${day}Z`) - momentOfWallTime(day, zone, 'start').getTime());
  let compared = 0;
  for (const region of regions) {
    const own = zonesIn(region);
    const named = Object.values(ZONES_BY_PREFIX).find((zones) => zones.split(',').some((zone) => own.includes(zone)));
    if (!named) continue;
    compared++;
    for (const day of ['2026-01-15T12:00', '2026-07-15T12:00']) {
      const all = clocks(own, day);
      const known = clocks(named.split(','), day);
      assert.ok(Math.min(...all) >= Math.min(...known), `${region} ${named}`);
      assert.ok(Math.max(...all) <= Math.max(...known), `${region} ${named}`);
    }
  }
  assert.ok(compared > 200, String(compared));
});

test('a spread campaign sends nothing before its pace is known, then keeps to it', () => {
  let now = 0;
  const throughput = new Throughput(() => now);
  const chunk = { corporation_id: 1, sender_id: 'A', channel: 'console', campaign_id: 7, spread: true } as ChunkContext;
  assert.equal(throughput.room(chunk), 0);
  assert.ok(throughput.waitMs(chunk) > 0 && throughput.waitMs(chunk) < 1_000);
  throughput.set(new Map([['campaign:7', 2]]));
  let left = 0;
  for (; now < 60_000; now += 100) {
    const room = throughput.room(chunk);
    throughput.take(chunk, room);
    left += room;
  }
  assert.ok(left >= 118 && left <= 122, String(left));
  const other = { ...chunk, campaign_id: 8, spread: false } as ChunkContext;
  assert.equal(throughput.room(other), Number.POSITIVE_INFINITY);
});
