import { getReputation, guardReport, setReputation } from '@heliograph/contract/verify/guard-report';
import { listVerifications } from '@heliograph/contract/verify/verification';
import * as contract from '@heliograph/contract/verify/verify-service';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { endExpired, endExpiredJob } from './end-expired.ts';
import { showGuard } from './report.ts';
import { replaceReputation, showReputation } from './reputation.ts';
import { verificationRows } from './rows.ts';
import { verifyServices } from './services.ts';

export { endExpiredJob } from './end-expired.ts';
export { findVerification } from './find.ts';
export { counterRetention, prefixRetention, verificationRetention } from './retention.ts';
export { Verifier } from './verifier.ts';

/** Mounts verify services and the list of verifications. */
export function verifyRoutes(app: App): void {
  mountResource(app, contract.verifyService, verifyServices);
  mount(app, listVerifications, verificationRows);
  mount(app, guardReport, showGuard);
  mount(app, getReputation, showReputation);
  mount(app, setReputation, replaceReputation);
}

/** Registers the job that ends verifications in time. */
export async function verifyJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(endExpiredJob, () => endExpired(worker));
  await worker.jobs.schedule(endExpiredJob, '* * * * *');
}
