import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { notify } from '#platform/realtime/realtime';
import { changeState, lockCampaign } from './campaign-state.ts';

/** Job that pauses campaigns with too many opt-outs. */
export const pauseForOptOutsJob = defineJob('pause-for-opt-outs', z.object({}));

/** Delivered messages before which a rate says too little. */
const LEAST_DELIVERED = 100;

/**
 * Pauses running campaigns whose recipients opt out more often than their corporation allows, and notifies their authors.
 * A campaign pauses once for this reason: a person who resumes it has seen the rate.
 */
export async function pauseForOptOuts({ database }: Pick<WorkerContext, 'database'>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT c.id FROM campaign c JOIN corporation o ON o.id = c.corporation_id JOIN campaign_figure n ON n.campaign_id = c.id
    WHERE c.state = 'running' AND o.opt_outs_per_thousand IS NOT NULL AND n.delivered >= ${LEAST_DELIVERED}
      AND 1000 * (SELECT count(DISTINCT i.oa) FROM inbox_message i WHERE i.campaign_id = c.id AND i.handled = 'opt_out')
        > o.opt_outs_per_thousand::bigint * n.delivered
      AND NOT EXISTS (SELECT FROM campaign_transition t WHERE t.campaign_id = c.id AND t.reason = 'opt_outs')
    ORDER BY c.id`.execute(database);
  for (const { id } of rows) {
    await database.transaction().execute(async (db) => {
      const campaign = await lockCampaign(db, id);
      if (campaign?.state !== 'running') return;
      const by = { user_id: null, reason: 'opt_outs' as const };
      await changeState(db, campaign, 'paused', by, { pause_reason: 'opt_outs', resumes_at: null });
      await notify(db, campaign.created_by, 'campaign.paused', { campaign_id: campaign.id, name: campaign.name });
    });
  }
}
