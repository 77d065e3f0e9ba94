import {
  BEST_TIME,
  campaignBestTimes,
  compareTimes,
  type PastCampaign,
} from '@heliograph/contract/campaigns/best-time';
import { type RawBuilder, sql } from 'kysely';
import { type App, mount } from '#platform/http/http';
import { findSending } from './check-content.ts';
import { homeOfCampaign } from './schedule/plan-schedule.ts';

/** Hours after which a reply does not belong to a campaign any more, so that its figures are final. */
const FINAL_HOURS = 72;
const DAY_MS = 86_400_000;
/** Campaigns with fewer delivered messages are tests rather than campaigns. */
const LEAST = 20;

/** SQL that counts the phones with a result of the campaigns `p`. */
const COUNTED: Readonly<Record<'replied' | 'clicked', RawBuilder<unknown>>> = {
  replied: sql`SELECT m.campaign_id, count(DISTINCT m.oa) AS n FROM inbox_message m
    WHERE m.campaign_id IN (SELECT id FROM p) GROUP BY 1`,
  clicked: sql`SELECT k.campaign_id, count(DISTINCT k.msisdn) AS n FROM short_link_click k
    WHERE k.campaign_id IN (SELECT id FROM p) GROUP BY 1`,
};

/** Mounts the comparison of the times at which campaigns that the caller sees started. */
export function bestTimesRoute(app: App): void {
  mount(app, campaignBestTimes, async (ctx, { query }) => {
    const { corporation_id } = (await findSending(ctx, query.sender_id)).sending;
    const { timezone } = await homeOfCampaign(ctx.db, corporation_id);
    const now = ctx.clock.now().getTime();
    const [since, until] = [now - BEST_TIME.days * DAY_MS, now - FINAL_HOURS * 3_600_000].map((at) =>
      new Date(at).toISOString(),
    );
    const { rows } = await sql<PastCampaign>`
      WITH p AS MATERIALIZED (
        SELECT c.id, c.started_at AT TIME ZONE ${timezone} AS at, f.delivered
        FROM campaign c JOIN campaign_counter f ON f.campaign_id = c.id
        WHERE c.corporation_id = ${corporation_id} AND c.started_at >= ${since} AND c.started_at < ${until}
          AND f.delivered >= ${LEAST} AND (${query.result} = 'replied' OR c.content ->> 'short_links' = 'true')
        ORDER BY c.id DESC LIMIT ${BEST_TIME.mostCampaigns}
      ), counted AS (${COUNTED[query.result]})
      SELECT extract(hour FROM p.at)::integer AS hour, extract(isodow FROM p.at)::integer AS weekday, p.delivered,
        least(p.delivered, coalesce(n.n, 0))::bigint AS successes
      FROM p LEFT JOIN counted n ON n.campaign_id = p.id`.execute(ctx.db);
    return { data: { ...compareTimes(rows), timezone } };
  });
}
