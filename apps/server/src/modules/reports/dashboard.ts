import { dashboard } from '@heliograph/contract/delivery/dashboard';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { homeOf } from '#platform/home';
import { type App, mount } from '#platform/http';
import { dateIn, momentsOf } from '#platform/period';
import { corporationsOf } from '#platform/scope-clause';

const DAYS = 7;
const RECENT = 5;

type Counts = ReplyOf<typeof dashboard>['today'];
interface DayRow extends Omit<Counts, 'spend'> {
  date: string;
  spend: number;
}

/** The last days in the caller's zone, the oldest first. An hour belongs to the day it begins in. */
async function lastDays(ctx: Context, zone: string): Promise<ReplyOf<typeof dashboard>['days']> {
  const today = Temporal.PlainDate.from(dateIn(zone, ctx.clock.now()));
  const dates = Array.from({ length: DAYS }, (_, i) => today.subtract({ days: DAYS - 1 - i }).toString());
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, zone);
  const corporations = corporationsOf(ctx.caller);
  const own = corporations === null ? sql`true` : sql`corporation_id = ANY (${corporations}::bigint[])`;
  const { rows } = await sql<DayRow>`
    SELECT (hour AT TIME ZONE ${zone})::date::text AS date, sum(messages)::bigint AS messages, sum(parts)::bigint AS parts,
      sum(delivered)::bigint AS delivered, sum(failed)::bigint AS failed, sum(expired)::bigint AS expired,
      sum(spend)::bigint AS spend
    FROM traffic_hour WHERE hour >= ${start} AND hour < ${end} AND ${own}
    GROUP BY 1`.execute(ctx.db);
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return dates.map((date) => {
    const { spend, ...counts } = byDate.get(date) ?? { ...NOTHING, date };
    return { ...counts, spend: fromThousandths(spend) };
  });
}

const NOTHING = { messages: 0, parts: 0, delivered: 0, failed: 0, expired: 0, spend: 0 };

async function overview(ctx: Context): Promise<ReplyOf<typeof dashboard>> {
  const { timezone, currency } = await homeOf(ctx);
  const days = await lastDays(ctx, timezone);
  const { date: _, ...today } = days.at(-1)!;
  const { rows } = await sql<{ running: number; pending: number; lists: number }>`
    SELECT (SELECT count(*) FROM campaign WHERE state IN ('preparing', 'running', 'paused')) AS running,
      (SELECT count(*) FROM campaign WHERE state = 'pending') AS pending,
      (SELECT count(*) FROM number_list) AS lists`.execute(ctx.db);
  const recent_campaigns = await ctx.db
    .selectFrom('campaign')
    .leftJoin('campaign_counter', 'campaign_counter.campaign_id', 'campaign.id')
    .select((eb) => [
      'campaign.id',
      'campaign.name',
      'campaign.state',
      'campaign.total_count',
      eb.fn.coalesce('campaign_counter.delivered', sql<number>`0`).as('delivered'),
      'campaign.created_at',
    ])
    .orderBy('campaign.id', 'desc')
    .limit(RECENT)
    .execute();
  const { running, pending, lists } = rows[0]!;
  return {
    currency,
    today,
    days,
    running_campaigns: running,
    pending_campaigns: pending,
    number_lists: lists,
    recent_campaigns,
  };
}

/** Mounts the dashboard. */
export function dashboardRoutes(app: App): void {
  mount(app, dashboard, (ctx) => overview(ctx));
}
