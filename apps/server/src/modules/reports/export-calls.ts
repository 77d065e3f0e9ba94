import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { reportCosts } from '@heliograph/contract/kernel/report-costs';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { exportTransactions } from '@heliograph/contract/reports/transaction';
import { z } from 'zod';
import { requireCosts } from '#modules/margins';
import type { Context } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import { homeOf, type Viewer } from '#platform/person/home';
import { checkPeriod, dateIn } from '#platform/records/period';
import { askForDownload, downloadJob } from '#platform/tasks/downloads';
import { reportFileName } from '#platform/tasks/report-name';
import { requireFilters } from './selection.ts';

/** Job that writes a selection of messages to a file. */
export const exportTransactionsJob = downloadJob('export-transactions');

/** Parameters of a download of messages, as `download.parameters` stores them. */
export const exportParameters = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  corporation_id: z.int().optional(),
  campaign_id: z.int().optional(),
  link_id: z.int().optional(),
  network_id: z.int().optional(),
  sender_id: z.string().optional(),
  number: z.string().optional(),
  state: z.enum(MESSAGE_STATES).optional(),
  costs: reportCosts,
  format: z.enum(FILE_FORMATS).default('csv'),
  /** Language of the user's request and of the headings. */
  locale: z.enum(LOCALES),
  /** Time zone of the user's screen at the request; unknown for requests from before it was stored. */
  timezone: z.string().optional(),
});
export const EXPORT_KIND = 'transactions';

/** Mounts the call that requests a file of messages. */
export function exportRoutes(app: App): void {
  mount(app, exportTransactions, async (ctx, { body }) => {
    const { timezone } = await homeOf(ctx);
    checkPeriod(body, dateIn(timezone, ctx.clock.now()));
    requireFilters(body, ctx.caller);
    requireCosts(ctx.caller, body.costs);
    return askForTransactions(ctx, body, timezone);
  });
}

/** Queues a file of messages. The filters must be checked before. */
export async function askForTransactions(
  ctx: Viewer & Pick<Context, 'clock' | 'locale'>,
  body: BodyOf<typeof exportTransactions>,
  timezone: string,
) {
  const { format, ...filters } = body;
  const parameters: z.input<typeof exportParameters> = { ...body, locale: ctx.locale, timezone };
  const download_file = await reportFileName(ctx, { report: EXPORT_KIND, timezone, format, filters });
  return askForDownload(ctx, exportTransactionsJob, { kind: EXPORT_KIND, download_file, parameters });
}
