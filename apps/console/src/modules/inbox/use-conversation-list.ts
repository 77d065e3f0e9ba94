import { type ConversationView, conversationCounts, conversations } from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../platform/call.ts';

export type ConversationRow = ReplyOf<typeof conversations>['data'][number];

/** Rows that fill a screen, and pages that a search reads by itself until it has found them. */
const SCREENFUL = 20;
const PAGES_BY_ITSELF = 3;

/** Counts of conversations, one reading for all that show them. */
export const countsQuery = {
  queryKey: ['inbox', 'counts'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(conversationCounts, { signal }),
};

/** Reads a list of conversations page by page, and the counts of all lists. Live notifications read them again. */
export function useConversationList(view: ConversationView, search: string) {
  const list = useInfiniteQuery({
    queryKey: ['inbox', 'conversations', view, search],
    queryFn: ({ pageParam, signal }) => call(conversations, { query: { view, search, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const counts = useQuery({ ...countsQuery, placeholderData: keepPreviousData });
  // A person who moved to the top between two pages is on both.
  const rows = [...new Map(list.data?.pages.flatMap(({ data }) => data).map((row) => [row.id, row])).values()];
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const few = rows.length < SCREENFUL && (list.data?.pages.length ?? 0) < PAGES_BY_ITSELF;
  useEffect(() => {
    if (few && hasNextPage && !isFetching) void fetchNextPage();
  }, [few, hasNextPage, isFetching, fetchNextPage]);
  return {
    rows,
    counts: counts.data,
    loading: list.isPending,
    stale: list.isPlaceholderData,
    error: list.error,
    more: () => void (hasNextPage && !isFetching && fetchNextPage()),
    searching: hasNextPage && isFetching,
    /** True if a search that has found little can go on. */
    goesOn: hasNextPage && rows.length < SCREENFUL,
  };
}
