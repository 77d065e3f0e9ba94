import { getCampaign } from '@heliograph/contract/campaigns/campaign';
import { useQueries } from '@tanstack/react-query';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';

/** Returns the names of campaigns by their ids, as far as they are loaded and the person may see them. */
export function useCampaignNames(ids: readonly number[]): Record<string, string> {
  const enabled = useMay(getCampaign.permission!);
  const rows = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['campaigns', 'name', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call(getCampaign, { params: { id }, signal })).data.name,
      enabled,
    })),
  });
  return Object.fromEntries(rows.flatMap(({ data }, at) => (data === undefined ? [] : [[String(ids[at]), data]])));
}
