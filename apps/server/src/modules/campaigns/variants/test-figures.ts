import type { TestMetric } from '@heliograph/contract/campaigns/campaign-test';
import { compareVariants, type Observed, type Standing } from '@heliograph/contract/campaigns/test-statistics';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Database } from '#platform/database/db';

type CampaignTest = Selectable<Database['campaign_test']>;

/** Counts of a variant's sample, and what they say. */
export type VariantFigures = Observed & Standing;

/** Result that decides a test. */
export type Wanted = Pick<CampaignTest, 'metric' | 'event_name'>;

/** SQL that counts the recipients of a campaign `c` with a result. A new metric needs only its line here. */
const SUCCESSES: Readonly<Record<TestMetric, (wanted: Wanted) => RawBuilder<number>>> = {
  delivered: () => sql`f.delivered`,
  clicked: () => sql`(SELECT count(DISTINCT k.msisdn) FROM short_link_click k WHERE k.campaign_id = c.id)`,
  replied: () => sql`(SELECT count(DISTINCT m.oa) FROM inbox_message m WHERE m.campaign_id = c.id)`,
  // A conversion has no number, so two of one person count as two.
  converted: ({ event_name }) =>
    sql`(SELECT count(*) FROM conversion v WHERE v.campaign_id = c.id AND v.name = ${event_name})`,
};

/**
 * Counts the results of campaigns and compares them, in the order of the ids. Recipients whose message was cancelled do
 * not count; all others do, so that a variant that reaches fewer phones is not flattered.
 */
export async function figuresOf(
  db: Kysely<Database>,
  wanted: Wanted,
  campaigns: readonly number[],
): Promise<VariantFigures[]> {
  const { rows } = await sql<Observed & { id: number }>`
    SELECT c.id, greatest(0, c.total_count - f.cancelled)::bigint AS recipients, ${SUCCESSES[wanted.metric as TestMetric](wanted)}::bigint AS successes
    FROM campaign c JOIN campaign_figure f ON f.campaign_id = c.id
    WHERE c.id = ANY (${campaigns}::bigint[])`.execute(db);
  const observed = campaigns.map((id) => rows.find((row) => row.id === id) ?? { recipients: 0, successes: 0 });
  const standings = compareVariants(observed);
  return standings.map((standing, at) => {
    const { recipients, successes } = observed[at]!;
    return { recipients, successes: Math.min(recipients, successes), ...standing };
  });
}
