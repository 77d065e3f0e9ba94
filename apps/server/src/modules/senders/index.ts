import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import { senderId, uploadSenderIds } from '@heliograph/contract/senders/sender-id';
import { mountBulkUpload } from '#platform/bulk-upload';
import { type App, mountResource, type ResourceHandlers } from '#platform/http';
import { tableStore } from '#platform/table-store';
import { requireVisible } from '#platform/visible';
import { senderAssignments } from './sender-assignment.ts';
import { senderIdKind } from './upload-sender-ids.ts';

export { senderIdKind } from './upload-sender-ids.ts';

const stored = tableStore(senderId, { table: 'sender_id', from: 'sender_id_row' });

const senderIds: ResourceHandlers<typeof senderId> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    return stored.create(ctx, call);
  },
};

/** Mounts the sender IDs and which departments they are for. */
export function mountSenders(app: App): void {
  mountResource(app, senderId, senderIds);
  mountResource(app, senderAssignment, senderAssignments);
  mountBulkUpload(app, uploadSenderIds, senderIdKind, async (ctx, { corporation_id }) => {
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    return { corporation_id, parameters: {} };
  });
}
