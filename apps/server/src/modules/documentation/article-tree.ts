/** Fields of an article that its place in the tree needs. */
interface Placed {
  id: number;
  parent_id: number | null;
  position: number;
  title: string;
  is_parent: boolean;
  /** Right that a reader must hold; null for none. */
  permission: string | null;
  /** It has no text of its own and only groups the articles inside it. */
  empty: boolean;
}

/**
 * Lists the articles that a reader may see, in reading order: siblings by position, then title, each before the
 * articles inside it. Articles inside a hidden one are hidden, and so is one without text that has nothing to show.
 */
export function readingOrder<A extends Placed>(
  articles: readonly A[],
  holds: (permission: string) => boolean,
): (A & { depth: number })[] {
  const inside = Map.groupBy(articles, ({ parent_id }) => parent_id);
  const walk = (parent: number | null, depth: number): (A & { depth: number })[] =>
    (inside.get(parent) ?? [])
      .toSorted((a, b) => a.position - b.position || a.title.localeCompare(b.title, 'en') || a.id - b.id)
      .flatMap((article) => {
        if (article.permission !== null && !holds(article.permission)) return [];
        const children = walk(article.id, depth + 1);
        return article.empty && children.length === 0 ? [] : [{ ...article, depth }, ...children];
      });
  return walk(null, 0);
}

type Parent = Pick<Placed, 'id' | 'parent_id' | 'is_parent'>;

/**
 * Answers why an article cannot be placed in a parent; undefined if it can. `tree` is every article after the change.
 */
export function placeFault(
  tree: readonly Parent[],
  deepest: number,
): 'article_inside_itself' | 'article_too_deep' | 'article_no_parent' | undefined {
  const byId = new Map(tree.map((article) => [article.id, article]));
  for (const article of tree) {
    const met = new Set<number>([article.id]);
    for (let at = article; at.parent_id !== null; ) {
      const parent = byId.get(at.parent_id);
      if (!parent) break;
      if (met.has(parent.id)) return 'article_inside_itself';
      if (!parent.is_parent) return 'article_no_parent';
      met.add(parent.id);
      if (met.size > deepest) return 'article_too_deep';
      at = parent;
    }
  }
  return undefined;
}
