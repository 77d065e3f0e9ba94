import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, treeFault } from '@heliograph/contract/access/menu-tree';
import fc from 'fast-check';
import { drop, placed, put, type Step, step } from '../../src/modules/access/menu-order.ts';

const TREE: readonly Entry[] = [
  { id: 1, parent_id: null, url: 'dashboard' },
  { id: 2, parent_id: null, url: '' },
  { id: 3, parent_id: 2, url: 'send-sms' },
  { id: 4, parent_id: 2, url: 'campaigns' },
  { id: 5, parent_id: null, url: '' },
  { id: 6, parent_id: 5, url: '' },
  { id: 7, parent_id: 6, url: 'reports' },
];
const shape = (entries: readonly Entry[]) =>
  placed(entries)
    .map(({ id, depth }) => `${'-'.repeat(depth)}${id}`)
    .join(' ');

test('an entry moves among its siblings, into the group above or out of its own', () => {
  assert.equal(shape(TREE), '1 2 -3 -4 5 -6 --7');
  assert.equal(shape(step(TREE, 4, 'up')), '1 2 -4 -3 5 -6 --7');
  assert.equal(shape(step(TREE, 2, 'down')), '1 5 -6 --7 2 -3 -4');
  assert.equal(shape(step(TREE, 4, 'outside')), '1 2 -3 4 5 -6 --7');
  assert.equal(shape(step(step(TREE, 4, 'outside'), 4, 'inside')), shape(TREE));
});

test('a step to a position that is not allowed changes nothing', () => {
  for (const [id, way] of [
    [1, 'up'],
    [5, 'down'],
    [2, 'inside'], // into a link
    [5, 'inside'], // its sub-group would be too deep
    [1, 'outside'],
  ] as const)
    assert.equal(step(TREE, id, way), TREE, `${id} ${way}`);
  assert.equal(put(TREE, 5, 6, 0), TREE, 'inside itself');
});

test('a drop takes the requested depth as far as its neighbors allow', () => {
  assert.equal(shape(drop(TREE, 1, 4, 0)), '2 -3 -4 1 5 -6 --7');
  assert.equal(shape(drop(TREE, 1, 4, 1)), '2 -3 -4 -1 5 -6 --7');
  assert.equal(shape(drop(TREE, 1, 3, 5)), '2 -3 -1 -4 5 -6 --7');
  assert.equal(shape(drop(TREE, 4, 1, 0)), '4 1 2 -3 5 -6 --7');
});

test('every move keeps each entry exactly once in a tree that the server accepts', () => {
  const move = fc.oneof(
    fc.record({ id: fc.integer({ min: 1, max: 7 }), way: fc.constantFrom<Step>('up', 'down', 'inside', 'outside') }),
    fc.record({
      id: fc.integer({ min: 1, max: 7 }),
      over: fc.integer({ min: 1, max: 7 }),
      depth: fc.integer({ min: 0, max: 4 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
      let tree = TREE;
      for (const each of moves)
        tree = 'way' in each ? step(tree, each.id, each.way) : drop(tree, each.id, each.over, each.depth);
      assert.deepEqual(tree.map(({ id }) => id).sort(), [1, 2, 3, 4, 5, 6, 7]);
      assert.equal(placed(tree).length, 7);
      assert.equal(treeFault(tree), undefined);
    }),
    { numRuns: 500 },
  );
});
