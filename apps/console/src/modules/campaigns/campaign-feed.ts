import type { campaignRow } from '@heliograph/contract/campaigns/campaign-row';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { useChannel } from '../../platform/live.ts';

export type Campaign = z.output<typeof campaignRow>;

const COUNTERS = ['processed', 'submitted', 'delivered', 'failed', 'expired', 'cancelled'] as const;
type Counters = Pick<Campaign, (typeof COUNTERS)[number]>;

/** What `campaign.progress` tells: the counters as they stand, or that the state has changed. */
export interface CampaignProgress extends Partial<Counters> {
  id: number;
  state?: Campaign['state'];
}

/** A campaign with news taken in; counters only grow, so news that was overtaken changes nothing. */
export function takeIn<C extends { id: number } & Counters>(campaign: C, news: CampaignProgress): C {
  if (campaign.id !== news.id) return campaign;
  const merged = { ...campaign };
  for (const counter of COUNTERS) merged[counter] = Math.max(campaign[counter], news[counter] ?? 0);
  return merged;
}

/** The rows of a campaign's messages are read again this often at most while its counters move, in ms. */
const ROWS_EVERY_MS = 3_000;

type Cached = { data: Campaign | Campaign[] } | undefined;

/** Follows one campaign live while it is shown; draws nothing. */
export function CampaignFeed({ id }: { id: number }): null {
  const client = useQueryClient();
  const rowsDue = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The last news brings the last states: they are read after it, however many came before.
  const readRows = () => {
    rowsDue.current ??= setTimeout(() => {
      rowsDue.current = undefined;
      void client.invalidateQueries({ queryKey: ['messages'] });
    }, ROWS_EVERY_MS);
  };
  useEffect(() => () => clearTimeout(rowsDue.current), []);
  const readAgain = () => void client.invalidateQueries({ queryKey: ['campaigns'] });
  const shown = () =>
    client
      .getQueriesData<Cached>({ queryKey: ['campaigns'] })
      .flatMap(([, cached]) => cached?.data ?? [])
      .find((campaign) => campaign.id === id);
  useChannel<CampaignProgress>(
    `campaign.${id}`,
    '.campaign.progress',
    (news) => {
      readRows();
      // Messages leave, so it runs: the news of that came before anybody listened.
      const missed = shown()?.state === 'preparing' && news.processed !== undefined;
      client.setQueriesData<Cached>({ queryKey: ['campaigns'] }, (cached) => {
        if (!cached?.data) return cached;
        const { data } = cached;
        return { ...cached, data: Array.isArray(data) ? data.map((row) => takeIn(row, news)) : takeIn(data, news) };
      });
      // A new state brings times, money and abilities that only the server knows.
      if (news.state !== undefined || missed) readAgain();
    },
    () => {
      if (shown()?.state === 'preparing') readAgain();
    },
  );
  return null;
}
