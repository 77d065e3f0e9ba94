import type { TestMetric } from '@heliograph/contract/campaigns/campaign-test';
import { compareVariants, type Observed, type Standing } from '@heliograph/contract/campaigns/test-statistics';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';

/** Counts of a variant's sample, and what they say. */
export type VariantFigures = Observed & Standing;

/** SQL that counts the recipients of a campaign `c` with a result. A new metric needs only its line here. */
const SUCCESSES: Readonly<Record<TestMetric, ReturnType<typeof sql>>> = {
  delivered: sql`f.delivered`,
  clicked: sql`(SELECT count(DISTINCT k.msisdn) FROM short_link_click k WHERE k.campaign_id = c.id)`,
  replied: sql`(SELECT count(DISTINCT m.oa) FROM inbox_message m WHERE m.campaign_id = c.id)`,
};

/**
 * Counts the results of campaigns and compares them, in the order of the ids. Recipients whose message was cancelled do
 * not count; all others do, so that a variant that reaches fewer phones is not flattered.
 */
export async function figuresOf(
  db: Kysely<Database>,
  metric: TestMetric,
  campaigns: readonly number[],
): Promise<VariantFigures[]> {
  const { rows } = await sql<Observed & { id: number }>`
    SELECT c.id, greatest(0, c.total_count - f.cancelled)::bigint AS recipients, ${SUCCESSES[metric]}::bigint AS successes
    FROM campaign c JOIN campaign_figure f ON f.campaign_id = c.id
    WHERE c.id = ANY (${campaigns}::bigint[])`.execute(db);
  const observed = campaigns.map((id) => rows.find((row) => row.id === id) ?? { recipients: 0, successes: 0 });
  const standings = compareVariants(observed);
  return standings.map((standing, at) => {
    const { recipients, successes } = observed[at]!;
    return { recipients, successes: Math.min(recipients, successes), ...standing };
  });
}
