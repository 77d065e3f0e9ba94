import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfWindow } from '../../src/modules/policy/daily-window.ts';
import { type Closed, type ClosedHours, closedIn, heldUntil } from '../../src/modules/policy/hours.ts';
import { ZONES_BY_PREFIX, zonesOf } from '../../src/modules/policy/zones-by-prefix.ts';

/** Numbers that repeat with a seed. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const SEED = Number(process.env['SEED'] ?? 19);
const ZONES = [
  'Asia/Manila',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Cairo',
];
const MINUTE = 60_000;
const clock = (random: (below: number) => number) =>
  `${String(random(24)).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}`;
const isOpen = (closed: readonly Closed[], at: Date) =>
  closed.every(({ window, zone }) => !endOfWindow(window, zone, at));

test('a message leaves at the first open minute, whatever the zones and clock changes', () => {
  const random = randomOf(SEED);
  for (let n = 0; n < 400; n++) {
    const closed = Array.from({ length: 1 + random(3) }, (): Closed => {
      const from = clock(random);
      const to = clock(random);
      return { window: { from, to: from === to ? '00:00' : to }, zone: ZONES[random(ZONES.length)]!, outside: 'wait' };
    });
    // Days around changes of clocks come often.
    const day = random(2) ? Date.UTC(2026, [2, 9, 10][random(3)]!, 1 + random(31)) : Date.UTC(2026, 0, 1 + random(365));
    const moment = new Date(day + random(1_440) * MINUTE);
    const held = heldUntil(closed, moment);
    const told = `seed ${SEED}, ${n}: ${JSON.stringify(closed)} at ${moment.toISOString()}`;
    if (held === null) {
      assert.ok(isOpen(closed, moment), told);
      continue;
    }
    assert.ok(!isOpen(closed, moment), told);
    const end = held.until?.getTime() ?? moment.getTime() + 3 * 86_400_000;
    if (held.until) assert.ok(isOpen(closed, held.until), told);
    for (let at = moment.getTime(); at < end; at += 7 * MINUTE)
      assert.ok(!isOpen(closed, new Date(at)), `${told} ${new Date(at).toISOString()}`);
  }
});

const PRESET: ClosedHours = { from: '21:00', to: '07:00', zones: 'Asia/Manila', covers: 'commercial', outside: 'wait' };
const until = (hours: readonly ClosedHours[], msisdn: string, commercial: boolean, at: string) =>
  heldUntil(closedIn(hours, zonesOf(msisdn)!, commercial), new Date(at))?.until?.toISOString() ?? null;

test('the Philippine preset holds commercial messages to +63 from 21:00 to 07:00', () => {
  const at = (time: string, msisdn = '639171234567', commercial = true) => until([PRESET], msisdn, commercial, time);
  assert.equal(at('2026-11-23T12:59:59.000Z'), null);
  assert.equal(at('2026-11-23T13:00:00.000Z'), '2026-11-23T23:00:00.000Z');
  assert.equal(at('2026-11-23T22:59:59.000Z'), '2026-11-23T23:00:00.000Z');
  assert.equal(at('2026-11-23T23:00:00.000Z'), null);
  assert.equal(at('2026-11-23T13:00:00.000Z', '639171234567', false), null);
  assert.equal(at('2026-11-23T13:00:00.000Z', '6591234567'), null);
});

test('of several rules the strictest counts, and a country needs all its zones open', () => {
  const everywhere: ClosedHours = { from: '20:00', to: '08:00', zones: null, covers: 'all', outside: 'wait' };
  // 20:30 in Manila: only the stricter rule is closed.
  assert.equal(
    until([PRESET, everywhere], '639171234567', true, '2026-11-23T12:30:00.000Z'),
    '2026-11-24T00:00:00.000Z',
  );
  // 08:30 in New York is 05:30 in Los Angeles.
  assert.equal(until([everywhere], '12125550100', true, '2026-11-23T13:30:00.000Z'), '2026-11-23T16:00:00.000Z');
});

test('rules that leave no time at all refuse instead of holding a message for ever', () => {
  const day: ClosedHours = { from: '07:00', to: '21:00', zones: null, covers: 'all', outside: 'wait' };
  assert.deepEqual(heldUntil(closedIn([PRESET, day], 'Asia/Manila', true), new Date()), { until: null, refused: true });
});

test('every calling code of the table leads to its own zones', () => {
  for (const [prefix, zones] of Object.entries(ZONES_BY_PREFIX))
    assert.equal(zonesOf(`${prefix}5550100`.slice(0, 15)), zones);
});
