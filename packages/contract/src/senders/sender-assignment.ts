import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const place = z.object({ corporation_id: reference('corporations'), department_id: reference('departments') });
const sender = z.object({ sender_id_id: reference('sender-ids') });

/**
 * Assignment of a sender ID to a department. People of departments without it neither see nor use the sender ID. One
 * that is assigned to no department is for its whole corporation.
 */
export const senderAssignment = resource({
  name: 'assign-sender-ids',
  row: place.extend({
    ...sender.shape,
    corporation_name: z.string(),
    department_name: z.string(),
    sender_id_name: z.string(),
  }),
  /** Several sender IDs in one call: all are assigned or none. The answer is the first one. */
  create: place.extend({ sender_id_ids: z.array(reference('sender-ids')).min(1).max(200) }),
  update: sender.partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    department_id: z.coerce.number().int().optional(),
    sender_id_id: z.coerce.number().int().optional(),
  }),
  sort: ['sender_id_name', 'corporation_name', 'department_name', 'created_at'],
  title: 'sender_id_name',
  conflicts: { sender_id_assignment_key: 'sender_ids_already_exist' },
});
