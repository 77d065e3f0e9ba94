import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { repeat } from '../../src/platform/jobs/repeat.ts';

const EVERY_MS = 1_000;

/** Makes work that is under way until `end` is called, and counts how often it began. */
function makeWork() {
  const work = { begun: 0, end: (_?: Error): void => undefined };
  const run = () => {
    work.begun++;
    return new Promise<void>((resolve, reject) => {
      work.end = (error) => (error ? reject(error) : resolve());
    });
  };
  return { work, run };
}

/** Lets everything run that waits for no timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('repeats work at an interval from its end, and stops when it has ended', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { work, run } = makeWork();
  const repeated = repeat(EVERY_MS, run, () => assert.fail());
  mock.timers.tick(EVERY_MS - 1);
  assert.equal(work.begun, 0);
  mock.timers.tick(1);
  assert.equal(work.begun, 1);
  mock.timers.tick(10 * EVERY_MS);
  assert.equal(work.begun, 1, 'it is never under way twice');
  work.end();
  await settled();
  mock.timers.tick(EVERY_MS);
  assert.equal(work.begun, 2);
  let stopped = false;
  const stopping = repeated.stop().then(() => {
    stopped = true;
  });
  await settled();
  assert.equal(stopped, false);
  work.end();
  await stopping;
  repeated.wake();
  mock.timers.tick(10 * EVERY_MS);
  assert.equal(work.begun, 2);
  mock.timers.reset();
});

test('wakes work that waits, and repeats once after work that was woken', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { work, run } = makeWork();
  const repeated = repeat(Number.POSITIVE_INFINITY, run, () => assert.fail());
  mock.timers.tick(EVERY_MS);
  assert.equal(work.begun, 0);
  repeated.wake();
  repeated.wake();
  repeated.wake();
  assert.equal(work.begun, 1);
  work.end();
  await settled();
  assert.equal(work.begun, 2);
  work.end();
  await settled();
  assert.equal(work.begun, 2);
  await repeated.stop();
  mock.timers.reset();
});

test('waits after a failure, however often the work was woken', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { work, run } = makeWork();
  const errors: unknown[] = [];
  const repeated = repeat(
    () => EVERY_MS,
    run,
    (error) => errors.push(error),
  );
  repeated.wake();
  repeated.wake();
  work.end(new Error('away'));
  await settled();
  assert.deepEqual([work.begun, errors.length], [1, 1]);
  mock.timers.tick(EVERY_MS);
  assert.equal(work.begun, 2);
  work.end();
  await repeated.stop();
  mock.timers.reset();
});
