import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { useSession } from '../../platform/session.ts';

const FirstRunPanel = lazyPart(async () => (await import('./first-run-panel.tsx')).FirstRunPanel);

/**
 * Returns the checklist of the first campaign for a dashboard; null once a campaign was sent or the user dismissed it.
 * `ready` is false until this is known, so that the screen can wait and nothing moves.
 */
export function useFirstRun(): { ready: boolean; panel: ReactNode } {
  const corporation = useSession((s) => s.profile?.corporation_id ?? null);
  const { data, isPending } = useQuery({
    queryKey: ['first-run'],
    // Loaded when it is needed: most people have no checklist, and the first screen stays small.
    queryFn: async ({ signal }) => {
      const { firstRun } = await import('@heliograph/contract/organizations/first-run');
      return call(firstRun, { signal });
    },
    enabled: corporation !== null,
    // Steps are taken on other screens. A checklist that has ended does not come back.
    staleTime: ({ state }) => (state.data?.data === null ? Number.POSITIVE_INFINITY : 0),
  });
  if (corporation === null) return { ready: true, panel: null };
  const state = data?.data;
  return {
    ready: !isPending,
    panel: state && (
      <Suspense fallback={null}>
        <FirstRunPanel state={state} />
      </Suspense>
    ),
  };
}
