import { compareCampaigns, REPLY_HOURS } from '@heliograph/contract/campaigns/comparison';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import { findCampaignRow } from './campaign-rows.ts';
import { conversionsOf } from './conversions.ts';
import { clicksOf } from './link-results.ts';

type Compared = ReplyOf<typeof compareCampaigns>['data'][number];

/** Mounts the comparison of campaigns. */
export function comparisonRoute(app: App): void {
  mount(app, compareCampaigns, async (ctx, { query }) => {
    const data: Compared[] = [];
    for (const id of new Set(query.ids.split(',').map(Number))) data.push(await compared(ctx, id));
    return { data };
  });
}

async function compared(ctx: Context, campaignId: number): Promise<Compared> {
  const row = await findCampaignRow(ctx, campaignId);
  const { id, name, started_at, total_count, delivered, charged, currency } = row;
  const clicked = (await clicksOf(ctx, campaignId))?.recipients ?? null;
  const { replied, opted_out, replies_by_hours } = await repliesOf(ctx, campaignId, started_at);
  const conversions = (await conversionsOf(ctx, campaignId)).reduce((sum, { count }) => sum + count, 0);
  const each = (count: number | null) => (count ? fromThousandths(Math.round(toThousandths(charged) / count)) : null);
  return {
    ...{ id, name, started_at, total_count, delivered, clicked, replied, opted_out, conversions, charged, currency },
    cost_per_click: each(clicked),
    cost_per_reply: each(replied),
    cost_per_conversion: each(conversions),
    replies_by_hours,
  };
}

async function repliesOf({ db }: Context, id: number, startedAt: string | null) {
  const { rows } = await sql<{ hours: number; replied: number; opted_out: number }>`
    SELECT width_bucket(extract(epoch FROM first_at - ${startedAt}::timestamptz) / 3600, ${[...REPLY_HOURS]}::numeric[]) AS hours,
      count(*) AS replied, count(*) FILTER (WHERE opted_out) AS opted_out
    FROM (SELECT min(received_at) AS first_at, bool_or(handled = 'opt_out') AS opted_out FROM inbox_message
      WHERE campaign_id = ${id} GROUP BY oa) r
    GROUP BY 1`.execute(db);
  const sum = (of: 'replied' | 'opted_out') => rows.reduce((total, row) => total + row[of], 0);
  const groups = Array.from({ length: REPLY_HOURS.length + 1 }, (_, at) =>
    rows.filter(({ hours }) => hours === at).reduce((total, { replied }) => total + replied, 0),
  );
  return { replied: sum('replied'), opted_out: sum('opted_out'), replies_by_hours: groups };
}
