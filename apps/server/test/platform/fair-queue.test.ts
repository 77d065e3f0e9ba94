import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from '../../src/platform/structures/fair-queue.ts';

interface Item {
  owner: number;
  size: number;
  place: number;
}

const items = fc
  .array(fc.record({ owner: fc.nat(4), size: fc.integer({ min: 1, max: 5 }) }), { maxLength: 60 })
  .map((drawn) => drawn.map((item, place): Item => ({ ...item, place })));

const queueOf = (drawn: readonly Item[]) => {
  const queue = new FairQueue<number, Item>(({ size }) => size);
  for (const item of drawn) queue.push(item.owner, item);
  return queue;
};
const sum = (taken: readonly Item[]) => taken.reduce((total, { size }) => total + size, 0);

test('takes each item once, and the items of an owner in their order', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 20 }), (drawn, most) => {
      const queue = queueOf(drawn);
      const taken: Item[] = [];
      for (let some = queue.take(most); some.length > 0; some = queue.take(most)) {
        assert.ok(sum(some) <= most || some.length === 1);
        taken.push(...some);
        assert.equal(queue.size, sum(drawn) - sum(taken));
      }
      for (const [owner, own] of Map.groupBy(taken, (item) => item.owner))
        assert.deepEqual(
          own,
          drawn.filter((item) => item.owner === owner),
        );
      assert.equal(taken.length, drawn.length);
    }),
  );
});

test('gives each owner that waits one item before any gets a second', () => {
  fc.assert(
    fc.property(items, (drawn) => {
      const queue = queueOf(drawn);
      const waiting = new Set(drawn.map(({ owner }) => owner));
      const round = Array.from(waiting, () => queue.next()!.owner);
      assert.deepEqual(new Set(round), waiting);
    }),
  );
});

test('gives an owner that rests no turn, and keeps its items', () => {
  const queue = new FairQueue<string, string>();
  queue.push('a', 'a1');
  queue.rest('a');
  queue.rest('b');
  queue.push('a', 'a2');
  queue.push('b', 'b1');
  queue.push('c', 'c1');
  assert.deepEqual([queue.next(), queue.next(), queue.size, queue.sizeOf('a')], ['c1', undefined, 3, 2]);
  queue.wake('b');
  queue.wake('a');
  assert.deepEqual([queue.next(), queue.next(), queue.next(), queue.next()], ['b1', 'a1', 'a2', undefined]);
});

test('keeps the order of a line that is longer than a cut', () => {
  const queue = new FairQueue<string, number>();
  for (let i = 0; i < 3_000; i++) queue.push('a', i);
  for (let i = 0; i < 3_000; i++) assert.equal(queue.next(), i);
  assert.deepEqual([queue.size, queue.owners], [0, 0]);
});

test('owners take turns in a queue, so a small owner does not wait for a large one', () => {
  const queue = new FairQueue<number, { owner: number; n: number; size: number }>(({ size }) => size);
  for (let n = 0; n < 5_000; n++) queue.push(1, { owner: 1, n, size: 1 });
  for (let n = 0; n < 30; n++) queue.push(2, { owner: 2, n, size: 1 });
  queue.push(3, { owner: 3, n: 0, size: 5_000 });
  assert.equal(queue.size, 10_030);
  assert.deepEqual(
    [queue.isFullFor(1, 10_000), queue.isFullFor(2, 10_000), queue.isFullFor(3, 10_000)],
    [true, false, true],
  );
  const first = queue.take(2_000);
  assert.equal(first.filter(({ owner }) => owner === 2).length, 30);
  assert.ok(first.reduce((sum, { size }) => sum + size, 0) <= 2_000);
  const second = queue.take(2_000);
  assert.deepEqual(second, [{ owner: 3, n: 0, size: 5_000 }], 'what is larger than all comes alone, in its turn');
  const rest: number[] = [...first, ...second].filter(({ owner }) => owner === 1).map(({ n }) => n);
  while (queue.size > 0) rest.push(...queue.take(2_000).map(({ n }) => n));
  assert.deepEqual(
    rest,
    Array.from({ length: 5_000 }, (_, n) => n),
  );
  assert.deepEqual(queue.take(2_000), []);
});
