import { isAdministration } from '@heliograph/contract/kernel/scope';
import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import { senderId, uploadSenderIds } from '@heliograph/contract/senders/sender-id';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { type App, mountResource, type ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { requireSender } from './names.ts';
import { senderAssignments } from './sender-assignment.ts';
import { senderIdKind } from './upload-sender-ids.ts';

export { requireFreeName } from './names.ts';
export { senderIdKind } from './upload-sender-ids.ts';

const stored = tableStore(senderId, { table: 'sender_id', from: 'sender_id_row' });

const isPlatform = ({ caller }: Context) => isAdministration(caller.scope_level);

/** Sender IDs. Nobody takes a name or number that belongs to somebody else. */
export const senderIds: ResourceHandlers<typeof senderId> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    await requireSender(ctx, call.body.corporation_id, call.body.sender_id);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    const { sender_id = before.sender_id } = call.body;
    const given = isPlatform(ctx) && { withheld: false };
    if (sender_id !== before.sender_id || (given && before.withheld))
      await requireSender(ctx, before.corporation_id, sender_id);
    return stored.update(ctx, { ...call, body: { ...call.body, ...given } });
  },
};

/** Mounts the sender IDs and their assignment to departments. */
export function mountSenders(app: App): void {
  mountResource(app, senderId, senderIds);
  mountResource(app, senderAssignment, senderAssignments);
  mountBulkUpload(app, uploadSenderIds, senderIdKind, async (ctx, { corporation_id }) => {
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    return { corporation_id, parameters: { platform: isPlatform(ctx) } };
  });
}
