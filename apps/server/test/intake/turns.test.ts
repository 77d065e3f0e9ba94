import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Turn, Turns } from '../../src/modules/intake/turns.ts';

interface Item {
  owner: number;
  size: number;
}

const FLOOD = 1;
const makeTurns = () =>
  new Turns<Item>(
    ({ owner }) => owner,
    ({ size }) => size,
  );
const push = (turns: Turns<Item>, owner: number, count: number) => {
  for (let i = 0; i < count; i++) turns.push({ owner, size: 1 });
};
const ownersOf = (turn: Turn<Item> | undefined) => [...new Set(turn?.items.map(({ owner }) => owner))];

test('who has little goes with none who has much, and waits for no transaction of theirs', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 10_000);
  for (let owner = 2; owner < 12; owner++) push(turns, owner, 5);
  const begun = [];
  for (let turn = turns.next(); turn; turn = turns.next()) begun.push(turn);
  assert.equal(
    begun.some((turn) => ownersOf(turn).includes(FLOOD) && ownersOf(turn).length > 1),
    false,
  );
  // All that the flood may have at a time is under way: whoever comes now goes at once.
  push(turns, 20, 1);
  assert.equal(turns.isReady, true);
  assert.deepEqual(ownersOf(turns.next()), [20]);
  // And the flood, once one of its transactions has ended.
  assert.equal(turns.isReady, false);
  begun.find((turn) => ownersOf(turn).includes(FLOOD))!.end();
  assert.deepEqual(ownersOf(turns.next()), [FLOOD]);
});

test('the rest of one who has much waits for its own transactions, not among those who have little', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 2_010);
  const long = turns.next()!;
  assert.equal(long.items.length, 2_000);
  push(turns, 2, 1);
  const next = [turns.next(), turns.next()].map(ownersOf);
  assert.deepEqual(next, [[2], [FLOOD]]);
});

test('one alone has long transactions, two at a time; beside others they are short', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 10_000);
  assert.deepEqual([turns.next()?.items.length, turns.next()?.items.length, turns.next()], [2_000, 2_000, undefined]);
  const beside = makeTurns();
  push(beside, FLOOD, 10_000);
  push(beside, 2, 1);
  const sizes = [beside.next(), beside.next(), beside.next()].map((turn) => turn?.items.length);
  assert.equal(Math.max(...sizes.map((size) => size ?? 0)), 500);
});

test('whatever comes in whatever sizes, all of it has its turn, in the order of its owner', () => {
  const turns = makeTurns();
  const wanted = new Map<number, Item[]>();
  for (let i = 0; i < 500; i++) {
    const item = { owner: i % 7, size: i % 50 === 0 ? 3_000 : (i % 3) + 1 };
    turns.push(item);
    wanted.set(item.owner, [...(wanted.get(item.owner) ?? []), item]);
  }
  const got = new Map<number, Item[]>();
  for (let turn = turns.next(); turn; turn = turns.next()) {
    for (const item of turn.items) got.set(item.owner, [...(got.get(item.owner) ?? []), item]);
    turn.end();
  }
  assert.equal(turns.size, 0);
  assert.deepEqual(new Map([...got].sort()), new Map([...wanted].sort()));
});
