import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { balanceLinks } from '../../src/modules/delivery/sending/balance-links.ts';
import type { Standings } from '../../src/modules/delivery/sending/lanes.ts';

const links = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** Senders and their links. Each sender acts on the links that it sees, one after another. */
class World {
  readonly senders = new Map<string, { settled: boolean }>();
  readonly holders = new Map<number, string>();
  moved = 0;

  get standings(): Standings {
    return {
      senders: [...this.senders]
        .map(([name, { settled }]) => ({ name, settled }))
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
      leases: [...this.holders].map(([link_id, holder]) => ({ link_id, holder, left_ms: 3_000 })),
    };
  }

  /** Lets each sender act on the same view. Links that are handed over are free for the next round. */
  round(all: readonly number[]): void {
    const seen = this.standings;
    const given: number[] = [];
    for (const name of this.senders.keys()) {
      const { take, most, give } = balanceLinks(name, all, seen);
      for (const id of take.filter((each) => !this.holders.has(each)).slice(0, most)) this.holders.set(id, name);
      given.push(...all.filter((id) => seen.leases.some((l) => l.link_id === id && l.holder === name)).slice(0, give));
    }
    for (const id of given) this.holders.delete(id);
    this.moved += given.length;
  }

  counts(): number[] {
    return [...this.senders.keys()].map((name) => [...this.holders.values()].filter((each) => each === name).length);
  }

  leave(name: string): void {
    this.senders.delete(name);
    for (const [id, holder] of this.holders) if (holder === name) this.holders.delete(id);
  }
}

test('links spread evenly over any senders that come and go, then stop moving', () => {
  const random = seededRandom(seedOf('FAULT_SEED'));
  for (let run = 0; run < 300; run++) {
    const world = new World();
    const all = links(random.below(30));
    for (let change = 0; change < 6; change++) {
      const names = [...world.senders.keys()];
      if (names.length > 1 && random.chance(0.4)) world.leave(random.pick(names));
      else world.senders.set(`sender-${change}`, { settled: true });
      for (let round = 0; round < 60; round++) world.round(all);
      const counts = world.counts();
      assert.equal(world.holders.size, all.length, 'each link has a sender');
      assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, `even: ${counts}`);
      const before = world.moved;
      for (let round = 0; round < 5; round++) world.round(all);
      assert.equal(world.moved, before, 'nothing moves between senders that are even');
    }
  }
});

test('a newly started sender takes free links, and no link is handed over to it', () => {
  const world = new World();
  world.senders.set('old', { settled: true });
  const all = links(4);
  world.round(all);
  world.senders.set('young', { settled: false });
  for (let round = 0; round < 10; round++) world.round(all);
  assert.deepEqual(world.counts(), [4, 0]);
  world.holders.delete(1);
  world.round(all);
  assert.deepEqual(world.counts(), [3, 1]);
});

test('a sender that drains or is not listed takes nothing', () => {
  const standings = { senders: [{ name: 'a', settled: true }], leases: [] };
  assert.deepEqual(balanceLinks('b', links(3), standings), { take: [], most: 0, give: 0 });
});
