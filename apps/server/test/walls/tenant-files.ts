import type { ExportedList } from '#platform/tasks/exported-list';
import { activityFile } from '../../src/modules/audit/list-activity.ts';
import { creditChangeFile } from '../../src/modules/billing/credit-change.ts';
import { rateDetailFile } from '../../src/modules/billing/rate-detail.ts';
import { invoiceListFile } from '../../src/modules/invoices/export-invoices.ts';
import { resaleFile } from '../../src/modules/margins/resale-margins.ts';
import { REPORT_FILES } from '../../src/modules/reports/report-routes.ts';
import { topUpFile } from '../../src/modules/top-ups/top-up-rows.ts';

/** Lists that tenants write to files. */
export const TENANT_FILES: readonly ExportedList[] = [
  ...REPORT_FILES,
  activityFile,
  creditChangeFile,
  rateDetailFile,
  topUpFile,
  invoiceListFile,
  resaleFile,
];
