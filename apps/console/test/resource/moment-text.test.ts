import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import { readMoment, writtenMoment } from '../../src/resource/moment-text.ts';

const STYLES = ['language', 'iso', 'day_first', 'month_first'] as const;
const WORDS = ['Today', 'Tomorrow'];

test('a time that was written in any language and format is read again', () => {
  for (const tag of Object.values(LOCALE_TAGS))
    for (const style of STYLES)
      for (const date of ['2026-01-31', '2026-11-09', '2028-02-29'])
        for (let hour = 0; hour < 24; hour++) {
          const wall = `${date}T${String(hour).padStart(2, '0')}:${hour % 2 ? '05' : '30'}`;
          const written = writtenMoment(wall, { tag, style });
          assert.equal(readMoment(written, { tag, style }, '2026-01-01', WORDS), wall, `${tag} ${style}: ${written}`);
        }
});

test('a time is read as people type it, and nothing is read from half of one', () => {
  const read = (text: string, style: (typeof STYLES)[number] = 'language') =>
    readMoment(text, { tag: 'en-US', style }, '2026-11-23', WORDS);
  for (const [typed, wall] of [
    ['2026-11-24T02:30', '2026-11-24T02:30'],
    ['tomorrow 9am', '2026-11-24T09:00'],
    ['TODAY 17:05', '2026-11-23T17:05'],
    ['24 december 9:30 pm', '2026-12-24T21:30'],
    ['Mar 1, 12:00 am', '2027-03-01T00:00'],
    ['12/1 8:00', '2026-12-01T08:00'],
    ['11/24/26 8:00', '2026-11-24T08:00'],
  ] as const)
    assert.equal(read(typed), wall, typed);
  assert.equal(read('1/12 8:00', 'day_first'), '2026-12-01T08:00');
  for (const typed of ['', '9:00', 'tomorrow', 'Nov 24', 'Feb 30 9:00', '2026-13-01 9:00', 'Nov 24 25:00', 'soon 9:00'])
    assert.equal(read(typed), null, typed);
});
