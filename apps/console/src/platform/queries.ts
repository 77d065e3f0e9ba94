import { onlineManager, QueryClient } from '@tanstack/react-query';
import { useConnection } from './connection.ts';
import { problemFrom } from './problem.ts';

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
