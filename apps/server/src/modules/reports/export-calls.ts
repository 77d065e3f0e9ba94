import { exportTransactions } from '@heliograph/contract/delivery/transaction';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { z } from 'zod';
import { homeOf } from '#platform/home';
import { type App, mount } from '#platform/http';
import { defineJob, enqueue } from '#platform/jobs';
import { checkPeriod, dateIn } from '#platform/period';
import { selectionOf } from './selection.ts';

/** Writes a selection of messages to a file. */
export const exportTransactionsJob = defineJob('export-transactions', z.object({ download_id: z.int() }));

/** What a download of this kind is made of, as `download.parameters` keeps it. */
export const exportParameters = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  corporation_id: z.int().optional(),
  campaign_id: z.int().optional(),
  sender_id: z.string().optional(),
  number: z.string().optional(),
  state: z.enum(MESSAGE_STATES).optional(),
  /** In which the person asked, and reads the headings. */
  locale: z.enum(['en', 'cn', 'zh', 'fp']),
});
export const EXPORT_KIND = 'transactions';

/** Mounts the call that asks for a file of messages. */
export function exportRoutes(app: App): void {
  mount(app, exportTransactions, async (ctx, { body }) => {
    const { timezone } = await homeOf(ctx);
    checkPeriod(body, dateIn(timezone, ctx.clock.now()));
    selectionOf(body, ctx.caller, timezone);
    const parameters: z.input<typeof exportParameters> = { ...body, locale: ctx.locale };
    const row = await ctx.db
      .insertInto('download')
      .values({
        corporation_id: ctx.caller.corporation_id,
        user_id: ctx.caller.user_id,
        kind: EXPORT_KIND,
        parameters: JSON.stringify(parameters),
        download_file: `transactions-${body.from}-${body.to}.csv`,
        created_at: ctx.clock.now().toISOString(),
      })
      .returning(['id', 'download_file', 'rows', 'size', 'downloaded_at', 'created_at'])
      .executeTakeFirstOrThrow();
    await enqueue(ctx.db, exportTransactionsJob, { download_id: row.id });
    return { data: { ...row, state: 'queued' as const } };
  });
}
