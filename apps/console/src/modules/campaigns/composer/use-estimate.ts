import { estimateCampaign } from '@heliograph/contract/campaigns/quote';
import type { BodyInput, ReplyOf } from '@heliograph/contract/kernel/operation';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../platform/call.ts';

/** Time without another change after which an estimate is read, in milliseconds. */
const QUIET_MS = 500;
const FRESH_MS = 30_000;

/** Estimate of the draft, and whether it belongs to an earlier version of it. */
export interface EstimateOfDraft {
  estimate: ReplyOf<typeof estimateCampaign>['data'] | undefined;
  outdated: boolean;
}

/** Reads what the draft would cost, while it is written. Only the quote is exact. */
export function useEstimate(content: BodyInput<typeof estimateCampaign>, complete: boolean): EstimateOfDraft {
  const now = JSON.stringify(content);
  const [asked] = useDebouncedValue(now, QUIET_MS);
  const read = useQuery({
    queryKey: ['composer', 'estimate', asked],
    queryFn: ({ signal }) =>
      call(estimateCampaign, { body: JSON.parse(asked) as BodyInput<typeof estimateCampaign>, signal }),
    enabled: complete && asked === now,
    staleTime: FRESH_MS,
    retry: false,
    placeholderData: keepPreviousData,
  });
  const estimate = complete && !read.error ? read.data?.data : undefined;
  return { estimate, outdated: asked !== now || read.isPlaceholderData };
}
