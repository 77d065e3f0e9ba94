import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Returns the function that reads the data under a key again after an event. A read under way is finished first, and
 * all events meanwhile cause one more: if each event cancelled the read before it, a screen would show nothing while
 * events arrive faster than the server answers.
 */
export function readerOf(client: QueryClient): (queryKey?: QueryKey) => Promise<void> {
  /** Keys whose data is read again after the reads under way, as text. */
  const due = new Set<string>();
  return async (queryKey = []) => {
    const key = JSON.stringify(queryKey);
    if (due.has(key)) return;
    const underWay = client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching', type: 'active' })
      .map(({ promise }) => promise);
    if (underWay.length > 0) {
      due.add(key);
      await Promise.allSettled(underWay);
      due.delete(key);
    }
    await client.invalidateQueries({ queryKey });
  };
}
