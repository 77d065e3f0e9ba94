import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceOf, spanOf, takeIn, whyNoRate } from '../../src/modules/campaigns/pace.ts';
import { moved, movedMonths, periodFault, todayIn } from '../../src/resource/period.ts';
import { groupMinutes } from '../../src/ui/chart-scale.ts';

test('the rate is the number of processed messages per second', () => {
  const samples = [
    { at: 0, processed: 100 },
    { at: 1000, processed: 300 },
    { at: 4000, processed: 900 },
  ];
  assert.deepEqual(paceOf(samples, 1700), { perSecond: 200, secondsLeft: 4 });
});

test('there is no rate while nothing moves or too little is known', () => {
  assert.equal(paceOf([], 10), undefined);
  assert.equal(paceOf([{ at: 0, processed: 5 }], 10), undefined);
  assert.equal(
    paceOf(
      [
        { at: 0, processed: 5 },
        { at: 5000, processed: 5 },
      ],
      10,
    ),
    undefined,
  );
});

test('the time left spans the latest rate and the average since the start', () => {
  assert.deepEqual(spanOf({ perSecond: 200 }, 50, 1_000), { perSecond: 200, soonest: 5, latest: 20 });
  assert.deepEqual(spanOf(undefined, 10, 100), { perSecond: 10, soonest: 10, latest: 10 }, 'from the first second');
  assert.equal(spanOf(undefined, 0, 100), undefined);
});

test('deliveries are grouped into at most the wanted bars, without gaps or losses', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const rows = [0, 1, 5, 300, 301].map((minute) => ({ minute: at(minute), delivered: 10 }));
  const { bars, step } = groupMinutes(rows, 60);
  assert.deepEqual([step, bars.length], [10, 31]);
  assert.equal(
    bars.reduce((sum, { delivered }) => sum + delivered, 0),
    50,
  );
  assert.deepEqual([bars[0], bars[1]?.delivered], [{ minute: at(0), delivered: 30 }, 0]);
  assert.deepEqual(groupMinutes([], 60).bars, []);
});

test('a campaign without a rate says why', () => {
  const campaign = {
    state: 'running',
    pause_reason: null,
    processed: 5,
    waiting: 0,
    total_count: 10,
    canary_state: null,
    schedule: {},
  };
  const why = (changes: object, pace: null | undefined = undefined) =>
    whyNoRate({ ...campaign, ...changes } as Parameters<typeof whyNoRate>[0], pace);
  assert.equal(why({}), 'carrier');
  assert.equal(why({}, null), 'measuring');
  assert.equal(why({ waiting: 3 }, null), 'throttled');
  assert.equal(why({ processed: 10 }), 'done');
  assert.equal(why({ canary_state: 'watching' }), 'canary');
  assert.equal(why({ spread_until: '2026-03-01T10:00:00Z' }), 'spread');
  assert.equal(why({ schedule: { quiet: { from: '21:00', to: '08:00' } } }), 'quiet');
  assert.equal(why({ state: 'paused', pause_reason: 'switched_off' }), 'switched_off');
  assert.equal(why({ state: 'paused', pause_reason: 'blackout' }), 'blackout');
  assert.equal(why({ state: 'paused', pause_reason: 'person' }), 'paused');
});

test('a live event about refused messages subtracts them from the processed ones', () => {
  const counters = { submitted: 10, delivered: 0, failed: 0, expired: 0, blocked: 0, cancelled: 0 };
  const campaign = { id: 1, ...counters, processed: 90, waiting: 0 };
  const refused = takeIn(campaign, { id: 1, ...counters, processed: 40, waiting: 50 });
  assert.deepEqual([refused.processed, refused.waiting], [40, 50]);
  assert.deepEqual(takeIn(refused, { id: 1, ...counters, processed: 30, waiting: 20 }), refused, 'overtaken news');
});

test('a report covers at most one month, by the calendar', () => {
  assert.equal(periodFault('2026-01-31', '2026-02-28', '2026-03-01'), undefined);
  assert.equal(periodFault('2026-01-31', '2026-03-01', '2026-03-01'), 'report_period');
  assert.equal(periodFault('2026-02-10', '2026-02-09', '2026-03-01'), 'date_order');
});

test('a report reaches twelve months back and no further', () => {
  assert.equal(periodFault('2025-03-01', '2025-03-20', '2026-03-01'), undefined);
  assert.equal(periodFault('2025-02-28', '2025-03-20', '2026-03-01'), 'report_period');
});

test('today is the date in the corporation’s time zone, not in UTC', () => {
  assert.equal(todayIn('Asia/Manila', new Date('2026-11-21T16:30:00Z')), '2026-11-22');
  assert.equal(moved('2026-03-01', -1), '2026-02-28');
  assert.equal(movedMonths('2026-03-31', -1), '2026-02-28');
});
