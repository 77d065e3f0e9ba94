import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '@heliograph/smpp';
import fc from 'fast-check';
import type { ChunkContext } from '../../src/modules/delivery/segment.ts';
import { ClassShares } from '../../src/modules/delivery/sending/class-shares.ts';
import { type HeldState, LinkHealth } from '../../src/modules/delivery/sending/link-health.ts';
import { Throughput } from '../../src/modules/delivery/sending/throughput.ts';

const THROTTLED = 0x58;
const SYSTEM_ERROR = 0x08;
const BAD_NUMBER = 0x0b;

const chunk = (corporation_id: number, sender_id = 'A', channel: ChunkContext['channel'] = 'console') =>
  ({ corporation_id, sender_id, channel }) as ChunkContext;

test('no time window has more messages than the rate plus a tenth of a second of it', () => {
  const steps = fc.array(fc.record({ ms: fc.integer({ min: 0, max: 400 }), wants: fc.integer({ min: 1, max: 50 }) }), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), steps, (rate, senderRate, all) => {
      let now = 0;
      const throughput = new Throughput(() => now);
      throughput.set(
        new Map([
          ['console:1', rate],
          ['sender:1:B', senderRate],
        ]),
      );
      const sent: { at: number; sender: string; messages: number }[] = [];
      for (const [i, { ms, wants }] of all.entries()) {
        now += ms;
        const of = chunk(1, i % 2 === 0 ? 'A' : 'B');
        const messages = Math.min(wants, throughput.room(of));
        throughput.take(of, messages);
        sent.push({ at: now, sender: of.sender_id, messages });
      }
      for (const from of sent) {
        const within = sent.filter(({ at }) => at >= from.at);
        const most = (each: number) => ((now - from.at) / 1_000) * each + Math.max(1, each / 10) + 1e-6;
        const count = (some: typeof sent) => some.reduce((sum, { messages }) => sum + messages, 0);
        assert.ok(count(within) <= most(rate));
        assert.ok(count(within.filter(({ sender }) => sender === 'B')) <= most(senderRate));
      }
    }),
    { numRuns: 200 },
  );
});

test('a limit is reached, changes immediately, and does not apply to the API', () => {
  let now = 0;
  const throughput = new Throughput(() => now);
  const run = (of: ChunkContext, seconds: number) => {
    let sent = 0;
    for (let i = 0; i < seconds * 50; i++) {
      now += 20;
      const room = Math.min(1_000, throughput.room(of));
      throughput.take(of, room);
      sent += room;
    }
    return sent;
  };
  throughput.set(new Map([['console:1', 40]]));
  const of = chunk(1);
  const first = run(of, 10);
  assert.ok(first >= 390 && first <= 404, String(first));
  throughput.set(new Map([['console:1', 10]]));
  const second = run(of, 10);
  assert.ok(second >= 95 && second <= 101, String(second));
  assert.equal(throughput.room(chunk(1, 'A', 'api')), Number.POSITIVE_INFINITY);
  assert.equal(throughput.room(chunk(2)), Number.POSITIVE_INFINITY);
  throughput.set(new Map());
  assert.equal(throughput.room(of), Number.POSITIVE_INFINITY);
});

test('urgent classes leave first, and each class behind them still gets a tenth', () => {
  const shares = new ClassShares(['otp', 'transactional', 'bulk']);
  const waiting = { otp: 100_000, transactional: 100_000, bulk: 100_000 };
  const sent = { otp: 0, transactional: 0, bulk: 0 };
  const run = (times: number, room: number) => {
    for (let i = 0; i < times; i++) {
      shares.share(
        room,
        (name) => waiting[name] > 0,
        (name, most) => {
          const taken = Math.min(most, waiting[name]);
          waiting[name] -= taken;
          sent[name] += taken;
          return taken;
        },
      );
    }
  };
  run(1_000, 7);
  assert.equal(sent.otp + sent.transactional + sent.bulk, 7_000, 'no room is left unused');
  assert.ok(sent.otp >= 5_500 && sent.transactional >= 500 && sent.bulk >= 500, JSON.stringify(sent));
  waiting.otp = 0;
  waiting.transactional = 3;
  Object.assign(sent, { otp: 0, transactional: 0, bulk: 0 });
  run(1, 100);
  assert.equal(sent.transactional, 3, 'a message that comes late goes before all bulk that is not owed');
});

/** Makes the health of a link, observed every half second. */
function watched() {
  let now = 0;
  const health = new LinkHealth(() => now);
  return {
    answers: (...statuses: number[]) =>
      health.take(statuses.map((status): Pick<Outcome<unknown>, 'kind' | 'status'> => ({ kind: 'answered', status }))),
    after: (
      seconds: number,
      bound = true,
      pace = Number.POSITIVE_INFINITY,
      agreed: number | null = null,
    ): HeldState => {
      let state = health.observe(bound, pace, agreed);
      for (let i = 0; i < seconds * 2; i++) {
        now += 500;
        state = health.observe(bound, pace, agreed);
      }
      return state;
    },
  };
}
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

test('a link is up with its first bind, down without one, and up after a stable bind', () => {
  const { after } = watched();
  assert.equal(after(1, false), 'connecting');
  assert.equal(after(0), 'up');
  assert.equal(after(0, false), 'down');
  assert.equal(after(1), 'down');
  assert.equal(after(1), 'up');
});

test('a link with an unstable bind must be stable for longer each time', () => {
  const { after } = watched();
  after(0);
  const stood: number[] = [];
  for (let i = 0; i < 5; i++) {
    after(0, false);
    let seconds = 0;
    while (after(0.5) === 'down') seconds += 0.5;
    stood.push(seconds);
  }
  for (const [i, seconds] of stood.entries()) assert.ok(i === 0 || seconds >= stood[i - 1]! * 1.5, stood.join());
});

test('a carrier is failing or throttled only if it refuses most messages', () => {
  for (const [statuses, state] of [
    [times(20, THROTTLED), 'throttled'],
    [times(20, SYSTEM_ERROR), 'failing'],
    [times(20, BAD_NUMBER), 'up'],
    [[...times(10, 0), ...times(9, THROTTLED)], 'up'],
    [times(4, SYSTEM_ERROR), 'up'],
  ] as const) {
    const { after, answers } = watched();
    after(0);
    answers(...statuses);
    assert.equal(after(0), state, statuses.join());
  }
  const { after, answers } = watched();
  after(0);
  answers(...times(20, THROTTLED));
  assert.equal(after(1), 'throttled');
  answers(...times(20, 0));
  assert.equal(after(0), 'up', 'good answers show it at once');
  answers(...times(20, SYSTEM_ERROR));
  assert.equal(after(19), 'failing');
  assert.equal(after(2), 'up', 'without answers a rest does');
});

test('a link that gets less than a tenth of its agreed rate is throttled', () => {
  const { after } = watched();
  after(0, true, 500, 500);
  assert.equal(after(1, true, 40, 500), 'throttled');
  assert.equal(after(30, true, 40, 500), 'throttled');
  assert.equal(after(0, true, 200, 500), 'up');
});

test('a link does not go down because of repeated bad answers to one message', () => {
  let now = 1_000_000;
  const health = new LinkHealth(() => now);
  const observe = () => health.observe(true, Number.POSITIVE_INFINITY, null);
  const badAnswer = (id: number) =>
    health.take([{ kind: 'answered', status: SYSTEM_ERROR, context: { message: { id } } }]);
  observe();
  for (let i = 0; i < 10; i++) badAnswer(1);
  now += 500;
  assert.equal(observe(), 'up');
  for (let id = 2; id < 10; id++) badAnswer(id);
  now += 500;
  assert.equal(observe(), 'failing');
});
