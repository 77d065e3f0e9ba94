import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';

/** Job that writes a campaign's messages and then lets it run or wait for its time. */
export const prepareCampaignJob = defineJob('prepare-campaign', z.object({ campaign_id: z.int() }));
