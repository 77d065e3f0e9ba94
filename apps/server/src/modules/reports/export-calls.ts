import { exportTransactions } from '@heliograph/contract/delivery/transaction';
import { FILE_FORMATS } from '@heliograph/contract/kernel/file-format';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { z } from 'zod';
import type { Context } from '#platform/context';
import { askForDownload, downloadJob } from '#platform/downloads';
import { homeOf, type Viewer } from '#platform/home';
import { type App, mount } from '#platform/http';
import { checkPeriod, dateIn } from '#platform/period';
import { reportFileName } from '#platform/report-name';
import { selectionOf } from './selection.ts';

/** Writes a selection of messages to a file. */
export const exportTransactionsJob = downloadJob('export-transactions');

/** What a download of this kind is made of, as `download.parameters` keeps it. */
export const exportParameters = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  corporation_id: z.int().optional(),
  campaign_id: z.int().optional(),
  link_id: z.int().optional(),
  sender_id: z.string().optional(),
  number: z.string().optional(),
  state: z.enum(MESSAGE_STATES).optional(),
  format: z.enum(FILE_FORMATS).default('csv'),
  /** In which the person asked, and reads the headings. */
  locale: z.enum(['en', 'cn', 'zh', 'fp']),
  /** The zone of the person's screen as they asked; not known of what was asked for before it was kept. */
  timezone: z.string().optional(),
});
export const EXPORT_KIND = 'transactions';

/** Mounts the call that asks for a file of messages. */
export function exportRoutes(app: App): void {
  mount(app, exportTransactions, async (ctx, { body }) => {
    const { timezone } = await homeOf(ctx);
    checkPeriod(body, dateIn(timezone, ctx.clock.now()));
    selectionOf(body, ctx.caller, timezone);
    return askForTransactions(ctx, body, timezone);
  });
}

/** Takes the file of messages into the queue; the filters are good. */
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
