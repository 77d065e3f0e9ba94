package heliograph;

import java.util.List;

/**
 * Page of a list.
 *
 * @param <T> type of its items
 * @param nextCursor place of the next page: store it when you have processed the items
 */
public record Page<T>(List<T> data, String nextCursor, boolean hasMore) {}
