import { z } from 'zod';

/**
 * Costs that the file of a report may have beside its other columns. `carriers`: the prices that the platform gets and
 * carriers take, for the platform's people. `resale`: the charges to resellers for messages of their customers.
 */
export const REPORT_COSTS = ['carriers', 'resale'] as const;
export type ReportCosts = (typeof REPORT_COSTS)[number];

/** Choice of costs in the body of a call for a file; none if absent. */
export const reportCosts = z.enum(REPORT_COSTS).optional();
