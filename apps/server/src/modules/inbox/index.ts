import { replayRoutingCall, routingCalls } from '@heliograph/contract/inbound-routing/routing';
import * as contract from '@heliograph/contract/inbox/inbox-message';
import { inboxNotify } from '@heliograph/contract/notifications/download';
import type { HttpSender } from '#modules/http-deliveries';
import type { Caller } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { assign, colleagues, mark, remove, reply } from './change-inbox.ts';
import { askForFile, exportInboxJob, inboxFile } from './export-inbox.ts';
import { ROUTING_CALLS } from './hand-on.ts';
import { InboundRouter } from './inbound-router.ts';
import { inboxPage, unreadCount } from './inbox-rows.ts';
import { showThread } from './inbox-thread.ts';
import { listCalls, replayCall } from './routing-calls.ts';

export { exportInboxJob } from './export-inbox.ts';
export { routingCallKind } from './hand-on.ts';
export { callRetention } from './routing-calls.ts';

/** Mounts the inbox, its count of unread messages, and the log of calls to routings' addresses. */
export function mountInbox(app: App): void {
  mount(app, contract.inbox, (ctx, { query }) => inboxPage(ctx, query));
  mount(app, contract.inboxThread, showThread);
  mount(app, contract.inboxColleagues, colleagues);
  mount(app, contract.replyToInbox, reply);
  mount(app, contract.markInbox, mark);
  mount(app, contract.assignInbox, assign);
  mount(app, contract.deleteInbox, remove);
  mount(app, contract.exportInbox, askForFile);
  mount(app, inboxNotify, async (ctx) => ({
    count: ctx.caller.permissions.has('inbox-index') ? await unreadCount(ctx) : 0,
  }));
  mount(app, routingCalls, listCalls);
  mount(app, replayRoutingCall, replayCall);
}

/**
 * Starts routing messages from phones and writing inbox files, and wakes the sender for routings' addresses. Returns a
 * handle that stops it.
 */
export async function inboxJobs(
  worker: WorkerContext,
  loadCaller: (userId: number) => Promise<Caller | null>,
  sender: HttpSender,
): Promise<{ stop(): Promise<void> }> {
  await workTasks(worker, downloadTask, exportInboxJob, (id, signal) =>
    exportList(worker, loadCaller, [inboxFile], id, signal),
  );
  const router = new InboundRouter(worker);
  await router.start();
  const wake = () => sender.wake('routing_call');
  const hearing = await worker.fanOut.subscribe(ROUTING_CALLS, wake, wake);
  return {
    async stop() {
      await Promise.all([router.stop(), hearing.stop()]);
    },
  };
}
