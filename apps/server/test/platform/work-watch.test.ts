import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { WorkWatch } from '../../src/platform/jobs/work-watch.ts';

const LONG_MS = 20_000;

/** Lets everything run that waits for no timer. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A watch on a clock of its own, over a database that answers `work`, with one loop of 100 ms. */
async function stage() {
  mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  mock.method(performance, 'now', () => now);
  const database = { work: true as boolean | Error, asked: [] as { text: string; values: unknown[] }[] };
  const query = async (asked: { text: string; values: unknown[] }) => {
    database.asked.push(asked);
    if (database.work instanceof Error) throw database.work;
    return { rows: [{ 0: database.work, 1: 'anything' }] };
  };
  const watch = new WorkWatch({ query: query as never });
  watch.add({ sql: 'a = $1', values: () => [1] });
  watch.add({ sql: 'b = $1 AND c = $2', values: () => [2, 3], isWork: () => false });
  let worked = 0;
  const loop = watch.repeat(
    100,
    async () => void worked++,
    () => assert.fail(),
  );
  await watch.start();
  /** Lets time pass, and returns how often the loop has worked in it. */
  const pass = async (ms: number) => {
    const before = worked;
    for (let left = ms; left > 0; left -= 50) {
      now += 50;
      mock.timers.tick(50);
      await settled();
    }
    return worked - before;
  };
  const stop = async () => {
    await Promise.all([loop.stop(), watch.stop()]);
    mock.timers.reset();
    mock.restoreAll();
  };
  return { watch, database, pass, stop };
}

test('loops keep their interval while there are signs of work, and rest without them', async () => {
  const s = await stage();
  assert.ok((await s.pass(LONG_MS)) > 100);
  assert.equal(s.watch.isResting, false);
  s.database.work = false;
  await s.pass(6_000);
  assert.equal(s.watch.isResting, true);
  const asked = s.database.asked.length;
  assert.equal(await s.pass(LONG_MS), 0);
  assert.ok(s.database.asked.length > asked, 'it still looks for signs');
  await s.stop();
});

test('a sign of work, a wake-up and a failed look each end the rest', async () => {
  const s = await stage();
  const rest = async () => {
    s.database.work = false;
    await s.pass(LONG_MS);
    assert.equal(s.watch.isResting, true);
  };
  await rest();
  s.database.work = true;
  assert.ok((await s.pass(3_000)) > 0);
  await rest();
  s.watch.wake();
  await settled();
  assert.equal(s.watch.isResting, false);
  assert.equal(s.watch.wokeAt, performance.now());
  assert.ok((await s.pass(1_000)) > 5);
  await rest();
  s.database.work = new Error('gone');
  assert.ok((await s.pass(3_000)) > 0);
  await s.stop();
});

test('a loop works at rest too, once a minute', async () => {
  const s = await stage();
  s.database.work = false;
  await s.pass(LONG_MS);
  const worked = await s.pass(130_000);
  assert.ok(worked >= 2 && worked <= 3, `${worked}`);
  await s.stop();
});

test('one statement looks for all signs, each with its own values', async () => {
  const s = await stage();
  await s.pass(1_500);
  const [asked] = s.database.asked;
  assert.equal(asked?.text, 'SELECT (a = $1) AS "0", (b = $2 AND c = $3) AS "1"');
  assert.deepEqual(asked?.values, [1, 2, 3]);
  await s.stop();
});
