import { countQuoteJob, prepareCampaignJob } from '#modules/campaigns';
import { importNumbersJob } from '#modules/contacts';
import { exportTransactionsJob } from '#modules/reports';
import type { Job } from '#platform/jobs';

/** Every kind of background work there is; their queues are made with the migrations. */
export const JOBS: readonly Job[] = [importNumbersJob, countQuoteJob, prepareCampaignJob, exportTransactionsJob];
