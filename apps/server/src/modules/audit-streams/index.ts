import { auditStream, newStreamSecret } from '@heliograph/contract/audit/audit-stream';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { auditStreams, newStreamKey } from './audit-streams.ts';
import { streamAudit, streamAuditJob } from './stream-audit.ts';

export { streamAuditJob } from './stream-audit.ts';

/** Mounts the streams of the activity log. */
export function auditStreamRoutes(app: App): void {
  mountResource(app, auditStream, auditStreams);
  mount(app, newStreamSecret, newStreamKey);
}

/** Registers the job that sends new entries; each minute starts it. */
export async function auditStreamJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(streamAuditJob, (_data, signal) => streamAudit(worker, signal));
  await worker.jobs.schedule(streamAuditJob, '* * * * *');
}
