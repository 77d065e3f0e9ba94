import type { Campaign } from './campaign-feed.ts';

const COUNTERS = ['submitted', 'delivered', 'failed', 'expired', 'blocked', 'cancelled'] as const;
type Counters = Pick<Campaign, (typeof COUNTERS)[number] | 'processed' | 'waiting'>;

/** Content of the event `campaign.progress`: the current counters, or the change of the state. */
export interface CampaignProgress extends Partial<Counters> {
  id: number;
  state?: Campaign['state'];
}

/**
 * Returns a campaign updated by an event. Counters only grow, so an outdated event changes nothing. The carrier may
 * refuse messages that were already processed, so only the sum of processed and waiting messages never shrinks.
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
