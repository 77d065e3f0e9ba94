import { MENU_DEPTH } from './menu.ts';

/** An entry of the menu: a link if it has a route, else a group. */
export interface Entry {
  id: number;
  parent_id: number | null;
  url: string;
}

/** Returns the depth of an entry: 1 at the top; Infinity if it is inside itself, or its parent does not exist. */
export function depthOf(tree: readonly Entry[], entry: Entry): number {
  const byId = new Map(tree.map((each) => [each.id, each]));
  let depth = 1;
  for (let at = entry; at.parent_id !== null; depth++) {
    const parent = byId.get(at.parent_id);
    if (!parent || depth > tree.length) return Number.POSITIVE_INFINITY;
    at = parent;
  }
  return depth;
}

/**
 * Returns the fault of a tree; undefined if it has none. `too_deep`: an entry is deeper than group, sub-group and link
 * allow, or a group is at a depth for links only. `inside_link`: an entry is inside a link.
 */
export function treeFault(tree: readonly Entry[]): 'too_deep' | 'inside_link' | undefined {
  const byId = new Map(tree.map((each) => [each.id, each]));
  for (const entry of tree) {
    const depth = depthOf(tree, entry);
    if (depth > MENU_DEPTH || (depth === MENU_DEPTH && entry.url === '')) return 'too_deep';
    if (entry.parent_id !== null && byId.get(entry.parent_id)?.url !== '') return 'inside_link';
  }
  return undefined;
}
