import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BusinessError } from '../../src/platform/errors.ts';
import { checkPeriod, dateIn, momentsOf } from '../../src/platform/records/period.ts';

const ZONES = [
  'Asia/Manila',
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
const date = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-12-31T00:00:00Z'), noInvalidDate: true })
  .map((d) => d.toISOString().slice(0, 10));

const faultOf = (from: string, to: string, today: string): string | undefined => {
  try {
    checkPeriod({ from, to }, today);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof BusinessError);
    assert.deepEqual(Object.keys(error.fields ?? {}), ['to']);
    return error.fields?.['to']?.[0]?.key;
  }
};

test('a period has at most 31 days, lies in the last twelve months, and runs forwards', () => {
  for (const [from, to, today, fault] of [
    ['2026-05-01', '2026-05-31', '2026-05-31', undefined],
    ['2026-05-01', '2026-06-01', '2026-06-30', 'report_period'],
    ['2026-05-31', '2026-05-31', '2026-05-31', undefined],
    ['2026-05-31', '2026-06-01', '2026-05-31', 'report_period'],
    ['2025-05-31', '2025-06-01', '2026-05-31', undefined],
    ['2025-05-30', '2025-06-01', '2026-05-31', 'report_period'],
    ['2025-02-28', '2025-03-01', '2026-02-28', undefined],
    ['2023-02-28', '2023-03-30', '2024-02-29', undefined],
    ['2026-05-02', '2026-05-01', '2026-05-31', 'date_order'],
  ] as const) {
    assert.equal(faultOf(from, to, today), fault, `${from}–${to}, today ${today}`);
  }
});

test('a moment is in a period exactly when its date in the time zone is', () => {
  const moment = fc.date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(date, date, moment, fc.constantFrom(...ZONES), (a, b, at, zone) => {
      const [from, to] = a < b ? [a, b] : [b, a];
      const { start, end } = momentsOf({ from: from!, to: to! }, zone);
      const inside = at.getTime() >= Date.parse(start) && at.getTime() < Date.parse(end);
      const day = dateIn(zone, at);
      assert.equal(inside, day >= from! && day <= to!, `${at.toISOString()} in ${zone}`);
    }),
  );
});
