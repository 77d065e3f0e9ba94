import type { Campaign } from './campaign-feed.ts';

const COUNTERS = ['submitted', 'delivered', 'failed', 'expired', 'blocked', 'cancelled'] as const;
type Counters = Pick<Campaign, (typeof COUNTERS)[number] | 'processed' | 'waiting'>;

/** What `campaign.progress` tells: the counters as they stand, or that the state has changed. */
export interface CampaignProgress extends Partial<Counters> {
  id: number;
  state?: Campaign['state'];
}

/**
 * A campaign with news taken in. Counters only grow, so news that was overtaken changes nothing; the carrier may refuse
 * what was processed, so that number and the number that waits grow together.
 */
export function takeIn<C extends { id: number } & Counters>(campaign: C, news: CampaignProgress): C {
  if (campaign.id !== news.id) return campaign;
  const merged = { ...campaign };
  for (const counter of COUNTERS) merged[counter] = Math.max(campaign[counter], news[counter] ?? 0);
  const { processed, waiting = 0 } = news;
  if (processed !== undefined && processed + waiting >= campaign.processed + campaign.waiting)
    Object.assign(merged, { processed, waiting });
  return merged;
}
