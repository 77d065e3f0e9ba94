import { dataProcessing, exportDataProcessing } from '@heliograph/contract/privacy/data-processing';
import { platformRetention, retentionRule } from '@heliograph/contract/privacy/retention-rule';
import { sql } from 'kysely';
import { type App, mount, mountResource } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { askForList, exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { erasePerson, erasePersonJob } from './erase-person.ts';
import { exportPersonJob, writePersonFile } from './export-person.ts';
import { findPersonJob, lookForPerson } from './find-person.ts';
import { followRules, followRulesJob } from './follow-rules.ts';
import { forgetClicks, forgetClicksJob } from './forget-clicks.ts';
import { readPlatformDays } from './kept-days.ts';
import { exportProcessingJob, listProcessing, processingFile } from './list-processing.ts';
import { requestRoutes } from './requests.ts';
import { resumePeople, resumePeopleJob } from './resume-requests.ts';
import { retentionRules } from './retention-rules.ts';
import { tellConfirmers, tellConfirmersJob } from './tell-confirmers.ts';
import { textKeyRoutes } from './text-keys.ts';

export { erasePersonJob } from './erase-person.ts';
export { erasuresAskedOf } from './erasures.ts';
export { exportPersonJob } from './export-person.ts';
export { findPersonJob } from './find-person.ts';
export { followRulesJob } from './follow-rules.ts';
export { forgetClicksJob } from './forget-clicks.ts';
export { exportProcessingJob } from './list-processing.ts';
export { resumePeopleJob } from './resume-requests.ts';
export { tellConfirmersJob } from './tell-confirmers.ts';

/** Mounts the searches for people, the record of data processing by the rules that remove rows by age, and those of corporations. */
export function privacyRoutes(app: App, retention: readonly Retention[]): void {
  requestRoutes(app);
  const file = processingFile(retention);
  mount(app, dataProcessing, (ctx, { query }) => listProcessing(retention)(ctx, query));
  mount(app, exportDataProcessing, async (ctx, { body }) => {
    // The first row is read before a file is promised, so that wrong filters are refused immediately.
    await file.page(ctx, { ...body, limit: 1, cursor: undefined });
    return askForList(ctx, exportProcessingJob, file, body);
  });
  mount(app, platformRetention, ({ db }) => readPlatformDays(db));
  mountResource(app, retentionRule, retentionRules);
  textKeyRoutes(app);
}

/** Registers the jobs that look for people, write files of what is kept of them, and follow the rules of retention. */
export async function privacyJobs(
  worker: WorkerContext,
  loadCaller: LoadCaller,
  retention: readonly Retention[],
): Promise<void> {
  await worker.jobs.work(findPersonJob, ({ person_request_id }, signal) =>
    lookForPerson(worker, person_request_id, signal),
  );
  await worker.jobs.work(erasePersonJob, ({ person_request_id }, signal) =>
    erasePerson(worker, person_request_id, signal),
  );
  await worker.jobs.work(tellConfirmersJob, ({ person_request_id }) => tellConfirmers(worker, person_request_id));
  await worker.jobs.work(resumePeopleJob, () => resumePeople(worker));
  await worker.jobs.schedule(resumePeopleJob, '*/10 * * * *');
  await workTasks(worker, downloadTask, exportProcessingJob, (id, signal) =>
    exportList(worker, loadCaller, [processingFile(retention)], id, signal),
  );
  await worker.jobs.work(followRulesJob, (_data, signal) => followRules(worker, signal));
  await worker.jobs.schedule(followRulesJob, '51 3 * * *');
  await worker.jobs.work(forgetClicksJob, (_data, signal) => forgetClicks(worker, signal));
  await worker.jobs.schedule(forgetClicksJob, '* * * * *');
  await workTasks(worker, downloadTask, exportPersonJob, (id, signal) =>
    writePersonFile(worker, loadCaller, id, signal),
  );
}

/** Retention of searches that led to no erasure: they hold the person's number. */
export const personRequestRetention: Retention = {
  table: 'person_request',
  days: 30,
  since: 'created_at',
  when: sql`state IN ('searching', 'found', 'asked')`,
  rows: 200,
};
