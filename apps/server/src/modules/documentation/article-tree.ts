/** An article as its place in the tree needs it. */
interface Placed {
  id: number;
  parent_id: number | null;
  position: number;
  title: string;
  is_parent: boolean;
  /** The right a reader must hold; null for none. */
  permission: string | null;
  /** It has no words of its own and stands for what is in it. */
  empty: boolean;
}

/**
 * The articles that somebody may read, in reading order: siblings by position, then title, each before what stands in it.
 * What stands in a hidden article is hidden, and so is one without words that has nothing to show.
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

/** Why an article cannot stand in a parent; undefined where it can. `tree` is every article as it would be. */
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
