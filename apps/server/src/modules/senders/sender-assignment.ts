import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import { sql } from 'kysely';
import { requireDepartment, requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(senderAssignment, {
  table: 'sender_id_assignment',
  from: 'sender_id_assignment_row',
  searched: ['sender_id_name', 'department_name'],
});

const requireSender = (ctx: Context, id: number, corporation_id: number, field: string) =>
  requireVisible(ctx, 'sender_id', id, field, sql<boolean>`corporation_id = ${corporation_id}`);

/** Departments that may use the sender IDs of a corporation. */
export const senderAssignments: ResourceHandlers<typeof senderAssignment> = {
  ...stored,
  async create(ctx, call) {
    const { sender_id_ids, ...place } = call.body;
    await requireDepartment(ctx, place);
    const senders = [...new Set(sender_id_ids)];
    for (const id of senders) await requireSender(ctx, id, place.corporation_id, 'sender_id_ids');
    const replies = [];
    for (const sender_id_id of senders) {
      const body = { ...place, sender_id_id } as unknown as typeof call.body;
      replies.push(await stored.create(ctx, { ...call, body }));
    }
    return replies[0]!;
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    const { sender_id_id } = call.body;
    if (sender_id_id !== undefined) await requireSender(ctx, sender_id_id, data.corporation_id, 'sender_id_id');
    return stored.update(ctx, call);
  },
};
