import { downloadJob } from '#platform/downloads';

/** Writes credit changes or rate details to a file. */
export const exportBillingJob = downloadJob('export-billing');
