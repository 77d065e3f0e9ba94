import * as contract from '@heliograph/contract/callbacks/callback';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { callbacksOfMessage, listCallbacks, replayOne, replayRange } from './callback-log.ts';
import { endpoints, resumeEndpoint, rotate } from './endpoints.ts';
import { mailCallbackPause, mailCallbackPauseJob } from './pause-endpoints.ts';
import { sendSample } from './send-sample.ts';

export { bodyOf, tellings } from './bodies.ts';
export { callbackKind } from './callback-kind.ts';
export { callbackRetention } from './callback-log.ts';
export { requireEventRights } from './endpoints.ts';
export { mailCallbackPauseJob } from './pause-endpoints.ts';
export {
  addProgramEndpoint,
  endpointsOfProgram,
  type ProgramEndpoint,
  removeProgramEndpoint,
} from './program-endpoints.ts';
export { sample } from './samples.ts';

export { keyOf, newSecret, signedHeaders } from './signing.ts';

/** Mounts the endpoints of callbacks and their log. */
export function mountCallbacks(app: App): void {
  mountResource(app, contract.callback, endpoints);
  mount(app, contract.rotateCallbackSecret, rotate);
  mount(app, contract.resumeCallback, resumeEndpoint);
  mountOutside(app, contract.testCallback, sendSample);
  mount(app, contract.callbackLog, listCallbacks);
  mount(app, contract.messageCallbacks, callbacksOfMessage);
  mount(app, contract.replayCallback, replayOne);
  mount(app, contract.replayCallbacks, replayRange);
}

/** Registers the job that mails people about paused endpoints. */
export async function callbackJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(mailCallbackPauseJob, (data) => mailCallbackPause(worker, data));
}
