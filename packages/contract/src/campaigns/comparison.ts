import { z } from 'zod';
import { instant, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Campaigns that are compared, at most. */
export const MOST_COMPARED = 5;

/** Hours after the start of a campaign at which the groups of its replies end. Later ones are the last group. */
export const REPLY_HOURS = [1, 3, 6, 12, 24, 48, 72] as const;

const amount = money().nullable();

/** Results of one campaign beside those of others. Rates without a divisor are null. */
const comparedCampaign = z.object({
  id: z.int(),
  name: z.string(),
  started_at: instant.nullable(),
  total_count: z.int(),
  delivered: z.int(),
  /** People who followed a short link; null if the campaign has none. */
  clicked: z.int().nullable(),
  replied: z.int(),
  opted_out: z.int(),
  conversions: z.int(),
  charged: money(),
  currency: z.string(),
  cost_per_click: amount,
  cost_per_reply: amount,
  cost_per_conversion: amount,
  /** First replies of phones, by the hours of `REPLY_HOURS` after the start, with one group more for later ones. */
  replies_by_hours: z.array(z.int()),
});

/** Returns the results of two to five campaigns, in the given order. */
export const compareCampaigns = operation({
  method: 'GET',
  path: '/api/v1/campaigns/comparison',
  permission: 'campaigns-show',
  query: z.object({ ids: z.string().regex(/^\d{1,15}(,\d{1,15}){1,4}$/, { error: 'compared_campaigns' }) }),
  reply: z.object({ data: z.array(comparedCampaign) }),
  errors: ['not_found'],
});
