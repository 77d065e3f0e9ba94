import type { campaignRow } from '@heliograph/contract/campaigns/campaign-row';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { useChannel } from '../../platform/live.ts';
import { readAgain } from '../../platform/queries.ts';
import { type CampaignProgress, takeIn } from './pace.ts';

export type Campaign = z.output<typeof campaignRow>;

/** Minimum interval between two reads of a campaign's message rows while its counters move, in ms. */
const ROWS_EVERY_MS = 3_000;

type Cached = { data: Campaign | Campaign[] } | undefined;

/** Follows one campaign live while it is shown. Draws nothing. */
export function CampaignFeed({ id }: { id: number }): null {
  const client = useQueryClient();
  const rowsDue = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The last event brings the last states. The rows are always read after it, regardless of how many events came
  // before.
  const readRows = () => {
    rowsDue.current ??= setTimeout(() => {
      rowsDue.current = undefined;
      void readAgain(['messages']);
    }, ROWS_EVERY_MS);
  };
  useEffect(() => () => clearTimeout(rowsDue.current), []);
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
      // Messages are being sent, so the campaign runs. The event about that state came before the channel was joined.
      const missed = shown()?.state === 'preparing' && news.processed !== undefined;
      client.setQueriesData<Cached>({ queryKey: ['campaigns'] }, (cached) => {
        if (!cached?.data) return cached;
        const { data } = cached;
        return { ...cached, data: Array.isArray(data) ? data.map((row) => takeIn(row, news)) : takeIn(data, news) };
      });
      // A new state changes times, amounts and abilities, and only the server knows them.
      if (news.state !== undefined || missed) void readAgain(['campaigns']);
    },
    () => {
      if (shown()?.state === 'preparing') void readAgain(['campaigns']);
    },
  );
  return null;
}
