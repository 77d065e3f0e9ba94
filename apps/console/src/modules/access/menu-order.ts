import { type Entry, treeFault } from '@heliograph/contract/access/menu-tree';

/** Entry with the depth at which it is drawn. */
export type Placed<E extends Entry> = E & { depth: number };

/** Returns the entries from top to bottom, each with its depth. Siblings keep the order of the list. */
export function placed<E extends Entry>(entries: readonly E[], parent: number | null = null, depth = 0): Placed<E>[] {
  return entries
    .filter(({ parent_id }) => parent_id === parent)
    .flatMap((entry) => [{ ...entry, depth }, ...placed(entries, entry.id, depth + 1)]);
}

const ordered = <E extends Entry>(entries: readonly E[]): E[] =>
  placed(entries).map(({ depth: _, ...entry }) => entry as unknown as E);

/**
 * Moves an entry, with everything inside it, into a parent at an index. Returns the same list if the entry may not be
 * there.
 */
export function put<E extends Entry>(
  entries: readonly E[],
  id: number,
  parent: number | null,
  index: number,
): readonly E[] {
  const entry = entries.find((each) => each.id === id);
  if (!entry) return entries;
  const rest = entries.filter((each) => each.id !== id);
  const siblings = rest.filter(({ parent_id }) => parent_id === parent);
  const moved = { ...entry, parent_id: parent };
  const before = siblings[index];
  const at = before ? rest.indexOf(before) : rest.length;
  const next = [...rest.slice(0, at), moved, ...rest.slice(at)];
  return treeFault(next) ? entries : ordered(next);
}

export type Step = 'up' | 'down' | 'inside' | 'outside';

/** Moves an entry one step: among its siblings, into the group above, or out of its own. */
export function step<E extends Entry>(entries: readonly E[], id: number, way: Step): readonly E[] {
  const entry = entries.find((each) => each.id === id);
  if (!entry) return entries;
  const siblings = entries.filter(({ parent_id }) => parent_id === entry.parent_id);
  const index = siblings.findIndex((each) => each.id === id);
  if (way === 'up') return index > 0 ? put(entries, id, entry.parent_id, index - 1) : entries;
  if (way === 'down') return index < siblings.length - 1 ? put(entries, id, entry.parent_id, index + 1) : entries;
  if (way === 'inside') {
    const above = siblings[index - 1];
    return above ? put(entries, id, above.id, Number.MAX_SAFE_INTEGER) : entries;
  }
  const parent = entries.find((each) => each.id === entry.parent_id);
  if (!parent) return entries;
  const uncles = entries.filter(({ parent_id }) => parent_id === parent.parent_id);
  return put(entries, id, parent.parent_id, uncles.indexOf(parent) + 1);
}

/** Drops an entry at the position of another one. The depth is `depth`, as far as its new neighbors allow it. */
export function drop<E extends Entry>(entries: readonly E[], id: number, over: number, depth: number): readonly E[] {
  const inside = new Set(placed(entries, id).map((each) => each.id));
  const visible = placed(entries).filter((each) => !inside.has(each.id));
  const from = visible.findIndex((each) => each.id === id);
  const to = visible.findIndex((each) => each.id === over);
  if (from < 0 || to < 0) return entries;
  const others = visible.filter((each) => each.id !== id);
  const above = others[to - 1];
  const below = others[to];
  const deepest = above ? (above.url === '' ? above.depth + 1 : above.depth) : 0;
  const wanted = Math.max(below?.depth ?? 0, Math.min(depth, deepest));
  let parent: number | null = null;
  for (let i = to - 1; i >= 0 && wanted > 0; i--) {
    if (others[i]!.depth !== wanted - 1) continue;
    parent = others[i]!.id;
    break;
  }
  const index = others.slice(0, to).filter(({ parent_id }) => parent_id === parent).length;
  return put(entries, id, parent, index);
}
