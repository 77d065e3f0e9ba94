import type { SEND_EVERY } from '@heliograph/contract/kernel/saved-view';
import { exportCampaignHistory } from '@heliograph/contract/reports/campaign-history';
import { exportSummaryReports } from '@heliograph/contract/reports/summary-report';
import { exportTransactions } from '@heliograph/contract/reports/transaction';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { homeOf } from '#platform/person/home';
import { dateIn } from '#platform/records/period';
import { askForList, type LoadCaller, readAs } from '#platform/tasks/exported-list';
import { historyFile } from './campaign-history.ts';
import { askForTransactions } from './export-calls.ts';
import { mailStoppedReportJob } from './mail-report.ts';
import { exportReportJob } from './report-routes.ts';
import { isSent, nextTime, sentPeriod } from './sent-period.ts';
import { summaryFile } from './summary.ts';
import { askedOf, unusableFilters } from './view-filters.ts';

/** Job that starts the files of reports that are due by mail. */
export const sendReportsJob = defineJob('send-reports', z.object({}));

type View = Selectable<Database['saved_view']>;
type Every = (typeof SEND_EVERY)[number];
type Worker = Pick<WorkerContext, 'database' | 'clock' | 'log'>;
const AT_ONCE = 100;

/** Sends the views that are due. Their next time is set together with the job of their file, so each is sent once. */
export async function sendReports(worker: Worker, loadCaller: LoadCaller, signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  const failed: number[] = [];
  for (;;) {
    signal.throwIfAborted();
    const due = await database
      .selectFrom('saved_view')
      .selectAll()
      .where('next_at', '<=', clock.now().toISOString())
      .$if(failed.length > 0, (q) => q.where('id', 'not in', failed))
      .orderBy('next_at')
      .limit(AT_ONCE)
      .execute();
    for (const view of due) {
      try {
        await send(worker, loadCaller, view);
      } catch (error) {
        // A fault of one report does not stop the others. The next run of the job tries it again.
        worker.log.error({ err: error, saved_view_id: view.id }, 'could not send report');
        failed.push(view.id);
      }
    }
    if (due.length < AT_ONCE) break;
  }
  if (failed.length > 0) throw new Error(`${failed.length} reports were not sent`);
}

async function send({ database, clock, log }: Worker, loadCaller: LoadCaller, view: View): Promise<void> {
  const caller = await loadCaller(view.user_id);
  const every = view.every as Every;
  const permitted = caller !== null && isSent(view.list) && caller.permissions.has(`${view.list}-download`);
  const unusable = permitted
    ? await readAs(database, caller, (db) => unusableFilters({ db, caller }, view.list, view.query as object))
    : [];
  const allowed = permitted && unusable.length === 0;
  await database.transaction().execute(async (db) => {
    const home = caller && (await homeOf({ db, caller }));
    const next_at = allowed ? nextTime(every, view.hour, home!.timezone, clock.now()) : null;
    const taken = await db
      .updateTable('saved_view')
      .set({ next_at, ...(allowed ? {} : { every: null }) })
      .where('id', '=', view.id)
      .where('next_at', '=', view.next_at)
      .executeTakeFirst();
    if (taken.numUpdatedRows === 0n) return;
    if (!allowed) {
      log.info({ saved_view_id: view.id, filters: unusable }, 'report schedule ended');
      const { user_id, list, name } = view;
      if (caller !== null) await enqueue(db, mailStoppedReportJob, { user_id, list, name, filters: unusable });
      return;
    }
    const period = sentPeriod(every, dateIn(home!.timezone, clock.now()));
    const ctx = { db, clock, caller, locale: caller.locale };
    const { data } = await askFor(ctx, view, { ...(view.query as object), ...period, format: view.format });
    await db
      .updateTable('task')
      .set({ mailed: true })
      .where('type', '=', 'download')
      .where('id', '=', data.id)
      .execute();
  });
}

/**
 * Requests the file as the report's own call would. Parameters of the address that the call does not know are dropped.
 */
async function askFor(ctx: Pick<Context, 'db' | 'caller' | 'clock' | 'locale'>, view: View, asked: object) {
  const numbers = askedOf(asked);
  if (view.list === 'summary-reports')
    return askForList(ctx, exportReportJob, summaryFile, exportSummaryReports.body.parse(numbers));
  if (view.list === 'campaign-history')
    return askForList(ctx, exportReportJob, historyFile, exportCampaignHistory.body.parse(numbers));
  return askForTransactions(ctx, exportTransactions.body.parse(numbers), (await homeOf(ctx)).timezone);
}
