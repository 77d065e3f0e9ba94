import { z } from 'zod';
import { id } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { intervalOf } from './test-statistics.ts';

/** Bounds of the history: days that are looked at, and what is too little to say anything. */
export const BEST_TIME = {
  days: 365,
  mostCampaigns: 300,
  leastCampaigns: 5,
  leastDelivered: 500,
  bandHours: 3,
} as const;

/** Results by which times are compared. */
export const BEST_TIME_RESULTS = ['replied', 'clicked'] as const;

/** Campaign of the past: when it started in its corporation's zone, the phones that it reached, and those with the result. */
export interface PastCampaign {
  hour: number;
  /** Day of the week by ISO 8601: 1 is Monday. */
  weekday: number;
  delivered: number;
  successes: number;
}

const timeRate = z.object({
  /** First hour of a band, or day of the week from 1 for Monday. */
  at: z.int(),
  campaigns: z.int(),
  delivered: z.int(),
  /** Share of the phones with the result, and the range that contains the true share with a chance of 95 %. */
  rate: z.number(),
  low: z.number(),
  high: z.number(),
  /** True if the share is above that of all campaigns, by more than chance among so many times explains. */
  stands_out: z.boolean(),
});

const bestTimes = z.object({
  campaigns: z.int(),
  delivered: z.int(),
  rate: z.number(),
  /** False if there are too few campaigns or phones to say anything, or nobody did it; then both lists are empty. */
  enough: z.boolean(),
  hours: z.array(timeRate),
  weekdays: z.array(timeRate),
});
export type BestTimes = z.output<typeof bestTimes>;

/** Returns how often people replied or clicked by the time at which earlier campaigns of the sender's corporation started. */
export const campaignBestTimes = operation({
  method: 'GET',
  path: '/api/v1/campaigns/best-times',
  permission: 'campaigns-create',
  query: z.object({ sender_id: z.coerce.number().pipe(id), result: z.enum(BEST_TIME_RESULTS).default('replied') }),
  reply: z.object({ data: bestTimes.extend({ timezone: shownTimeZone }) }),
  errors: ['sender_not_allowed', 'billing_account_missing'],
});

/**
 * Compares the times of past campaigns. Phones of one campaign got the same text, so they say less than as many
 * independent ones: counts are divided by how much more campaigns of one time differ than chance explains (Pearson's statistic over
 * its degrees of freedom). A time stands out by a range that is wider the more times are compared (Bonferroni).
 */
export function compareTimes(campaigns: readonly PastCampaign[]): BestTimes {
  const { delivered, successes } = summed(campaigns);
  const rate = delivered === 0 ? 0 : successes / delivered;
  const enough = campaigns.length >= BEST_TIME.leastCampaigns && delivered >= BEST_TIME.leastDelivered && successes > 0;
  const of = { campaigns: campaigns.length, delivered, rate, enough };
  if (!enough) return { ...of, hours: [], weekdays: [] };
  const { bandHours } = BEST_TIME;
  return {
    ...of,
    hours: ratesBy(campaigns, ({ hour }) => Math.floor(hour / bandHours) * bandHours, rate),
    weekdays: ratesBy(campaigns, ({ weekday }) => weekday, rate),
  };
}

function summed(campaigns: readonly PastCampaign[]) {
  return campaigns.reduce(
    (sum, each) => ({ delivered: sum.delivered + each.delivered, successes: sum.successes + each.successes }),
    { delivered: 0, successes: 0 },
  );
}

function ratesBy(
  campaigns: readonly PastCampaign[],
  timeOf: (campaign: PastCampaign) => number,
  all: number,
): BestTimes['hours'] {
  const groups = [...Map.groupBy(campaigns, timeOf)]
    .toSorted(([a], [b]) => a - b)
    .map(([at, group]) => ({ at, group, ...summed(group) }));
  const spread = spreadOf(campaigns, new Map(groups.map(({ at, ...sum }) => [at, sum])), timeOf);
  return groups.map(({ at, group, delivered, successes }) => {
    const counted = { recipients: delivered / spread, successes: successes / spread };
    return {
      at,
      campaigns: group.length,
      delivered,
      rate: successes / delivered,
      ...intervalOf(counted),
      stands_out: group.length > 1 && intervalOf(counted, 1 - 0.05 / groups.length).low > all,
    };
  });
}

/** Returns how many times more the campaigns of the same time differ than chance explains; 1 if they do not. */
function spreadOf(
  campaigns: readonly PastCampaign[],
  sums: ReadonlyMap<number, { delivered: number; successes: number }>,
  timeOf: (campaign: PastCampaign) => number,
): number {
  const free = campaigns.length - sums.size;
  if (free < 1) return Number.POSITIVE_INFINITY;
  let chi = 0;
  for (const campaign of campaigns) {
    const { delivered, successes } = sums.get(timeOf(campaign))!;
    const rate = successes / delivered;
    const variance = campaign.delivered * rate * (1 - rate);
    if (variance > 0) chi += (campaign.successes - campaign.delivered * rate) ** 2 / variance;
  }
  return Math.max(1, chi / free);
}
