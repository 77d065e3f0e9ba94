import { onlineManager, QueryClient } from '@tanstack/react-query';
import { useConnection } from './connection.ts';
import { problemFrom } from './problem.ts';
import { readerOf } from './read-again.ts';

/** Cache for all reads. Network failures are retried; errors answered by the server are not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && (problemFrom(error)?.status ?? 0) === 503,
    },
  },
});

// Reads wait while the server does not answer, and go on by themselves.
useConnection.subscribe(({ offline }) => onlineManager.setOnline(!offline));

/** Reads the data under a key again after an event; without a key, all of it. */
export const readAgain = readerOf(queryClient);
