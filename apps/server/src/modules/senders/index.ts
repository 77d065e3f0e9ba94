import { protectedName, tryName } from '@heliograph/contract/senders/protected-name';
import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import {
  decideSenderIds,
  getSenderHistory,
  senderId,
  submitSenderId,
  uploadSenderIds,
} from '@heliograph/contract/senders/sender-id';
import { decideRegistrations, senderRegistration } from '@heliograph/contract/senders/sender-registration';
import { requireVisible } from '#platform/access/visible';
import { type App, mount, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { tableStore } from '#platform/records/table-store';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { decideEach } from './decide-each.ts';
import { mountDocuments } from './documents.ts';
import { expireSenders, expireSendersJob } from './expire-senders.ts';
import { historyOf } from './history.ts';
import {
  changeState,
  decide,
  decidesFor,
  firstState,
  lockSender,
  type PauseCampaigns,
  readSenderRules,
} from './life.ts';
import { protectedLike, requireSender } from './names.ts';
import { mountNumbers } from './numbers.ts';
import { endRegistrations, type MoveWaiting, senderRegistrations } from './registrations.ts';
import { mountRequests } from './requests.ts';
import { senderAssignments } from './sender-assignment.ts';
import { senderIds } from './sender-ids.ts';
import { mailSenderNews, mailSenderNewsJob } from './tell-senders.ts';
import { senderIdKind } from './upload-sender-ids.ts';

export { decideEach } from './decide-each.ts';
export { documentRetention } from './documents.ts';
export { expireSendersJob } from './expire-senders.ts';
export { explainRegistration, explainSender } from './explain.ts';
export { decidesFor, readSenderRules } from './life.ts';
export { requireFreeName } from './names.ts';
export { createSender } from './sender-ids.ts';
export { decidersOf, mailSenderNewsJob } from './tell-senders.ts';
export { senderIdKind } from './upload-sender-ids.ts';

/** Mounts sender IDs, their documents and registrations, the decisions about them, their assignment, and the numbers. */
export function mountSenders(app: App, pauseCampaigns: PauseCampaigns, moveWaiting: MoveWaiting): void {
  const registrations = senderRegistrations(moveWaiting);
  mountResource(app, senderRegistration, registrations.record);
  mount(app, decideRegistrations, registrations.decide);
  const handlers = senderIds(pauseCampaigns);
  mountResource(app, senderId, handlers);
  mount(app, tryName, async (ctx, { query }) => ({ data: await protectedLike(ctx.db, query.sender) }));
  mountResource(app, protectedName, tableStore(protectedName, { table: 'protected_name' }));
  mountResource(app, senderAssignment, senderAssignments);
  mountBulkUpload(app, uploadSenderIds, senderIdKind, async (ctx, { corporation_id }) => {
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    const state = await firstState(ctx, { corporation_id, sender_id: 'file', held_name: false, draft: false });
    return { corporation_id, parameters: { state, user_id: ctx.caller.user_id, level: ctx.caller.scope_level } };
  });
  mount(app, getSenderHistory, historyOf);
  mountDocuments(app);
  mountRequests(app);
  mountNumbers(app, pauseCampaigns);
  mount(app, submitSenderId, async (ctx, { params, ...call }) => {
    const sender = await lockSender(ctx, params.id);
    const held_name = await requireSender(ctx, sender.corporation_id, sender.sender_id);
    await ctx.db.updateTable('sender_id').set({ held_name }).where('id', '=', sender.id).execute();
    const to = await firstState(ctx, { ...sender, held_name, draft: false });
    // A rejected or expired sender ID needs a decision, whatever the rule says.
    if (sender.state === 'draft') await changeState(ctx, sender, { to });
    else await changeState(ctx, sender, { to: 'submitted' });
    return handlers.get(ctx, { params, ...call } as Parameters<typeof handlers.get>[1]);
  });
  mount(app, decideSenderIds, async (ctx, { body: { ids, ...decision } }) => {
    const rules = await readSenderRules(ctx.db);
    const decides = await decidesFor(ctx);
    const by = {
      rules,
      decides,
      pauseCampaigns,
      check: async ({ corporation_id, sender_id }: { corporation_id: number; sender_id: string }) =>
        void (await requireSender(ctx, corporation_id, sender_id)),
    };
    return decideEach(ctx, ids, (id) => decide(ctx, id, decision, by));
  });
}

const EVERY_MINUTE = '* * * * *';

/** Registers the end of approvals whose last day is over, and the notices about sender IDs. */
export async function senderJobs(
  worker: WorkerContext,
  pauseCampaigns: PauseCampaigns,
  moveWaiting: MoveWaiting,
): Promise<void> {
  await worker.jobs.work(expireSendersJob, async () => {
    await endRegistrations(worker, moveWaiting);
    await expireSenders(worker, pauseCampaigns);
  });
  await worker.jobs.schedule(expireSendersJob, EVERY_MINUTE);
  await worker.jobs.work(mailSenderNewsJob, (data) => mailSenderNews(worker, data));
}
