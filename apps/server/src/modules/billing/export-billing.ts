import { downloadJob } from '#platform/downloads';

/** Job that writes credit changes or rate details to a file. */
export const exportBillingJob = downloadJob('export-billing');
