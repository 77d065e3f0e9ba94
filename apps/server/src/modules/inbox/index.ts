import { replayRoutingCall, routingCalls } from '@heliograph/contract/inbound-routing/routing';
import * as talk from '@heliograph/contract/inbox/conversation';
import * as contract from '@heliograph/contract/inbox/inbox-message';
import { inboxNotify } from '@heliograph/contract/notifications/download';
import type { HttpSender } from '#modules/http-deliveries';
import type { Caller } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { change, colleagues, note, read, showConversation, typing } from './change-conversation.ts';
import { mark, remove } from './change-inbox.ts';
import { messagesPage } from './conversation-messages.ts';
import { showPerson } from './conversation-person.ts';
import { conversationPage, countConversations } from './conversation-rows.ts';
import { askForFile, exportInboxJob, inboxFile } from './export-inbox.ts';
import { ROUTING_CALLS } from './hand-on.ts';
import { InboundRouter } from './inbound-router.ts';
import { inboxPage, unreadCount } from './inbox-rows.ts';
import { reply } from './reply-to-conversation.ts';
import { listCalls, replayCall } from './routing-calls.ts';

export { change as changeConversation } from './change-conversation.ts';
export { messagesPage } from './conversation-messages.ts';
export { conversationPage, findConversation } from './conversation-rows.ts';
export { exportInboxJob } from './export-inbox.ts';
export { routingCallKind } from './hand-on.ts';
export { callRetention } from './routing-calls.ts';

/** Mounts the inbox, its count of unread messages, and the log of calls to routings' addresses. */
export function mountInbox(app: App): void {
  mount(app, contract.inbox, (ctx, { query }) => inboxPage(ctx, query));
  mount(app, contract.markInbox, mark);
  mount(app, contract.deleteInbox, remove);
  mount(app, contract.exportInbox, askForFile);
  mount(app, talk.conversations, (ctx, { query }) => conversationPage(ctx, query));
  mount(app, talk.conversationCounts, countConversations);
  mount(app, talk.getConversation, showConversation);
  mount(app, talk.conversationMessages, (ctx, { params, query }) => messagesPage(ctx, { ...params, ...query }));
  mount(app, talk.conversationPerson, showPerson);
  mount(app, talk.conversationColleagues, colleagues);
  mount(app, talk.changeConversation, change);
  mount(app, talk.readConversation, read);
  mount(app, talk.typeReply, typing);
  mount(app, talk.replyToConversation, reply);
  mount(app, talk.noteConversation, note);
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
