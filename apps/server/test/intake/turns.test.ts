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

test('a small owner shares no transaction with a large one, and waits for none', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 10_000);
  for (let owner = 2; owner < 12; owner++) push(turns, owner, 5);
  const begun = [];
  for (let turn = turns.next(); turn; turn = turns.next()) begun.push(turn);
  assert.equal(
    begun.some((turn) => ownersOf(turn).includes(FLOOD) && ownersOf(turn).length > 1),
    false,
  );
  // The flood already has all the transactions that it may have at a time, so a new owner goes immediately.
  push(turns, 20, 1);
  assert.equal(turns.isReady, true);
  assert.deepEqual(ownersOf(turns.next()), [20]);
  // The flood gets another transaction only after one of its own has ended.
  assert.equal(turns.isReady, false);
  begun.find((turn) => ownersOf(turn).includes(FLOOD))!.end();
  assert.deepEqual(ownersOf(turns.next()), [FLOOD]);
});

test('the rest of a large owner does not wait among the small owners', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 2_010);
  const long = turns.next()!;
  assert.equal(long.items.length, 2_000);
  push(turns, 2, 1);
  const next = [turns.next(), turns.next()].map(ownersOf);
  assert.deepEqual(next, [[2], [FLOOD]]);
});

test('a single owner gets two long transactions; with others they are short', () => {
  const turns = makeTurns();
  push(turns, FLOOD, 10_000);
  assert.deepEqual([turns.next()?.items.length, turns.next()?.items.length, turns.next()], [2_000, 2_000, undefined]);
  const beside = makeTurns();
  push(beside, FLOOD, 10_000);
  push(beside, 2, 1);
  const sizes = [beside.next(), beside.next(), beside.next()].map((turn) => turn?.items.length);
  assert.equal(Math.max(...sizes.map((size) => size ?? 0)), 200);
});

test('what fits into a short transaction is divided among two, unless it is little', () => {
  const sizesOf = (waiting: number) => {
    const turns = makeTurns();
    push(turns, 2, waiting);
    return [turns.next(), turns.next()].map((turn) => turn?.items.length ?? 0);
  };
  assert.deepEqual([10, 63, 90, 128, 1_000].map(sizesOf), [
    [10, 0],
    [63, 0],
    [45, 45],
    [64, 64],
    [1_000, 0],
  ]);
  // A transaction that begins beside a running one takes all.
  const turns = makeTurns();
  push(turns, 2, 10);
  turns.next();
  push(turns, 3, 90);
  assert.equal(turns.next()?.items.length, 90);
});

test('items of all sizes get their turn, in the order of their owner', () => {
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

test('a large owner goes in short steps until a second after the last item of another', () => {
  let now = 0;
  const turns = new Turns<Item>(
    ({ owner }) => owner,
    ({ size }) => size,
    () => now,
  );
  push(turns, 2, 1);
  push(turns, FLOOD, 10_000);
  turns.next()!.end();
  now = 999;
  assert.equal(turns.next()?.items.length, 200);
  now = 1_000;
  assert.equal(turns.next()?.items.length, 2_000);
});
