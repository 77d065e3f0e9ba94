import type { Standings } from './lanes.ts';

/** Links that one sender hands over at once; each stands still for a moment. */
const MOST_GIVEN = 4;

/** What a sender should do about the links there are. */
export interface Move {
  /** Free links to try, as many of them as `most`. */
  take: readonly number[];
  most: number;
  /** So many of its own links to hand over. */
  give: number;
}

/**
 * How links spread over senders: each takes free ones up to an even share. Where two differ by more than
 * one, whoever has most hands links over; so nothing moves between senders that are as even as they can be. A sender
 * that was just started gets none handed over, and none move while any is free.
 */
export function spread(me: string, links: readonly number[], { senders, leases }: Standings): Move {
  const live = new Set(senders.map(({ name }) => name));
  const holders = new Map(leases.map(({ link_id, holder }) => [link_id, holder]));
  const counts = new Map(senders.map(({ name }) => [name, 0]));
  for (const link of links) {
    const holder = holders.get(link);
    if (holder !== undefined && live.has(holder)) counts.set(holder, counts.get(holder)! + 1);
  }
  const mine = counts.get(me);
  // One that drains, or that the list does not know yet, takes nothing.
  if (mine === undefined) return { take: [], most: 0, give: 0 };
  const free = links.filter((link) => !holders.has(link));
  const place = senders.findIndex(({ name }) => name === me);
  const even = Math.floor(links.length / senders.length);
  // Whoever has least goes first, or the one that handed a link over would take it back.
  const othersLack = senders.some(({ name }) => name !== me && counts.get(name)! < even);
  const most = Math.max(0, (mine < even || othersLack ? even : Math.ceil(links.length / senders.length)) - mine);
  // Each begins at another place, so that not all reach for the same link.
  const from = free.length === 0 ? 0 : Math.floor((free.length * place) / senders.length);
  return {
    take: [...free.slice(from), ...free.slice(0, from)],
    most,
    give: free.length === 0 ? surplus(me, counts, senders, even) : 0,
  };
}

/** How many links the sender with the most of them hands over, the first of several that have as many. */
function surplus(me: string, counts: ReadonlyMap<string, number>, senders: Standings['senders'], even: number): number {
  const mine = counts.get(me)!;
  const [richest] = senders.toSorted((a, b) => counts.get(b.name)! - counts.get(a.name)! || (a.name < b.name ? -1 : 1));
  if (richest?.name !== me) return 0;
  const others = senders.filter(({ name, settled }) => settled && name !== me).map(({ name }) => counts.get(name)!);
  if (!others.some((count) => count < mine - 1)) return 0;
  const lacking = others.reduce((sum, count) => sum + Math.max(0, even - count), 0);
  const most = [...counts.values()].reduce((sum, count) => sum + count, 0) > even * senders.length ? even + 1 : even;
  return Math.min(Math.max(Math.min(mine - even, lacking), mine - most), MOST_GIVEN);
}
