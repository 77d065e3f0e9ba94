import { downloadJob } from '#platform/tasks/downloads';

/** Job that writes credit changes or rate details to a file. */
export const exportBillingJob = downloadJob('export-billing');
