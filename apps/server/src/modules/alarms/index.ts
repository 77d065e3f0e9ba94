import { alarms } from '@heliograph/contract/alarms/alarm';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { listAlarms } from './list-alarms.ts';
import { mailAlarm, mailAlarmJob, postAlarm, postAlarmJob } from './tell-alarms.ts';
import { AlarmWatch } from './watch-alarms.ts';

export { mailAlarmJob, postAlarmJob } from './tell-alarms.ts';
export { alarmRetention, linkMinuteRetention } from './watch-alarms.ts';

/** Mounts the list of alarms. */
export function alarmRoutes(app: App): void {
  mount(app, alarms, listAlarms);
}

/** Registers the mails and posts of alarms, and starts the watch. Returns a handle that stops it. */
export async function alarmJobs(worker: WorkerContext): Promise<{ stop(): Promise<void> }> {
  await worker.jobs.work(mailAlarmJob, (data) => mailAlarm(worker, data));
  await worker.jobs.work(postAlarmJob, (data) => postAlarm(worker, data));
  const watch = new AlarmWatch(worker);
  watch.start();
  return { stop: () => watch.stop() };
}
