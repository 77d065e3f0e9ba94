import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentAt, wallTime } from '../src/resource/period.ts';

test('a wall time is read in the time zone of the screen, not the machine’s', () => {
  for (const [zone, wall, moment] of [
    ['Asia/Kathmandu', '2026-11-23T10:00', '2026-11-23T04:15:00.000Z'],
    ['America/New_York', '2026-03-08T03:30', '2026-03-08T07:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05T12:00', '2026-04-05T01:30:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00.000Z'],
  ] as const) {
    assert.equal(momentAt(zone, wall).toISOString(), moment, zone);
    assert.equal(wallTime(zone, new Date(moment)), wall, zone);
  }
  assert.equal(momentAt('Europe/Berlin', '2026-03-29T02:30').toISOString(), '2026-03-29T01:30:00.000Z', 'skipped');
});
