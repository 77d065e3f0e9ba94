import * as logs from '@heliograph/contract/reports/application-log';
import * as history from '@heliograph/contract/reports/campaign-history';
import * as summary from '@heliograph/contract/reports/summary-report';
import { requireCosts } from '#modules/margins';
import { type App, mount, mountReport } from '#platform/http/http';
import { downloadJob } from '#platform/tasks/downloads';
import { askForList, type ExportedList } from '#platform/tasks/exported-list';
import { logFile, logPage } from './application-logs.ts';
import { historyFile, historyPage, requestPage, statusPage } from './campaign-history.ts';
import { logFigures } from './log-figures.ts';
import { summaryFile, summaryPage } from './summary.ts';

/** Job that writes the file of a report that is read page by page. */
export const exportReportJob = downloadJob('export-report');

/** Reports that are written to files page by page. */
export const REPORT_FILES: readonly ExportedList[] = [summaryFile, historyFile, logFile];

/** Mounts summary reports, the campaign history, the application logs, and the calls for files of them. */
export function pagedReportRoutes(app: App): void {
  mountReport(app, summary.summaryReports, (ctx, { query }) => summaryPage(ctx, query));
  mountReport(app, history.campaignHistory, (ctx, { query }) => historyPage(ctx, query));
  mountReport(app, history.campaignStatuses, (ctx, { query }) => statusPage(ctx, query));
  mountReport(app, history.campaignRequests, (ctx, { query }) => requestPage(ctx, query));
  mount(app, logs.applicationLogs, (ctx, { query }) => logPage(ctx, query));
  mount(app, logs.applicationLogFigures, (ctx, { query }) => logFigures(ctx, query));
  // A first row is read before the file is queued, so that errors in the filters are reported immediately.
  const first = { limit: 1, cursor: undefined };
  mount(app, summary.exportSummaryReports, async (ctx, { body }) => {
    await summaryPage(ctx, { ...body, ...first });
    return askForList(ctx, exportReportJob, summaryFile, body);
  });
  mount(app, history.exportCampaignHistory, async (ctx, { body }) => {
    requireCosts(ctx.caller, body.costs);
    await historyPage(ctx, { ...body, ...first });
    return askForList(ctx, exportReportJob, historyFile, body);
  });
  mount(app, logs.exportApplicationLogs, async (ctx, { body }) => {
    await logPage(ctx, { ...body, ...first });
    return askForList(ctx, exportReportJob, logFile, body);
  });
}
