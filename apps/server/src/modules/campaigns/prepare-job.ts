import { z } from 'zod';
import { defineJob } from '#platform/jobs';

/** Writes a campaign's messages and lets it run, or wait for its time. */
export const prepareCampaignJob = defineJob('prepare-campaign', z.object({ campaign_id: z.int() }));
