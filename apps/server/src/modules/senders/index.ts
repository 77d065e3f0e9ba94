import { senderId } from '@heliograph/contract/senders/sender-id';
import { type App, mountResource, type ResourceHandlers } from '#platform/http';
import { tableStore } from '#platform/table-store';
import { requireVisible } from '#platform/visible';

const stored = tableStore(senderId, { table: 'sender_id', from: 'sender_id_row' });

const senderIds: ResourceHandlers<typeof senderId> = {
  ...stored,
  async create(ctx, call) {
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    return stored.create(ctx, call);
  },
};

/** Mounts the sender IDs. */
export function mountSenders(app: App): void {
  mountResource(app, senderId, senderIds);
}
