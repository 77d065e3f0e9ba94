import type pg from 'pg';
import { failpoint } from '#platform/failpoints';

// The campaign is locked before its figures are trusted, as when a person stops it. Segments that a carrier refused for
// now have not left, so a campaign that waits for them can still be paused and stopped.
const COMPLETE = `
  WITH ready AS (
    SELECT c.id FROM running_campaigns() r JOIN campaign c ON c.id = r.campaign_id
    JOIN campaign_figure n ON n.campaign_id = c.id
    WHERE c.state = 'running' AND c.total_count > 0 AND n.processed >= c.total_count
      AND NOT EXISTS (SELECT FROM chunk k WHERE k.campaign_id = c.id AND k.state = 'open')
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), completed AS (
    UPDATE campaign c SET state = 'completed', finished_at = now() FROM ready
    WHERE c.id = ready.id AND c.state = 'running' RETURNING c.id, c.corporation_id
  ), logged AS (
    INSERT INTO campaign_transition (campaign_id, corporation_id, from_state, to_state)
    SELECT id, corporation_id, 'running', 'completed' FROM completed
  )
  SELECT id FROM completed`;

/** Completes the campaigns with no message left to hand over or to end; answers their ids. */
export async function completeCampaigns(pool: pg.Pool): Promise<number[]> {
  failpoint('completion.before-commit');
  const { rows } = await pool.query<{ id: number }>(COMPLETE);
  if (rows.length > 0) failpoint('completion.after-commit');
  return rows.map(({ id }) => id);
}
