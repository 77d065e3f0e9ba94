import * as contract from '@heliograph/contract/callbacks/callback';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { callbacksOfMessage, listCallbacks, replayOne, replayRange } from './callback-log.ts';
import { CallbackSender } from './callback-sender.ts';
import { endpoints, resumeEndpoint, rotate } from './endpoints.ts';
import { mailCallbackPause, mailCallbackPauseJob } from './pause-endpoints.ts';
import { sendSample } from './send-sample.ts';

export { tellings } from './bodies.ts';
export { callbackRetention } from './callback-log.ts';
export { mailCallbackPauseJob } from './pause-endpoints.ts';

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

/** Starts the sending of callbacks. Returns a handle that stops it. */
export async function callbackJobs(worker: WorkerContext): Promise<{ stop(): Promise<void> }> {
  await worker.jobs.work(mailCallbackPauseJob, (data) => mailCallbackPause(worker, data));
  const sender = new CallbackSender(worker);
  sender.start();
  return sender;
}
