import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfBlackout, wallTime } from '../../src/modules/campaigns/composer/blackout.ts';

test('the end of a blackout time is found for a start in it, past midnight too', () => {
  const night = { from: '21:00', to: '08:00' };
  assert.equal(endOfBlackout(night, '2031-12-31T21:00'), '2032-01-01T08:00');
  assert.equal(endOfBlackout(night, '2032-01-01T07:59'), '2032-01-01T08:00');
  assert.equal(endOfBlackout(night, '2032-01-01T08:00'), null);
  assert.equal(endOfBlackout(night, '2032-01-01T20:59'), null);
  const noon = { from: '12:00', to: '14:00' };
  assert.equal(endOfBlackout(noon, '2032-01-01T13:59'), '2032-01-01T14:00');
  assert.equal(endOfBlackout(noon, '2032-01-01T14:00'), null);
  assert.notEqual(endOfBlackout({ from: '09:00', to: '09:00' }, '2032-01-01T03:00'), null, 'the whole day');
});

test('the present time is that of the corporation’s zone', () => {
  const moment = new Date('2031-05-05T18:30:00Z');
  assert.equal(wallTime(moment, 'Asia/Kathmandu'), '2031-05-06T00:15');
  assert.equal(wallTime(moment, 'America/New_York'), '2031-05-05T14:30');
});
