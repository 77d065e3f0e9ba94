import type { Standings } from './lanes.ts';

/** Maximum links that one sender hands over together; each stands still for a moment. */
const MOST_GIVEN = 4;

/** Changes that a sender should make to its links. */
export interface Move {
  /** Free links to try; it takes at most `most` of them. */
  take: readonly number[];
  most: number;
  /** Number of its own links to hand over. */
  give: number;
}

/**
 * Decides how links spread over senders. Each takes free ones up to an even share. If two differ by more than one, the
 * sender with the most hands links over. So nothing moves between senders that are as even as possible. A sender that
 * was just started gets none handed over, and none move while any is free.
 */
export function balanceLinks(me: string, links: readonly number[], { senders, leases }: Standings): Move {
  const live = new Set(senders.map(({ name }) => name));
  const holders = new Map(leases.map(({ link_id, holder }) => [link_id, holder]));
  const counts = new Map(senders.map(({ name }) => [name, 0]));
  for (const link of links) {
    const holder = holders.get(link);
    if (holder !== undefined && live.has(holder)) counts.set(holder, counts.get(holder)! + 1);
  }
  const mine = counts.get(me);
  // A sender that drains, or is not in the list yet, takes no links.
  if (mine === undefined) return { take: [], most: 0, give: 0 };
  const free = links.filter((link) => !holders.has(link));
  const place = senders.findIndex(({ name }) => name === me);
  const even = Math.floor(links.length / senders.length);
  // The sender with the fewest links goes first, or the one that handed a link over would take it back.
  const othersLack = senders.some(({ name }) => name !== me && counts.get(name)! < even);
  const most = Math.max(0, (mine < even || othersLack ? even : Math.ceil(links.length / senders.length)) - mine);
  // Each begins at another place, so that they do not all try the same link.
  const from = free.length === 0 ? 0 : Math.floor((free.length * place) / senders.length);
  return {
    take: [...free.slice(from), ...free.slice(0, from)],
    most,
    give: free.length === 0 ? surplus(me, counts, senders, even) : 0,
  };
}

/** Answers how many links the sender with the most hands over; of several equal ones only the first does. */
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
