import { QueryClient } from '@tanstack/react-query';
import { problemFrom } from './problem.ts';

/** One cache for all reads. Failures of the way are tried again; answers the server meant are not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && (problemFrom(error)?.status ?? 0) === 503,
    },
  },
});
